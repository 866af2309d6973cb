#!/usr/bin/env bash
source "$(dirname "$0")/../support/cli.sh"

common_cases --sweeps 3
refused "more units than rows" 3 '--rows 2 for 3 units' "$ours" --rows 2
refused "more units than rows, by MPI alone" 3 '--rows 2 for 3 units' "$twin" --rows 2
refused "no cells" 2 '--cols' "$ours" --cols 0
refused "an unknown method" 2 '--method' "$ours" --method sor
refused "a tolerance that is no number" 2 '--tolerance nan' "$ours" --tolerance nan
refused "a saddle beyond exact floats" 2 '--start saddle' "$ours" --start saddle --rows 5000
refused "a negative tolerance" 2 '--tolerance' "$ours" --tolerance -1
refused "a grid beyond all memory" 2 'grid of 16777216 x 16777216' "$ours" \
  --rows 16777216 --cols 16777216
accepted "a row for each unit" 4 'verified +yes' "$ours" --rows 4 --cols 1 --sweeps 3

if has_small_shared_memory; then
  refused "too little shared memory, by MPI alone" 2 'shared memory' "$twin" --rows 3000 --cols 3000 --via shared
fi
exit "$bad"
