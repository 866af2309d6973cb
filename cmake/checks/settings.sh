#!/usr/bin/env bash
# Checks that docs/settings.md has every setting of the library with its default, and no other.
#   settings.sh <source folder> <dash-info>
set -euo pipefail
export LC_ALL=C

# Rows of the table are "NAME type default current meaning"; of the page "| `NAME` | `default` | ...".
built=$("$2" | awk '/^DART_/ { print $1, $3 }' | sort)
documented=$(sed -nE 's/^\| `(DART_[A-Z_]+)` \| `([^`]*)` \|.*/\1 \2/p' "$1/docs/settings.md" | sort)
if [[ -z $built || $built != "$documented" ]]; then
  echo "the library's settings and their defaults (<) differ from docs/settings.md (>):"
  diff <(echo "$built") <(echo "$documented") || true
  exit 1
fi
