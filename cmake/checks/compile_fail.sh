#!/usr/bin/env bash
# Checks the error messages for wrong programs: each program in tests/compile_fail must cause exactly one compiler
# error, which contains the text in its first line, and must compile if DASH_CORRECT is defined.
#   compile_fail.sh <source folder> <compiler> [flags...]
set -euo pipefail
export LC_ALL=C

cd "$1"
shift
compiler=("$@" -std=c++20)
for layer in core async dart dash algorithms; do
  compiler+=("-I$layer/include")
done

# Precompile all headers once, because parsing them takes most of the time.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo '#include "libdash.h"' >"$folder/all.h"
"${compiler[@]}" -x c++-header "$folder/all.h" -o "$folder/all.h.gch"
compiler+=(-fsyntax-only -include "$folder/all.h" -x c++)

check() {
  local file=$1 expected errors
  expected=$(sed -n '1s|^// expect: ||p' "$file")
  if [[ -z $expected ]]; then
    echo "$file: the first line does not contain the expected error (\"// expect: ...\")"
    return 1
  fi
  if ! errors=$("${compiler[@]}" -DDASH_CORRECT "$file" 2>&1); then
    printf '%s: the correct program does not compile:\n%s\n' "$file" "$errors"
    return 1
  fi
  if errors=$("${compiler[@]}" "$file" 2>&1); then
    echo "$file: compiles, but the error \"$expected\" was expected"
    return 1
  fi
  errors=$(grep -E ' (fatal )?error: ' <<<"$errors" || true)
  if [[ $(wc -l <<<"$errors") -ne 1 || $errors != *"$expected"* ]]; then
    printf '%s: expected one error with "%s", but got:\n%s\n' "$file" "$expected" "$errors"
    return 1
  fi
}

failed=0
running=0
for file in tests/compile_fail/*.cpp; do
  check "$file" &
  if ((++running == 2)); then
    wait -n || failed=1
    running=1
  fi
done
while ((running-- > 0)); do
  wait -n || failed=1
done
exit "$failed"
