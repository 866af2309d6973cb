#!/usr/bin/env bash
# Cross-builds the library for 64-bit Arm, and runs the tests of core, async and dart on one node under qemu.
#   aarch64.sh <work folder> [ctest arguments...]
# Needs root, for debootstrap, and these packages:
#   apt-get install debootstrap g++-aarch64-linux-gnu qemu-user-static mpich pkg-config cmake ninja-build
#
# The libraries come from Debian's arm64 packages, unpacked into a folder: libmpich-dev:arm64 cannot be
# installed beside libmpich-dev:amd64. The host's mpiexec starts the programs, so both need the same version of MPICH.
#
# qemu on an x86-64 host keeps the order of memory accesses of x86-64. A run shows that the code compiles and
# computes correct results, but not that its memory orders suffice; see tests/dart/protocols for this.
set -euo pipefail
source_dir=$(readlink -f "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../..")
. "$source_dir/tests/platforms/debian.sh"

(($# > 0)) || { usage && exit 2; }
mkdir -p "$1"
work=$(cd "$1" && pwd)
shift
sysroot=$work/sysroot
build=$work/build
jobs=${DEV_JOBS:-$(nproc)}
require cmake debootstrap aarch64-linux-gnu-g++ qemu-aarch64-static mpiexec pkg-config ninja

if [[ ! -e $sysroot/complete ]]; then
  # The first stage downloads all packages, and unpacks the essential ones.
  make_debian bookworm "$sysroot" --arch=arm64 --foreign \
    --include=libc6-dev,libstdc++-12-dev,libmpich-dev,libhwloc-dev,libtbb-dev,libboost-context-dev,libfmt-dev,libspdlog-dev,catch2,libpng-dev,liblapack-dev,libcli11-dev,nlohmann-json3-dev
  for package in "$sysroot"/var/cache/apt/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink -C "$sysroot"
  done
  # An absolute link would lead to the host's file.
  find "$sysroot/usr" -type l -lname '/*' -printf '%p\0%l\0' | while IFS= read -r -d '' link && IFS= read -r -d '' target; do
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

# Under qemu, UCX may use TCP within the host. Then MPI_Finalize of MPICH 4.0 sometimes does not return.
export UCX_TLS=posix,sysv,self

# The tests that are excluded run on several nodes, or start their own program with mpiexec, which cannot execute it
# without the emulator.
echo "-- test"
ctest --test-dir "$build" -j "$jobs" --output-on-failure --no-tests=error -L 'quick|smoke' -R '^(core|async|dart)\.' \
  -E '\.(nolocal|cliques|pairs|singles)|^dart\.(crash|early_exit|finalize|machines)$|ignored_removal' "$@"
