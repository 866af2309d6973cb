#!/usr/bin/env bash
source "$(dirname "$0")/../support/cli.sh"

common_cases --size 8 --block 4
refused "no matrix" 2 '--size' "$ours" --size 0
refused "a number of tasks that overflows" 2 '2\^40' "$ours" --size 4096 --block 1
refused "blocks too large for memory" 2 'blocks of 32768 x 32768 needs .* GB' "$ours" \
  --size 4096 --block 32768
refused "no block" 2 '--block' "$ours" --block 0
refused "an unknown schedule" 2 '--schedule' "$ours" --schedule guided
refused "a chunk with a static schedule" 2 '--chunk 7 with --schedule static' "$ours" --schedule static \
  --chunk 7
refused "an unknown kind of accumulation" 2 '--accumulate' "$ours" --accumulate never
refused "a shared counter with messages" 2 'expected --schedule static' "$baseline" \
  --schedule dynamic
accepted "more units than tasks" 7 'verified +yes' "$ours" --size 2 --block 2
accepted "a block larger than the matrix" 3 'verified +yes' "$ours" --size 3 --block 8

if has_small_shared_memory; then
  refused "too little shared memory, the baseline" 2 'shared memory' "$baseline" --size 1500 --block 300 --via shared
  accepted "little shared memory" 2 'verified +yes' "$ours" --size 8 --block 4
fi

exit "$bad"
