#!/usr/bin/env bash
source "$(dirname "$0")/../support/cli.sh"

common_cases --keys 10 --bins 6 --rounds 2
refused "more keys than counts" 2 '--keys' "$ours" --keys 33
refused "more than fits in memory" 8 '2\^31 keys in 2\^28 bins needs .* GB' "$ours" --keys 31 --bins 28
refused "no bins" 2 '--bins' "$ours" --bins 0
refused "an unknown class" 2 '--class' "$ours" --class Q
refused "a class and its keys" 2 '--class' "$ours" --class S --keys 10
refused "an unknown way" 2 '--by' "$ours" --by post
refused "messages that add" 2 'expected --by gather' "$twin" --by accumulate
accepted "fewer bins than twice the units" 7 'verified +yes' "$ours" --keys 6 --bins 4
accepted "units without bins that add counts" 7 'verified +yes' "$ours" --keys 6 --bins 4 --by accumulate

if has_small_shared_memory; then
  refused "too little shared memory, by MPI alone" 2 'shared memory' "$twin" --class B --via shared
  accepted "shared memory of which there is little" 2 'verified +yes' "$ours" --class A --rounds 1
fi

exit "$bad"
