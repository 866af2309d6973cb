#!/usr/bin/env bash
# Builds the project in a chroot of a distribution, from its packages, and runs the quick tests there.
#   tests/platforms/run.sh debian12|debian13 [gcc|clang] [mpich|openmpi] [-- arguments of ctest]
# Needs root and debootstrap (Debian package debootstrap). Variables:
#   DASH_PLATFORMS_DIR   folder of the chroots and builds (build/platforms); a distribution takes 3 GB
#   DASH_DEBIAN_MIRROR   mirror of Debian (http://deb.debian.org/debian)
# The last line of the output has the versions and the number of tests, for docs/reference/platforms.md.
set -euo pipefail

fail() {
  printf 'run.sh: %s\n' "$1" >&2
  exit 2
}

project=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd)
distribution=${1:-} compiler=gcc mpi=mpich
(($#)) && shift
while (($#)); do
  case $1 in
    gcc | clang) compiler=$1 ;;
    mpich | openmpi) mpi=$1 ;;
    --) shift && break ;;
    *) fail "unknown argument '$1'; expected gcc or clang, mpich or openmpi" ;;
  esac
  shift
done
case $distribution in
  debian12) suite=bookworm ;;
  debian13) suite=trixie ;;
  *) fail "unknown distribution '$distribution'; expected debian12 or debian13" ;;
esac
[[ $EUID -eq 0 ]] || fail 'needs root, to create and enter a chroot'
command -v debootstrap >/dev/null || fail 'needs debootstrap: apt-get install debootstrap'

mirror=${DASH_DEBIAN_MIRROR:-http://deb.debian.org/debian}
folder=${DASH_PLATFORMS_DIR:-$project/build/platforms}
root=$folder/$distribution
name=$distribution-$compiler-$mpi
mkdir -p "$folder"

packages=(ca-certificates git bash procps iproute2 python3 codespell cmake ninja-build pkg-config g++ clang
  mpich libmpich-dev openmpi-bin libopenmpi-dev libhwloc-dev libtbb-dev libboost-context-dev libfmt-dev
  libspdlog-dev libcli11-dev nlohmann-json3-dev libpng-dev liblapack-dev libomp-dev catch2)
if [[ ! -e $root/.complete ]]; then
  echo "Creating a chroot of $distribution in $root"
  rm -rf "$root"
  debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$folder/$distribution-debootstrap.log"
  chroot "$root" sh -c 'apt-get update && DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "$@"' sh "${packages[@]}" >"$folder/$distribution-packages.log" 2>&1
  touch "$root/.complete"
fi

mounted=()
unmount_all() {
  local i
  for ((i = ${#mounted[@]}; i-- > 0;)); do umount "${mounted[i]}"; done
}
trap unmount_all EXIT
mount_in() { # mount_in <folder of the chroot> <arguments of mount...>
  local target=$root$1
  shift
  mountpoint -q "$target" && return
  mount "$@" "$target"
  mounted+=("$target")
}
mount_in /proc -t proc proc
mount_in /sys -t sysfs sysfs
mount_in /dev -t tmpfs tmpfs
mkdir -p "$root/dev/shm" "$root/dev/pts"
for device in 'null 1 3' 'zero 1 5' 'full 1 7' 'random 1 8' 'urandom 1 9' 'tty 5 0'; do
  read -r file major minor <<<"$device"
  mknod -m 666 "$root/dev/$file" c "$major" "$minor"
done
ln -sf /proc/self/fd "$root/dev/fd"
mount_in /dev/shm -t tmpfs -o size=2g tmpfs
mount_in /dev/pts -t devpts devpts

# The committed state of the project: tests must not depend on other files of the folder.
rm -rf "$root/src"
mkdir -p "$root/src"
git -C "$project" archive HEAD | tar -x -C "$root/src"

cxx=g++
[[ $compiler == gcc ]] || cxx=clang++
# Open MPI starts as root, and with more units than processors, only if these variables are set.
chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 JOBS="${JOBS:-$(nproc)}" \
  bash -s -- "$name" "$cxx" "$mpi" "$@" <<'INNER'
set -euo pipefail
name=$1 cxx=$2 mpi=$3
shift 3
build=/build/$name
mkdir -p "$build"
echo "Configuring"
cmake -S /src -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O1 -DCMAKE_UNITY_BUILD=ON \
  -DDASH_WERROR=ON -DCMAKE_CXX_COMPILER="$cxx" -DMPI_C_COMPILER="mpicc.$mpi" \
  -DMPIEXEC_EXECUTABLE="$(command -v "mpiexec.$mpi")" >"$build/configure.log" 2>&1 ||
  { cat "$build/configure.log"; exit 1; }
echo "Building"
ninja -C "$build" -j "$JOBS" >"$build/build.log" 2>&1 || { grep -A20 -m3 FAILED "$build/build.log"; exit 1; }
echo "Testing"
code=0
ctest --test-dir "$build" --parallel "$((2 * JOBS))" --output-on-failure -L '^quick$' "$@" \
  >"$build/test.log" 2>&1 || code=$?
tail -n 30 "$build/test.log"
version() { dpkg-query -W -f '${Version}' "$1" 2>/dev/null | sed 's/-.*//; s/^[0-9]*://'; }
printf '%s: %s; %s %s, CMake %s, oneTBB %s, hwloc %s, Catch2 %s: %s\n' "$name" \
  "$("$cxx" --version | head -n 1)" "$mpi" \
  "$(if [[ $mpi == mpich ]]; then version libmpich-dev; else version libopenmpi-dev; fi)" "$(version cmake)" \
  "$(version libtbb-dev)" "$(version libhwloc-dev)" "$(version catch2)" \
  "$(grep -m1 'tests passed' "$build/test.log" || echo 'no result')"
exit "$code"
INNER
