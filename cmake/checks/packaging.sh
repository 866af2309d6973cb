#!/usr/bin/env bash
# Checks the recipes and scripts that no other quick test executes: the syntax of the Spack recipe and of the scripts for
# packages and platforms. The version and the options of the recipe are those of the project. In the folder of each script,
# wrong arguments lead to exit code 2 with a message.
#   packaging.sh <source folder>
# Exit code 77 if python3 is missing and nothing else is wrong.
set -euo pipefail
cd "$1"
failed=0
report() {
  echo "$*"
  failed=1
}

for script in packaging/*.sh tests/platforms/*.sh; do
  bash -n "$script" || report "$script: not a script for bash"
done

# expect_usage <script> <arguments...>
expect_usage() {
  local script=$1 code=0 output
  shift
  output=$(cd "${script%/*}" && timeout 10 bash "${script##*/}" "$@" 2>&1) || code=$?
  [[ $code == 2 && $output == *"${script##*/}"[:\ ]* ]] || report "$script $*: code $code, not a message about the usage: $output"
}
for script in packaging/test_deb.sh tests/platforms/{run,aarch64}.sh tests/hosts/hosts.sh; do
  expect_usage "$script"
done
expect_usage tests/platforms/run.sh debian12 icc
expect_usage tests/hosts/hosts.sh --hosts
expect_usage tests/hosts/hosts.sh --rate 0.5 mpiexec 2 program
expect_usage tests/hosts/hosts.sh --down 3 mpiexec

recipe=packaging/spack/package.py
version=$(sed -n 's/^ *VERSION \([0-9.]*\)$/\1/p' CMakeLists.txt | head -n 1)
grep -q "version(\"$version\")" "$recipe" || report "$recipe: lacks version $version of CMakeLists.txt"
for option in $(grep -o '"DASH_[A-Z_]*"' "$recipe" | tr -d '"'); do
  grep -q "^option($option " CMakeLists.txt || report "$recipe: CMakeLists.txt has no option $option"
done

if ! command -v python3 >/dev/null; then
  ((failed)) || { echo 'skipped: python3 is not installed' && exit 77; }
else
  python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read(), sys.argv[1])' "$recipe" ||
    report "$recipe: not a Python program"
fi
exit "$failed"
