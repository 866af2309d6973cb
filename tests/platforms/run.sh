#!/usr/bin/env bash
# Builds the project in a chroot of a distribution, from its packages, and runs the quick tests there, and the tests of
# installed copies (label `platforms`). Makes Debian packages, in build/<name>-release of the chroot.
#   run.sh debian12|debian13 [gcc|clang] [mpich|openmpi|openmpi-ucx] [-- arguments of ctest]
# On a machine without InfiniBand, Open MPI of Debian transfers messages by its own component, ob1. openmpi-ucx selects
# UCX; both use the same build.
# Needs root and debootstrap. Variables:
#   DASH_PLATFORMS_DIR   folder of the chroots and builds (build/platforms); a distribution takes 5 GB
#   DASH_DEBIAN_MIRROR   mirror of Debian
#   DEV_JOBS             number of parallel processes of the build (number of processors)
# The last line of the output has the versions and the number of tests, for docs/reference/platforms.md.
set -euo pipefail
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/debian.sh"

project=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
distribution=${1:-} compiler=gcc mpi=mpich transport=default
(($#)) && shift
while (($#)); do
  case $1 in
    gcc | clang) compiler=$1 ;;
    mpich | openmpi) mpi=$1 ;;
    openmpi-ucx) mpi=openmpi transport=ucx ;;
    --) shift && break ;;
    *) echo "run.sh: unknown argument '$1'; expected gcc, clang, mpich, openmpi or openmpi-ucx" >&2 && exit 2 ;;
  esac
  shift
done
case $distribution in
  debian12) suite=bookworm ;;
  debian13) suite=trixie ;;
  *) usage && exit 2 ;;
esac
require debootstrap git
# By default, git does not let root read the clone of another user.
git -c 'safe.directory=*' -C "$project" rev-parse --verify --quiet HEAD >/dev/null ||
  { echo "$0: needs a git clone with a commit; $project is not one" >&2 && exit 1; }

folder=${DASH_PLATFORMS_DIR:-$project/build/platforms}
root=$folder/$distribution
name=$distribution-$compiler-$mpi
mkdir -p "$folder"

packages=(ca-certificates git bash procps iproute2 python3 codespell cmake ninja-build pkg-config g++ clang
  libclang-rt-dev mpich libmpich-dev openmpi-bin libopenmpi-dev libhwloc-dev libtbb-dev libboost-context-dev libfmt-dev
  libspdlog-dev libcli11-dev nlohmann-json3-dev libpng-dev liblapack-dev libomp-dev catch2 dpkg-dev file
  llvm) # llvm-symbolizer, for the suppressions of LeakSanitizer of clang
prepare_debian "$suite" "$root" "${packages[@]}"

# The committed state of the project: tests must not depend on other files of the folder. Git writes only the files that
# differ from those of the last run, so that a second run compiles only these again.
if [[ ! -e $root/src/.git ]]; then
  rm -rf "$root/src"
  git init --quiet "$root/src"
fi
git -C "$root/src" fetch --quiet --upload-pack 'git -c "safe.directory=*" upload-pack' --depth 1 "file://$project" HEAD
git -C "$root/src" reset --quiet --hard FETCH_HEAD

cxx=g++
[[ $compiler == gcc ]] || cxx=clang++
# By default, Open MPI does not start as root, and does not use the loopback interface. Programs must not read the
# shell's standard input, which is the script.
in_debian "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_tcp_if_include=lo \
  bash -s -- "$name" "$cxx" "$mpi" "$transport" "${DEV_JOBS:-$(nproc)}" "$@" <<'INNER'
set -euo pipefail
name=$1 cxx=$2 mpi=$3 transport=$4 jobs=$5
shift 5
build=/build/$name
mkdir -p "$build"
echo "-- configure"
cmake -S /src -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O1 -DCMAKE_UNITY_BUILD=ON \
  -DDASH_WERROR=ON -DCMAKE_CXX_COMPILER="$cxx" -DMPI_C_COMPILER="mpicc.$mpi" \
  >"$build/configure.log" 2>&1 ||
  { cat "$build/configure.log" && exit 1; }
echo "-- build"
ninja -C "$build" -j "$jobs" -k 0 all dash_internal </dev/null >"$build/build.log" 2>&1 || { grep -E -m20 'FAILED: |error: ' "$build/build.log"; exit 1; }
# What users build: with optimization, the compiler finds further reasons to warn.
echo "-- build the library and its packages in mode Release"
release=$build-release
rm -f "$release"/*.deb
{ cmake -S /src -B "$release" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON -DDASH_WERROR=ON \
  -DCMAKE_INSTALL_PREFIX=/usr -DDASH_BUILD_TESTS=OFF -DDASH_BUILD_BENCHMARKS=OFF -DCMAKE_CXX_COMPILER="$cxx" \
  -DMPI_C_COMPILER="mpicc.$mpi" && ninja -C "$release" -j "$jobs" && (cd "$release" && cpack); } \
  </dev/null >"$build/release.log" 2>&1 || { grep -E -m20 'FAILED: |error: |Error' "$build/release.log"; exit 1; }
echo "-- test"
sets='^(quick|platforms)$'
if [[ $transport == ucx ]]; then
  sets='^quick$' # the others build the library again
  # UCX of Open MPI accepts only InfiniBand by default. It has no shared windows, which baselines of the benchmarks use.
  export OMPI_MCA_pml=ucx OMPI_MCA_osc=ucx,sm OMPI_MCA_pml_ucx_tls=any OMPI_MCA_pml_ucx_devices=any
  export OMPI_MCA_osc_ucx_tls=any OMPI_MCA_osc_ucx_devices=any
fi
code=0
ctest --test-dir "$build" --parallel "$((2 * jobs))" --output-on-failure --no-tests=error -L "$sets" "$@" \
  </dev/null >"$build/test.log" 2>&1 || code=$?
tail -n 30 "$build/test.log"
version() { dpkg-query -W -f '${Version}' "$1" | sed 's/-.*//; s/^[0-9]*://'; }
[[ $transport == default ]] || name+=-$transport
printf '%s: %s; %s %s, CMake %s, oneTBB %s, hwloc %s, Catch2 %s: %s\n' "$name" \
  "$("$cxx" --version | head -n 1)" "$mpi" "$(version "lib$mpi-dev")" "$(version cmake)" \
  "$(version libtbb-dev)" "$(version libhwloc-dev)" "$(version catch2)" \
  "$(grep 'tests passed' "$build/test.log" | tail -n 1 || echo 'no result')"
exit "$code"
INNER
