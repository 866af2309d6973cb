#!/usr/bin/env bash
source "$(dirname "$0")/../support/cli.sh"

common_cases -g 4,4,4
refused "a grid of two extents" 3 '--grid' "$ours" -g 4,4
refused "a grid without points" 3 '--grid' "$ours" -g 4,0,4
refused "a grid beyond counting" 3 '2\^40' "$ours" -g 1048576,1048576,1048576
refused "a grid beyond all memory" 3 'matrix' "$ours" -g 8192,8192,8192
refused "an unknown way to fetch" 3 '--fetch' "$ours" --fetch none
refused "blocks of nothing" 3 '--block' "$ours" --block 0
refused "elements one by one in messages" 2 'lists' "$twin" --fetch elements
accepted "more units than planes" 7 'verified +yes' "$ours" -g 5,7,3 --split planes
accepted "more units than rows" 7 'verified +yes' "$ours" -g 2,1,2 --fetch lists

if has_small_shared_memory; then
  refused "too little shared memory, by MPI alone" 2 'shared memory' "$twin" -g 160,160,160 --via shared
fi
exit "$bad"
