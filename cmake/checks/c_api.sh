#!/usr/bin/env bash
# Checks that the C program of the tests uses every function that the headers of the C interface declare.
#   c_api.sh <source folder>
set -euo pipefail
export LC_ALL=C

cd "$1"
declared=$(cat dart/include/dash/dart/if/*.h | grep -v '^ *///' | tr '\n' ' ' |
  grep -oE '(DART_API|DART_INLINE)[^;{]*\(' | grep -oE '\bdart_[a-z0-9_]+ *\($' | tr -d ' (' | sort -u)
used=$(cat tests/dart/c_api/*.c tests/dart/c_api/*.h | grep -oE '\bdart_[a-z0-9_]+ *\(' | tr -d ' (' | sort -u)
missing=$(comm -23 <(echo "$declared") <(echo "$used"))
if [[ -z $declared || -n $missing ]]; then
  echo "functions that the program in tests/dart/c_api does not use:"
  echo "$missing"
  exit 1
fi
