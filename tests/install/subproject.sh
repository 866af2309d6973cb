#!/usr/bin/env bash
# Uses the source tree in another project by add_subdirectory and by FetchContent. The project must get the library, and
# no test, command, install rule or setting that it did not request.
#   subproject.sh <source folder> <C++ compiler> <mpiexec> <CMake options...>
set -euo pipefail
export LC_ALL=C

source_dir=$1 mpiexec=$3
options=("-DCMAKE_CXX_COMPILER=$2" "${@:4}")
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/step.sh"

parent=$work/parent
mkdir -p "$parent/external"
cp "$source_dir/tests/install/subproject/CMakeLists.txt" "$parent"
cp "$source_dir/tests/install/outside.cpp" "$parent/program.cpp"
ln -s "$source_dir" "$parent/external/dash"

fail() {
  echo "subproject.sh: $*" >&2
  exit 1
}

# check_parent <build folder>: the log is that of its configuration
check_parent() {
  for name in CMAKE_BUILD_TYPE BUILD_SHARED_LIBS CMAKE_CXX_STANDARD CMAKE_RUNTIME_OUTPUT_DIRECTORY; do
    grep -q "parent: $name='' cache=''" "$work/log" || fail "the variable was set: $(grep "parent: $name=" "$work/log")"
  done
  grep -qE "parent: mpi_definitions='(mpi_definitions-NOTFOUND)?'" "$work/log" || fail 'MPI::MPI_C was changed'
  ctest --test-dir "$1" -N >"$work/tests"
  grep -q '^Total Tests: 1$' "$work/tests" || fail "the project has tests of DASH: $(cat "$work/tests")"
  cmake --build "$1" --target help >"$work/targets"
  ! grep -E '\b(dash-(info|tune|trace|map)|dashrun|test_[a-z_]+|bench-runner|dash_smoke|package)\b' "$work/targets" ||
    fail 'the project has these targets'
}

step "FetchContent: configure" cmake -S "$parent" -B "$work/fetched" "${options[@]}" \
  -DUSE_FETCH_CONTENT=ON "-DFETCHCONTENT_SOURCE_DIR_DASH=$source_dir"
check_parent "$work/fetched"

# A static library, so that the project links the libraries that DASH uses.
step "add_subdirectory, static: configure" cmake -S "$parent" -B "$work/static" "${options[@]}" \
  -DBUILD_SHARED_LIBS=OFF -DCMAKE_UNITY_BUILD=ON
step "add_subdirectory, static: build" cmake --build "$work/static" --parallel 2
step "add_subdirectory, static: run" "$mpiexec" -n 2 "$work/static/program"

step "add_subdirectory: configure" cmake -S "$parent" -B "$work/build" "${options[@]}" \
  -DCMAKE_UNITY_BUILD=ON
check_parent "$work/build"
step "add_subdirectory: build" cmake --build "$work/build" --parallel 2
step "add_subdirectory: run" "$mpiexec" -n 2 "$work/build/program"
step "add_subdirectory: install" cmake --install "$work/build" --prefix "$work/prefix"
[[ $(find "$work/prefix" -type f -printf '%P ') == 'bin/program ' ]] ||
  fail "more than the project's program was installed: $(find "$work/prefix" -type f)"
