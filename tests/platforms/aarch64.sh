#!/usr/bin/env bash
# Cross-builds the library for 64-bit Arm, and runs the tests of core, async and dart on one node under qemu.
#   aarch64.sh <work folder> [ctest arguments...]
# Needs root, for debootstrap, and these packages:
#   apt-get install debootstrap g++-aarch64-linux-gnu qemu-user-static mpich pkg-config ninja-build
#
# The libraries come from Debian's arm64 packages, unpacked into a folder: libmpich-dev:arm64 cannot be
# installed beside libmpich-dev:amd64. The host's mpiexec starts the programs, so both need the same version of MPICH.
#
# qemu on an x86-64 host keeps the order of memory accesses of x86-64. A run shows that the code compiles and
# computes correct results, but not that its memory orders suffice; see tests/dart/protocols for this.
set -euo pipefail

if [[ $# -lt 1 ]]; then
  sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"
  exit 2
fi
mkdir -p "$1"
work=$(cd "$1" && pwd)
shift
source_dir=$(cd "$(dirname "$0")/../.." && pwd)
sysroot=$work/sysroot
build=$work/build
jobs=${DEV_JOBS:-$(nproc)}
suite=bookworm
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}

for tool in debootstrap aarch64-linux-gnu-g++ mpiexec pkg-config ninja; do
  command -v "$tool" >/dev/null || { echo "aarch64.sh: $tool was not found; install the packages above" >&2; exit 1; }
done
command -v qemu-aarch64-static >/dev/null || command -v qemu-aarch64 >/dev/null ||
  { echo "aarch64.sh: qemu-aarch64 was not found; install qemu-user-static" >&2; exit 1; }

if [[ ! -e $sysroot/complete ]]; then
  echo "-- unpack the arm64 packages of $suite in $sysroot"
  rm -rf "$sysroot"
  # The first stage downloads all packages, and unpacks the essential ones.
  debootstrap --arch=arm64 --foreign --variant=minbase \
    --include=libc6-dev,libstdc++-12-dev,libmpich-dev,libhwloc-dev,libtbb-dev,libboost-context-dev,libfmt-dev,libspdlog-dev,catch2,libpng-dev,liblapack-dev,libcli11-dev,nlohmann-json3-dev \
    "$suite" "$sysroot" "$mirror" >"$work/debootstrap.log" || { tail -20 "$work/debootstrap.log" >&2; exit 1; }
  [[ ! -L $sysroot/proc ]] || rm "$sysroot/proc" # in some containers, a link to the /proc of the host
  for package in "$sysroot"/var/cache/apt/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink -C "$sysroot"
  done
  # An absolute link would lead to the host's file.
  find "$sysroot/usr" -type l -lname '/*' -printf '%p %l\n' | while read -r link target; do
    ln -sfnr "$sysroot$target" "$link"
  done
  # update-alternatives makes these links when the packages are installed.
  libraries=$sysroot/usr/lib/aarch64-linux-gnu
  for name in blas lapack; do
    ln -sfnr "$libraries/$name/lib$name.so" "$libraries/lib$name.so"
    ln -sfnr "$libraries/$name/lib$name.so.3" "$libraries/lib$name.so.3"
  done
  touch "$sysroot/complete"
fi

echo "-- configure"
cmake -S "$source_dir" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON -DDASH_WERROR=ON \
  "-DCMAKE_TOOLCHAIN_FILE=$source_dir/cmake/toolchains/aarch64-linux-gnu.cmake" "-DCMAKE_SYSROOT=$sysroot" \
  -DDASH_BUILD_BENCHMARKS=OFF -DDASH_BUILD_TESTS=ON ${CMAKE_ARGS:-} >"$work/configure.log" 2>&1 ||
  { tail -40 "$work/configure.log" >&2; exit 1; }

echo "-- build"
mapfile -t programs < <(ninja -C "$build" -t targets all | sed -n 's/^\(test_\(core\|async\|dart\)_[a-z_]*\): phony$/\1/p')
ninja -C "$build" -j "$jobs" dash "${programs[@]}" >"$work/build.log" 2>&1 || { tail -60 "$work/build.log" >&2; exit 1; }

# The tests that are excluded run on several nodes, or start their own program with mpiexec, which cannot execute it
# without the emulator.
echo "-- test"
ctest --test-dir "$build" -j "$jobs" --output-on-failure -L 'quick|smoke' -R '^(core|async|dart)\.' \
  -E '\.(nolocal|cliques|pairs|singles)|^dart\.(crash|early_exit|finalize|machines)$' "$@"
