#!/usr/bin/env bash
# Checks that the library configures without the packages that only tests, benchmarks and some tools need, and that
# these tools are left out with a message. Commands of ./dev that need no tests do not search for Catch2, even if the last
# configuration failed because it was missing.
#   minimal_configure.sh <source folder> <cmake> <C++ compiler>
set -euo pipefail
export LC_ALL=C

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bad=0
complain() {
  printf '%s\n' "$1"
  bad=1
}

options=(-DDASH_BUILD_TESTS=OFF -DDASH_BUILD_BENCHMARKS=OFF)
for package in CLI11 nlohmann_json Catch2 PNG LAPACK BLAS OpenMP Python3; do
  options+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON")
done
if ! output=$("$2" -S "$1" -B "$folder" "-DCMAKE_CXX_COMPILER=$3" "${options[@]}" 2>&1); then
  printf 'the library alone does not configure:\n%s\n' "$output"
  exit 1
fi
for tool in dash-tune dash-trace dash-map dashrun; do
  grep -qE -- "-- $tool is not built: it needs .*libcli11-dev" <<<"$output" ||
    complain "no message says that $tool is left out"
done

targets=$("$2" --build "$folder" --target help)
grep -qw dash-info <<<"$targets" || complain 'dash-info is left out'
for tool in dash-tune dash-trace dash-map dashrun; do
  ! grep -qw -- "$tool" <<<"$targets" || complain "$tool is built, although its packages are missing"
done

if output=$("$2" -S "$1" -B "$folder" -DDASH_BUILD_BENCHMARKS=ON 2>&1); then
  complain 'the benchmarks configure, although their packages are missing'
fi
for package in liblapack-dev libpng-dev libcli11-dev nlohmann-json3-dev; do
  grep -qE -- "apt-get install .*\b$package\b" <<<"$output" || complain "the error does not name $package: $output"
done

tree=$folder/tree
mkdir -p "$tree" "$folder/bin"
for entry in "$1"/*; do
  [[ ${entry##*/} == build* ]] || ln -s "$entry" "$tree"
done
cd "$tree"
! "$2" --preset release "-DCMAKE_CXX_COMPILER=$3" -DCMAKE_DISABLE_FIND_PACKAGE_Catch2=ON >"$folder/log" 2>&1 ||
  complain 'the tests configure without Catch2'
# Configures, and fails to build.
printf '#!/bin/sh\n[ "$1" = --preset ] && exec "%s" "$@"\n' "$(command -v "$2")" >"$folder/bin/cmake"
chmod +x "$folder/bin/cmake"
! PATH=$folder/bin:$PATH DEV_INSTALL=no ./dev info >"$folder/log" 2>&1 || complain './dev info does not build'
grep -q '^building release' "$folder/log" || complain "./dev info does not configure without Catch2: $(cat "$folder/log")"

exit "$bad"
