#!/usr/bin/env bash
# Installs a build into an empty prefix, moves the prefix, builds projects outside of the build tree with
# find_package, pkg-config and dashc++, and runs the programs.
#   run.sh <build folder> <C++ compiler> <mpiexec> <libdir> <archive of the same objects as the library> <MPI compiler>
set -euo pipefail

build=$1 compiler=$2 mpiexec=$3 libdir=$4 archive=$5 mpicc=$6
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
. "$here/step.sh"

step "install" cmake --install "$build" --prefix "$work/first"
mv "$work/first" "$work/prefix"

# The installed copy must not contain the path of the build, neither in text files nor in the run path of the library.
step "no trace of the build" bash -c "! grep -rlI -e '$build' '$work/prefix'"
for file in "$work/prefix/bin"/* "$work/prefix/$libdir"/lib*.so; do
  [[ $(head -c 4 "$file") == $'\x7fELF' ]] || continue
  run_path=$(readelf -d "$file" | grep -E '\((RPATH|RUNPATH)\)' || true)
  [[ $run_path != *"$build"* ]] || { echo "$file has the run path of the build: $run_path" && exit 1; }
done

step "dash-info" "$work/prefix/bin/dash-info"
cat "$work/log"

step "find_package: configure" cmake -S "$here" -B "$work/build" "-DCMAKE_PREFIX_PATH=$work/prefix" \
  "-DCMAKE_CXX_COMPILER=$compiler" -DCMAKE_BUILD_TYPE=Debug
step "find_package: build" cmake --build "$work/build"
step "find_package: run" env "DART_TRACE=$work/run.json" "$mpiexec" -n 2 "$work/build/outside"
step "program for DASH 0.4" "$mpiexec" -n 2 "$work/build/dash04"

# An older CMake ignores the include folders of the target.
echo 'set(CMAKE_VERSION 3.22.1)
find_package(dash REQUIRED)' >"$work/old.cmake"
if cmake "-Ddash_DIR=$work/prefix/$libdir/cmake/dash" -P "$work/old.cmake" >"$work/log" 2>&1 ||
  ! grep -q 'dash needs CMake 3.23 or newer, not 3.22.1' "$work/log"; then
  echo 'find_package with CMake 3.22: no error'
  cat "$work/log"
  exit 1
fi

# The projects that the pages show.
examples=$here/../../docs/examples
cp -r "$examples/projects" "$work"
cp "$examples/hello.cpp" "$work/projects/hello"
cp "$examples/how-to/mixed.cpp" "$work/projects/mixed/program.cpp"
# It asks for the package and the targets by their names in DASH 0.4.
cp "$here/dash04.cpp" "$work/projects/dash04/program.cpp"
step "project dash04: configure" cmake -S "$work/projects/dash04" -B "$work/dash04" "-DCMAKE_PREFIX_PATH=$work/prefix" \
  "-DCMAKE_CXX_COMPILER=$compiler"
step "project dash04: build" cmake --build "$work/dash04"
step "project dash04: targets" "$mpiexec" -n 2 "$work/dash04/by_targets"
step "project dash04: variables" "$mpiexec" -n 2 "$work/dash04/by_variables"
step "project hello: configure" cmake -S "$work/projects/hello" -B "$work/hello" "-DCMAKE_PREFIX_PATH=$work/prefix" \
  "-DCMAKE_CXX_COMPILER=$compiler"
step "project hello: build" cmake --build "$work/hello"
step "project hello: run" "$mpiexec" -n 4 "$work/hello/hello"
if [[ -e $work/prefix/bin/dashrun ]]; then # an optional tool, which the tests of this project use
  step "project mixed: configure" cmake -S "$work/projects/mixed" -B "$work/mixed" "-DCMAKE_PREFIX_PATH=$work/prefix" \
    "-DCMAKE_CXX_COMPILER=$compiler" "-DMPI_C_COMPILER=$mpicc" -DSANITIZE=ON
  step "project mixed: build" cmake --build "$work/mixed"
  leaks=1
  ! "$mpicc" --showme >/dev/null 2>&1 || leaks=0 # Open MPI does not free all of its memory
  step "project mixed: test" env "ASAN_OPTIONS=detect_leaks=$leaks" UCX_MEM_EVENTS=no UCX_HANDLE_ERRORS=none HWLOC_PLUGINS_PATH=/dev/null \
    "LSAN_OPTIONS=suppressions=$here/../../cmake/sanitizers/lsan.supp" UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
    ctest --test-dir "$work/mixed" --output-on-failure
fi

# These tools are optional.
[[ ! -e $work/prefix/bin/dash-trace ]] ||
  step "dash-trace" "$work/prefix/bin/dash-trace" "$work/run.json"
[[ ! -e $work/prefix/bin/dash-map ]] || step "dash-map" "$work/prefix/bin/dash-map" --topology "$here/../../tools/dash-map/machines/places.txt" \
  --units-per-node 4 --grid 8x4

export PKG_CONFIG_PATH="$work/prefix/$libdir/pkgconfig"
# Builds the example program of the README.
sed -n '/^```cpp$/,/^```$/{/^```/d;p}' "$here/../../README.md" >"$work/readme.cpp"

read -r -a flags <<<"$(pkg-config --cflags dash)"
[[ ${#flags[@]} == 1 && ${flags[0]#-I} -ef $work/prefix/include ]] ||
  { echo "pkg-config --cflags: '${flags[*]}' instead of the include folder"; exit 1; }
step "pkg-config: build" "$compiler" -std=c++20 -O1 "${flags[@]}" "$work/readme.cpp" -o "$work/readme" \
  $(pkg-config --libs dash) "-Wl,-rpath,$work/prefix/$libdir"
step "pkg-config: run" "$mpiexec" -n 3 "$work/readme"

# The public headers include no header of another library, except that of MPI. Not with -M: clang++ also lists headers
# whose existence is tested. Headers with an #error only name a missing feature.
(cd "$work/prefix/include" && find . -name '*.h' ! -path '*/dash/dart/Mpi.h' -exec grep -L '^#error' {} +) |
  sed 's|^\./\(.*\)|#include "\1"|' >"$work/all.cpp"
step "headers: list" "$compiler" -std=c++20 "${flags[@]}" -E "$work/all.cpp"
if grep -oE '^# 1 "[^"]*/(mpi\.h|hwloc\.h|(spdlog|fmt|tbb|oneapi|boost)/[^ ]*)' "$work/log"; then
  echo "headers: the public headers include these"
  exit 1
fi

step "dashc++: build" "$work/prefix/bin/dashc++" -O1 "$work/readme.cpp" -o "$work/by_dashcxx"
step "dashc++: compile" "$work/prefix/bin/dashc++" -c "$work/readme.cpp" -o "$work/readme.o"
step "dashc++: link" "$work/prefix/bin/dashc++" "$work/readme.o" -o "$work/linked"
step "dashc++: show" "$work/prefix/bin/dashc++" --show -DTEXT='"a b"' "$work/readme.cpp" -o "$work/shown"
bash -c "$(cat "$work/log")" || { cat "$work/log"; exit 1; }
[[ -x $work/shown ]] || { echo 'dashc++ --show: the printed command builds no program'; exit 1; }
# wrong <pattern> <command...>: the command fails with a message of dashc++
wrong() {
  local pattern=$1
  shift
  if "$@" >"$work/log" 2>&1 || ! grep -q "^dashc++: .*$pattern" "$work/log"; then
    echo "$*: expected the error '$pattern'"
    cat "$work/log"
    exit 1
  fi
}
wrong 'no arguments' "$work/prefix/bin/dashc++"
wrong "'missing' does not exist; set the variable DASH_CXX" env DASH_CXX=missing "$work/prefix/bin/dashc++" "$work/readme.cpp"
# This tool is optional.
[[ ! -e $work/prefix/bin/dashrun ]] || step "dashrun" "$work/prefix/bin/dashrun" -n 4 "$work/by_dashcxx"
[[ ! -e $work/prefix/bin/dashrun ]] || grep -q '^sum [0-9.]*, last 1e-06$' "$work/log" || {
  echo 'dashrun: not the output of the program:'
  cat "$work/log"
  exit 1
}

# A program that links the objects of the library itself. Only the archive is left in the prefix.
rm "$work/prefix/$libdir"/libdash.so*
cp "$archive" "$work/prefix/$libdir/libdash.a"
step "pkg-config --static: build" "$compiler" -std=c++20 -O1 $(pkg-config --static --cflags dash) "$work/readme.cpp" \
  -o "$work/static" $(pkg-config --static --libs dash)
step "pkg-config --static: run" "$mpiexec" -n 2 "$work/static"
