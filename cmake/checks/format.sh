#!/usr/bin/env bash
# Checks, or with --fix mends, the format of every C and C++ file. Versions of clang-format differ in
# what they make of one configuration, so it is always version 14.
#   format.sh <source folder> [--fix]
set -euo pipefail

cd "$1"
tool=
for name in clang-format-14 clang-format; do
  if command -v "$name" >/dev/null && "$name" --version | grep -q 'version 14\.'; then
    tool=$name
    break
  fi
done
if [[ -z $tool ]]; then
  echo "skipped: clang-format 14 is not installed (apt-get install clang-format-14)"
  exit 77
fi

mapfile -t files < <(find core async dart dash algorithms tests tools benchmarks docs \
  \( -name '*.h' -o -name '*.cpp' -o -name '*.c' \) | sort)
if [[ ${2:-} == --fix ]]; then
  "$tool" -i "${files[@]}"
elif ! report=$("$tool" --dry-run --Werror "${files[@]}" 2>&1); then
  echo "not formatted (places, file); ./dev format mends them:"
  grep -E '(warning|error):' <<<"$report" | cut -d: -f1 | uniq -c
  exit 1
fi
