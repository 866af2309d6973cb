#!/usr/bin/env bash
source "$(dirname "$0")/../support/cli.sh"

common_cases -g 4,4,4
refused "a grid of two extents" 3 '--grid' "$ours" -g 4,4
refused "a grid without points" 3 '--grid' "$ours" -g 4,0,4
refused "a grid that overflows" 3 '2\^40' "$ours" -g 1048576,1048576,1048576
refused "a grid that exceeds the memory" 3 'matrix' "$ours" -g 8192,8192,8192
refused "an unknown kind of fetch" 3 '--fetch' "$ours" --fetch none
refused "blocks of size zero" 3 '--block' "$ours" --block 0
refused "single elements with messages" 2 'lists' "$baseline" --fetch elements
accepted "more units than planes" 7 'verified +yes' "$ours" -g 5,7,3 --split planes
accepted "more units than rows" 7 'verified +yes' "$ours" -g 2,1,2 --fetch lists

if has_small_shared_memory; then
  refused "too little shared memory, the baseline" 2 'shared memory' "$baseline" -g 160,160,160 --via shared
fi
exit "$bad"
