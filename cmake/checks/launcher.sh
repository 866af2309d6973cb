#!/usr/bin/env bash
# Checks that CMake finds the launcher of the MPI with which the library is built, although the first mpiexec of PATH
# belongs to another MPI, and that it keeps a launcher that the user has chosen.
#   launcher.sh <source folder> <cmake> <C++ compiler> <MPI compiler> <mpiexec>
set -euo pipefail
export LC_ALL=C

source_dir=$1 cmake=$2 compiler=$3 mpicc=$4 mpiexec=$5
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
  echo "launcher.sh: $*" >&2
  exit 1
}

# configure <build folder> <options...>: the output is in $output, and the launcher in $launcher
configure() {
  local build=$folder/$1 code=0
  shift
  output=$(PATH=$folder/bin:$PATH "$cmake" -S "$source_dir" -B "$build" "-DCMAKE_CXX_COMPILER=$compiler" \
    "-DMPI_C_COMPILER=$mpicc" -DDASH_BUILD_BENCHMARKS=OFF "$@" 2>&1) || code=$?
  launcher=$(sed -n 's/^MPIEXEC_EXECUTABLE:[A-Z]*=//p' "$build/CMakeCache.txt")
  return "$code"
}

other='mpiexec (Open MPI) 5.0.7' names='mpiexec\.(hydra|mpich)'
[[ $("$mpiexec" --version 2>&1) != *Open* ]] || other='HYDRA build details:' names='mpiexec\.openmpi|orterun'
mkdir "$folder/bin"
printf '#!/bin/sh\necho "%s"\n' "$other" >"$folder/bin/mpiexec"
chmod +x "$folder/bin/mpiexec"

configure chosen -DDASH_BUILD_TESTS=OFF "-DMPIEXEC_EXECUTABLE=$folder/bin/mpiexec" || fail "error: $output"
[[ $launcher == "$folder/bin/mpiexec" ]] || fail "the launcher of the user was replaced by '$launcher'"

# Where this MPI has only the name mpiexec, there is no other launcher to find.
if compgen -c | grep -xE "$names" >/dev/null; then
  configure build -DDASH_BUILD_TESTS=OFF || fail "error: $output"
  [[ -x $launcher && $("$launcher" --version 2>&1) != *"$other"* ]] || fail "'$launcher' belongs to another MPI"
fi

for name in mpiexec.hydra mpiexec.mpich mpiexec.openmpi orterun; do
  cp "$folder/bin/mpiexec" "$folder/bin/$name"
done
configure none -DDASH_BUILD_TESTS=OFF || fail "the library alone does not configure: $output"
[[ $output == *'No launcher of the MPI of'* && -z $launcher ]] || fail "no warning, or the launcher '$launcher': $output"
! configure none -DDASH_BUILD_TESTS=ON || fail "the tests use the launcher '$launcher'"
[[ $output == *'No launcher of the MPI of'* ]] || fail "no message about the launcher: $output"
