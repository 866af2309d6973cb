#!/usr/bin/env bash
# Checks what a compiler says to wrong programs: each of tests/compile_fail must give exactly one error,
# with the text of its first line, and compile if DASH_CORRECT is defined.
#   compile_fail.sh <source folder> <compiler> [flags...]
set -euo pipefail
export LC_ALL=C

cd "$1"
shift
compiler=("$@" -std=c++20)
for room in core async dart dash algorithms; do
  compiler+=("-I$room/include")
done

# What most of the time would go to, once: all headers, before each program.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo '#include "libdash.h"' >"$folder/all.h"
"${compiler[@]}" -x c++-header "$folder/all.h" -o "$folder/all.h.gch"
compiler+=(-fsyntax-only -include "$folder/all.h" -x c++)

check() {
  local file=$1 expected errors
  expected=$(sed -n '1s|^// expect: ||p' "$file")
  if [[ -z $expected ]]; then
    echo "$file: its first line does not say what to expect"
    return 1
  fi
  if ! errors=$("${compiler[@]}" -DDASH_CORRECT "$file" 2>&1); then
    printf '%s: the correct program does not compile:\n%s\n' "$file" "$errors"
    return 1
  fi
  if errors=$("${compiler[@]}" "$file" 2>&1); then
    echo "$file: compiles; expected \"$expected\""
    return 1
  fi
  errors=$(grep -E ' (fatal )?error: ' <<<"$errors" || true)
  if [[ $(wc -l <<<"$errors") -ne 1 || $errors != *"$expected"* ]]; then
    printf '%s: expected one error with "%s", but got:\n%s\n' "$file" "$expected" "$errors"
    return 1
  fi
}

bad=0
waiting=0
for file in tests/compile_fail/*.cpp; do
  check "$file" &
  if ((++waiting == 2)); then
    wait -n || bad=1
    waiting=1
  fi
done
while ((waiting-- > 0)); do
  wait -n || bad=1
done
exit "$bad"
