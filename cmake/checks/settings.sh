#!/usr/bin/env bash
# Checks that docs/reference/settings.md lists exactly the settings of the library, with their defaults.
#   settings.sh <source folder> <dash-info>
set -euo pipefail
export LC_ALL=C

# dash-info prints rows "NAME type default current meaning". The page contains rows "| `NAME` | `default` | ...".
# That is why neither may contain blanks in a default.
built=$("$2" | awk '/^DART_/ { print $1, $3 }' | sort)
documented=$(sed -nE 's/^\| `(DART_[A-Z_]+)` \| `([^`]*)` \|.*/\1 \2/p' "$1/docs/reference/settings.md" | sort)
if [[ -z $built || $built != "$documented" ]]; then
  echo "settings and defaults of the library (<) and of docs/reference/settings.md (>) differ:"
  diff <(echo "$built") <(echo "$documented") || true
  exit 1
fi
