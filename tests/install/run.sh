#!/usr/bin/env bash
# Installs a build into an empty prefix, moves the prefix, builds projects outside of the build tree with
# find_package and pkg-config, and runs the programs.
#   run.sh <build folder> <C++ compiler> <mpiexec> <libdir>
set -euo pipefail

build=$1 compiler=$2 mpiexec=$3 libdir=$4
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

step() {
  echo "-- $1"
  shift
  "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
}

step "install" cmake --install "$build" --prefix "$work/first"
mv "$work/first" "$work/prefix"

# The installed copy must not contain the path of the build, neither in text files nor in the run path of the library.
step "no trace of the build" bash -c "! grep -rlI -e '$build' '$work/prefix'"

step "dash-info" "$work/prefix/bin/dash-info"
cat "$work/log"

step "find_package: configure" cmake -S "$here" -B "$work/build" "-DCMAKE_PREFIX_PATH=$work/prefix" \
  "-DCMAKE_CXX_COMPILER=$compiler" -DCMAKE_BUILD_TYPE=Debug
step "find_package: build" cmake --build "$work/build"
step "find_package: run" env "DART_TRACE=$work/run.json" "$mpiexec" -n 2 "$work/build/outside"
# These tools are optional.
[[ ! -e $work/prefix/bin/dash-trace ]] ||
  step "dash-trace" "$work/prefix/bin/dash-trace" "$work/run.json"
[[ ! -e $work/prefix/bin/dash-map ]] || step "dash-map" "$work/prefix/bin/dash-map" --topology "$here/../../tools/dash-map/machines/places.txt" \
  --units-per-node 4 --grid 8x4

export PKG_CONFIG_PATH="$work/prefix/$libdir/pkgconfig"
read -r -a flags <<<"$(pkg-config --cflags --libs dash)"
# Builds the example program of the README.
sed -n '/^```cpp$/,/^```$/{/^```/d;p}' "$here/../../README.md" >"$work/readme.cpp"
step "pkg-config: build" "$compiler" -std=c++20 -O1 "$work/readme.cpp" -o "$work/readme" \
  "${flags[@]}" "-Wl,-rpath,$work/prefix/$libdir"
step "pkg-config: run" "$mpiexec" -n 3 "$work/readme"
