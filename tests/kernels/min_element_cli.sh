#!/usr/bin/env bash
source "$(dirname "$0")/../support/cli.sh"

common_cases --elements 8
refused "too few elements" 2 '--elements' "$ours" --elements 3
refused "more elements than fit in memory" 2 '2\^40 integers needs .* GB' "$ours" --elements 40
refused "no calls" 2 '--calls' "$ours" --calls 0
accepted "reading only" 3 'verified +yes' "$ours" --elements 12 --read

exit "$bad"
