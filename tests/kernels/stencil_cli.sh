#!/usr/bin/env bash
source "$(dirname "$0")/../support/cli.sh"

common_cases --sweeps 3
refused "more units than rows" 3 '--rows 2 for 3 units' "$ours" --rows 2
refused "more units than rows, the baseline" 3 '--rows 2 for 3 units' "$baseline" --rows 2
refused "no cells" 2 '--cols' "$ours" --cols 0
refused "an unknown method" 2 '--method' "$ours" --method sor
refused "a tolerance that is not a number" 2 '--tolerance nan' "$ours" --tolerance nan
refused "a saddle that is not exact in floats" 2 '--start saddle' "$ours" --start saddle --rows 5000
refused "a negative tolerance" 2 '--tolerance' "$ours" --tolerance -1
refused "a grid that exceeds the memory" 2 'grid of 16777216 x 16777216' "$ours" \
  --rows 16777216 --cols 16777216
accepted "a row for each unit" 4 'verified +yes' "$ours" --rows 4 --cols 1 --sweeps 3

if has_small_shared_memory; then
  refused "too little shared memory, the baseline" 2 'shared memory' "$baseline" --rows 3000 --cols 3000 --via shared
fi
exit "$bad"
