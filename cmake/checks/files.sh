#!/usr/bin/env bash
# Checks the files themselves: none too long, no path of one machine, no test switched off.
#   files.sh <source folder>
set -euo pipefail
export LC_ALL=C
max_lines=500

cd "$1"
bad=0
complain() {
  echo "$1"
  bad=1
}

# What git would track; in an unpacked archive everything but the build folders.
files() {
  if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files --cached --others --exclude-standard
  else
    find . \( -path ./build -o -path ./.git \) -prune -o -type f -print | sed 's|^\./||'
  fi
}
mapfile -t all < <(files | sort -u)
code=()
text=()
for file in "${all[@]}"; do
  [[ -f $file ]] || continue
  case $file in
    *.h | *.hpp | *.cpp | *.c | *.cmake | *.sh | dev) code+=("$file") text+=("$file") ;;
    *.png | *.pgm | *.gz) ;;
    *) text+=("$file") ;;
  esac
done

while read -r lines file; do
  if [[ $file != total ]] && ((lines > max_lines)); then
    complain "$file: $lines lines, more than $max_lines: something wants to be taken apart"
  fi
done < <(wc -l "${code[@]}")

while IFS= read -r hit; do
  complain "$hit: a path of one machine"
done < <(grep -nIE '(^|[^A-Za-z0-9_.])/(work|farm|root|home/[a-z]+)/' "${text[@]}" | grep -v '^cmake/checks/files.sh:')

while IFS= read -r hit; do
  complain "$hit: a test that is switched off"
done < <(grep -nE '\[!hide\]|"\[\.\]|DISABLED_|^ *# *if +0' "${code[@]}" | grep -v '^cmake/checks/files.sh:')

exit "$bad"
