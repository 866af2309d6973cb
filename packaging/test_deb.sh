#!/usr/bin/env bash
# Installs the packages that cpack has made in a clean Debian 12, and compiles and runs the program of the README there:
# with dashc++ and dashrun, and with CMake.
#   test_deb.sh <work folder> <package.deb>...
# Needs root, debootstrap and access to a Debian mirror. The work folder keeps the clean system for the next run.
set -euo pipefail
export LC_ALL=C

if [[ $# -lt 2 ]]; then
  sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"
  exit 2
fi
mkdir -p "$1"
work=$(cd "$1" && pwd)
shift
source_dir=$(cd "$(dirname "$0")/.." && pwd)
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
clean=$work/bookworm
root=$work/root

if [[ ! -e $clean/complete ]]; then
  echo "-- make a clean system in $clean"
  rm -rf "$clean"
  debootstrap --variant=minbase bookworm "$clean" "$mirror" >"$work/debootstrap.log" ||
    { tail -20 "$work/debootstrap.log" >&2; exit 1; }
  touch "$clean/complete"
fi
rm -rf "$root"
cp -a "$clean" "$root"
[[ ! -L $root/proc ]] || rm "$root/proc" # in some containers, a link to itself
mkdir -p "$root/proc" "$root/packages" "$root/test"
cp "$@" "$root/packages"
cp /etc/resolv.conf "$root/etc/resolv.conf"
sed -n '/^```cpp$/,/^```$/{/^```/d;p}' "$source_dir/README.md" >"$root/test/readme.cpp"
cat >"$root/test/CMakeLists.txt" <<'TEXT'
cmake_minimum_required(VERSION 3.23)
project(readme LANGUAGES CXX)
find_package(dash REQUIRED)
add_executable(readme readme.cpp)
target_link_libraries(readme PRIVATE dash::dash)
TEXT
cat >"$root/test/run.sh" <<'TEXT'
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
cd /test
step() {
  echo "-- $1"
  shift
  "$@" >log 2>&1 || { tail -40 log; exit 1; }
}
check_output() {
  grep -q '^sum [0-9.]*, last 1e-06$' log || { echo 'not the output of the program:'; cat log; exit 1; }
}
# apt verifies signatures as the user _apt, which some containers do not allow.
echo 'APT::Sandbox::User "root";' >/etc/apt/apt.conf.d/sandbox
step "update" apt-get update
step "install the packages" apt-get install -y --no-install-recommends /packages/*.deb
dpkg-query -W -f '   ${Package} ${Version}\n' 'dash-pgas*'
step "dash-info" dash-info
if command -v dashc++ >/dev/null; then
  step "dashc++" dashc++ -O2 readme.cpp -o by_dashcxx
  step "dashrun" dashrun -n 4 ./by_dashcxx
  check_output
fi
step "install CMake" apt-get install -y --no-install-recommends cmake make
step "find_package: configure" cmake -B build -DCMAKE_BUILD_TYPE=Release
step "find_package: build" cmake --build build
step "find_package: run" mpiexec -n 4 build/readme
check_output
step "remove the packages" apt-get purge -y 'dash-pgas*'
[[ -z $(find / -xdev \( -path /packages -o -path /test -o -path /proc \) -prune -o -name '*dash-pgas*' ! -path '/var/log/*' -print -o \
  -name 'libdash.*' -print) ]] || { echo 'files of the packages remain'; exit 1; }
TEXT
# The mounts end with the namespace.
unshare --mount --fork bash -c 'mount -t proc proc "$1/proc" && mkdir -p "$1/dev/shm" && mount -t tmpfs tmpfs "$1/dev/shm" &&
  exec chroot "$1" bash /test/run.sh' bash "$root"
echo "test_deb.sh: passed"
