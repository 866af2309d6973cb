#!/usr/bin/env bash
# Installs the packages that cpack has made in a clean Debian 12, and compiles and runs the program of the README there:
# with dashc++ and dashrun, and with CMake.
#   test_deb.sh <work folder> <package.deb>...
# Needs root, debootstrap and access to a Debian mirror. The work folder keeps the clean system for the next run.
set -euo pipefail
source_dir=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
. "$source_dir/tests/platforms/debian.sh"
export LC_ALL=C

(($# > 1)) || { usage && exit 2; }
require debootstrap
mkdir -p "$1"
work=$(cd "$1" && pwd)
shift
clean=$work/bookworm
root=$work/root

if [[ ! -e $clean/complete ]]; then
  make_debian bookworm "$clean"
  touch "$clean/complete"
fi
rm -rf "$root"
cp -a "$clean" "$root"
mkdir -p "$root/packages" "$root/test"
cp "$@" "$root/packages"
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
step "update" apt-get update
step "install the packages" apt-get install -y --no-install-recommends /packages/*.deb
dpkg-query -W -f '   ${Package} ${Version}\n' 'dash-pgas*'
step "dash-info" dash-info
for command in dashc++ dashrun; do
  command -v "$command" >/dev/null || { echo "the packages do not contain $command"; exit 1; }
done
step "dashc++" dashc++ -O2 readme.cpp -o by_dashcxx
step "dashrun" dashrun -n 4 ./by_dashcxx
check_output
step "install CMake" apt-get install -y --no-install-recommends cmake make
step "find_package: configure" cmake -B build -DCMAKE_BUILD_TYPE=Release
step "find_package: build" cmake --build build
step "find_package: run" mpiexec -n 4 build/readme
check_output
step "remove the packages" apt-get purge -y 'dash-pgas*'
[[ -z $(find / -xdev \( -path /packages -o -path /test -o -path /proc \) -prune -o -name '*dash-pgas*' ! -path '/var/log/*' -print -o \
  -name 'libdash.*' -print) ]] || { echo 'files of the packages remain'; exit 1; }
TEXT
# Without the variables of the caller, which may select a compiler or a generator of CMake.
in_debian "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C bash /test/run.sh
echo "test_deb.sh: passed"
