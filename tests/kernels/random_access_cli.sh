#!/usr/bin/env bash
source "$(dirname "$0")/../support/cli.sh"

common_cases -m 8
refused "a table of one word" 3 '-m|--log2-size' "$ours" -m 0
refused "a table that exceeds the memory" 3 '2\^40 words' "$ours" -m 40
refused "a table that exceeds the memory, the baseline" 2 '2\^40 words' "$baseline" -m 40
refused "an unknown variant" 3 '--variant' "$ours" --variant swapped
refused "no updates" 3 '--updates' "$ours" --updates 0
refused "single words with messages" 2 'bucketed' "$baseline" --variant atomic
accepted "more units than words" 7 'verified +yes' "$ours" -m 2
accepted "more units than words, atomic" 7 'verified +yes' "$ours" -m 2 --variant atomic
accepted "fewer updates than units" 7 'verified +yes' "$ours" -m 8 --updates 3

if has_small_shared_memory; then
  refused "too little shared memory, the baseline" 2 'shared memory' "$baseline" -m 23 --variant atomic --via shared
fi
exit "$bad"
