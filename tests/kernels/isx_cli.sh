#!/usr/bin/env bash
# The command line of isx and isx_mpi; see cli.sh.
#   isx_cli.sh <mpiexec> <program> <baseline>
source "$(dirname "$0")/../support/cli.sh"

common_cases --max-key 65536 -n 1000
refused "an unknown mode" 3 '--mode' "$ours" --mode huge
refused "an unknown class" 3 "'Q'.*S, W or A" "$ours" --mode nas --class Q
refused "no keys" 3 '--keys' "$ours" -n 0
refused "keys that are too large" 3 '--max-key' "$ours" --max-key 4294967296
refused "fewer values than units" 3 'below 2 .* 3 units' "$ours" --max-key 2
refused "more keys than fit in memory" 3 'GB' "$ours" -n 2147483647
refused "more keys than fit in a message" 3 '--keys' "$ours" -n 2147483648
refused "a class with ISx" 2 '--class with --mode weak.*--mode nas' "$ours" --class A
refused "a number of keys with NAS" 2 '--keys with --mode nas' "$baseline" --mode nas -n 5
refused "a bound of keys with fixed buckets" 2 '--max-key with --mode iso' "$ours" --mode iso --max-key 100
accepted "fewer keys than units" 3 'verified +yes' "$ours" --mode strong -n 1 --max-key 100
if has_small_shared_memory; then
  refused "too little shared memory, the baseline" 2 'shared memory' "$baseline" -n 2500000 --max-key 65536 --via shared
  accepted "little shared memory" 2 'verified +yes' "$ours" -n 2500000 --max-key 65536
fi
exit "$bad"
