#!/usr/bin/env bash
# Builds and installs the library with some options, and builds and runs a program that uses the installed copy.
# With a static library, also builds the commands, and a program with the installed dashc++ and with pkg-config.
#   variant.sh <source folder> <C++ compiler> <mpiexec> <CMake options...>
set -euo pipefail

source_dir=$1 compiler=$2 mpiexec=$3
shift 3
. "${BASH_SOURCE[0]%/*}/step.sh"
tools=OFF
[[ " $* " != *' -DBUILD_SHARED_LIBS=OFF '* ]] || tools=ON

step "configure" cmake -S "$source_dir" -B "$work/library" "-DCMAKE_CXX_COMPILER=$compiler" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_UNITY_BUILD=ON -DDASH_WERROR=ON -DDASH_BUILD_TESTS=OFF -DDASH_BUILD_BENCHMARKS=OFF "-DDASH_BUILD_TOOLS=$tools" "$@"
step "build" cmake --build "$work/library" --parallel 2
step "install" cmake --install "$work/library" --prefix "$work/prefix"
step "program: configure" cmake -S "$source_dir/tests/install" -B "$work/program" \
  "-DCMAKE_PREFIX_PATH=$work/prefix" "-DCMAKE_CXX_COMPILER=$compiler" "$@"
step "program: build" cmake --build "$work/program"
step "program: run" "$mpiexec" -n 2 "$work/program/outside"

[[ $tools == ON ]] || exit 0
info=$work/prefix/bin/dash-info
step "dash-info" "$mpiexec" -n 2 "$info"
! readelf -d "$info" | grep libdash || { echo 'dash-info needs a shared library of DASH' && exit 1; }
sed -n '/^```cpp$/,/^```$/{/^```/d;p}' "$source_dir/README.md" >"$work/readme.cpp"
step "dashc++: build" "$work/prefix/bin/dashc++" -O1 "$work/readme.cpp" -o "$work/by_dashcxx"
step "dashc++: run" "$mpiexec" -n 2 "$work/by_dashcxx"
folder=$(find "$work/prefix" -name dash.pc -printf '%h')
read -ra flags <<<"$(PKG_CONFIG_PATH=$folder pkg-config --static --cflags dash)"
read -ra libraries <<<"$(PKG_CONFIG_PATH=$folder pkg-config --static --libs dash)"
step "pkg-config --static: build" "$compiler" -std=c++20 -O1 "${flags[@]}" "$work/readme.cpp" -o "$work/by_pkg_config" \
  "${libraries[@]}"
step "pkg-config --static: run" "$mpiexec" -n 2 "$work/by_pkg_config"
