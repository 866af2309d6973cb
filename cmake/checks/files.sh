#!/usr/bin/env bash
# Checks all files: none is too long, contains an absolute path of one machine, disables a test, or skips one silently.
#   files.sh <source folder>
set -euo pipefail
export LC_ALL=C
max_lines=500

cd "$1"
failed=0
report() {
  echo "$1"
  failed=1
}

# Lists the files that git tracks or would track; in an unpacked archive all files except build folders.
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
    report "$file: $lines lines, more than $max_lines; divide the file"
  fi
done < <(wc -l "${code[@]}")

while IFS= read -r hit; do
  report "$hit: an absolute path of one machine"
done < <(grep -nIE '(^|[^A-Za-z0-9_.])/(work|farm|root|home/[a-z]+)/' "${text[@]}" | grep -v '^cmake/checks/files.sh:')

while IFS= read -r hit; do
  report "$hit: a disabled test"
done < <(grep -nE '\[!hide\]|"\[\.\]|DISABLED_|^ *# *if +0' "${code[@]}" | grep -v '^cmake/checks/files.sh:')

# A test that cannot run with this number of units or nodes reports that it is skipped (CONTRIBUTING.md, "Tests").
units='((size|units|nodes|hosts)\(\)|[a-z_.]*(units|nodes|hosts)) *([<>]|[!=]=)'
while IFS= read -r hit; do
  report "$hit: a test that returns silently; use DASH_SKIP"
done < <(printf '%s\n' "${code[@]}" | grep '^tests/' |
  xargs grep -nE "^ *if \(.*($units|on_node[a-z_]*\().*\) return;")

exit "$failed"
