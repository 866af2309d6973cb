#!/usr/bin/env bash
# Tests the checks: each must report a violation that is planted in a copy of the sources.
#   detects.sh <source folder> <python3>
set -euo pipefail
source=$1 python=$2

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
copy=$folder/sources original=$folder/original
mkdir "$copy"
tar -C "$source" --exclude=./build --exclude=./.git -cf - . | tar -C "$copy" -xf -
failed=0

run() { # <check> <file that contains the violation>
  case $1 in
    language.py) "$python" "$copy/cmake/checks/$1" "$copy" "${2:-.}" ;; # reading all files would take seconds
    *.py) "$python" "$copy/cmake/checks/$1" "$copy" ;;
    *) bash "$copy/cmake/checks/$1" "$copy" ;;
  esac 2>&1
}

# detects <check> <file> <expected message> <sed command that plants the violation>
detects() {
  local check=$1 file=$2 message=$3 command=$4 output code=0
  cp "$copy/$file" "$original"
  sed -i "$command" "$copy/$file"
  if cmp -s "$original" "$copy/$file"; then
    echo "$check: the violation was not planted in $file"
    failed=1
  fi
  output=$(run "$check" "$file") || code=$?
  mv "$original" "$copy/$file"
  if ((code == 77)); then # a tool is missing
    echo "$check: skipped: $output"
    return
  fi
  if ((code == 0)) || [[ $output != *"$message"* ]]; then
    echo "$check: no message '$message' about $file, but code $code and:"
    echo "$output"
    failed=1
  fi
}

detects subsystems.py dash/include/dash/util/Config.h 'dash/util may not include dash/Matrix.h' \
  '0,/^#include/s//#include "dash\/Matrix.h"\n&/'
detects subsystems.py cmake/checks/subsystems.txt 'belongs to no subsystem' '/^  sync: /d'
detects subsystems.py dart/src/base/Types.h 'dart/base may not include' '0,/^#include/s//#include "api\/Runtime.h"\n&/'
detects files.sh tests/dash/team/TeamTest.cpp 'returns silently' '$a if (dash::size() < 2) return;'
detects files.sh CONTRIBUTING.md 'an absolute path' "\$a See /home""/user/file."
detects figures.py docs/reference/performance.md 'figures.py' '0,/-->2\.79</s//-->2.78</'
detects site.py docs/how-to/tune.md 'no-such-anchor' '$a [a link](install.md#no-such-anchor)'

# The words are divided here, so that the checks do not find them in this file.
detects layering.sh dash/src/team/Team.cpp 'dash/src/team/Team.cpp' '0,/^#include/s//#include <mp''i.h>\n&/'
detects language.py docs/how-to/tune.md 'tune.md' "\$a Mean""while, a tw""in benchmark runs."
detects language.py async/src/engine/Waiting.cpp 'Waiting.cpp' "\$a // Who wa""its helps; who""ever polls is to""ld."

exit "$failed"
