#!/usr/bin/env bash
# Tests the options of the compiler in the command of dashc++. tests/install/run.sh compiles programs with it.
#   dashcxx.sh <dashc++> <sanitizers of the library, with ';' between them>
set -euo pipefail
. "${BASH_SOURCE[0]%/*}/expect.sh"
dashcxx=$1
sanitizers=${2//;/,}

text=$(bash "$dashcxx" --show program.cpp)
has 'the command' "$text" ' -std=c[+][+]20 .*program.cpp .*-ldash'
if [[ -n $sanitizers ]]; then
  has 'sanitizers' "$text" " -fsanitize=$sanitizers .*program.cpp"
else
  has_not 'no sanitizers' "$text" 'fsanitize'
fi

exit "$failed"
