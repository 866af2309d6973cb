#!/usr/bin/env bash
# Checks the format of every C and C++ file, or formats them with --fix. Always uses version 14 of clang-format,
# because other versions give different results for the same configuration.
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
  echo "files that are not formatted, with the number of differences (run ./dev format):"
  grep -E '(warning|error):' <<<"$report" | cut -d: -f1 | uniq -c
  exit 1
fi
