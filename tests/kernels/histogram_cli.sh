#!/usr/bin/env bash
source "$(dirname "$0")/../support/cli.sh"

common_cases --keys 10 --bins 6 --rounds 2
refused "more keys than a count can hold" 2 '--keys' "$ours" --keys 33
refused "more than fits in memory" 8 '2\^31 keys in 2\^28 bins needs .* GB' "$ours" --keys 31 --bins 28
refused "no bins" 2 '--bins' "$ours" --bins 0
refused "an unknown class" 2 '--class' "$ours" --class Q
refused "a class and its keys" 2 '--class' "$ours" --class S --keys 10
refused "an unknown kind of combination" 2 '--by' "$ours" --by post
refused "accumulation with messages" 2 'expected --by gather' "$baseline" --by accumulate
accepted "fewer bins than twice the units" 7 'verified +yes' "$ours" --keys 6 --bins 4
accepted "units without bins that add counts" 7 'verified +yes' "$ours" --keys 6 --bins 4 --by accumulate

if has_small_shared_memory; then
  refused "too little shared memory, the baseline" 2 'shared memory' "$baseline" --class B --via shared
  accepted "little shared memory" 2 'verified +yes' "$ours" --class A --rounds 1
fi

exit "$bad"
