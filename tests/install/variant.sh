#!/usr/bin/env bash
# Builds and installs the library with some options, and builds and runs a program that uses the installed copy.
#   variant.sh <source folder> <C++ compiler> <mpiexec> <CMake options...>
set -euo pipefail

source_dir=$1 compiler=$2 mpiexec=$3
shift 3
. "${BASH_SOURCE[0]%/*}/step.sh"

step "configure" cmake -S "$source_dir" -B "$work/library" "-DCMAKE_CXX_COMPILER=$compiler" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_UNITY_BUILD=ON -DDASH_WERROR=ON -DDASH_BUILD_TESTS=OFF -DDASH_BUILD_BENCHMARKS=OFF -DDASH_BUILD_TOOLS=OFF "$@"
step "build" cmake --build "$work/library" --parallel 2
step "install" cmake --install "$work/library" --prefix "$work/prefix"
step "program: configure" cmake -S "$source_dir/tests/install" -B "$work/program" \
  "-DCMAKE_PREFIX_PATH=$work/prefix" "-DCMAKE_CXX_COMPILER=$compiler" "$@"
step "program: build" cmake --build "$work/program"
step "program: run" "$mpiexec" -n 2 "$work/program/outside"
