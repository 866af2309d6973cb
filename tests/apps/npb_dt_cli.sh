#!/usr/bin/env bash
# The command line of NPB DT as a person meets it.
#   npb_dt_cli.sh <mpiexec> <program> <twin>
source "$(dirname "$0")/../support/cli.sh"

common_cases SH --class S
refused "an unknown graph" 3 "'XH'.*BH.*WH.*SH" "$ours" XH
refused "an unknown class" 3 "'Q'.*S, W, A or B" "$ours" SH --class Q
refused "an unknown map" 3 '--map' "$ours" SH --map here
refused "an unknown graph for the twin" 2 "'XH'" "$twin" XH
accepted "more units than nodes" 7 'checksum +30892725' "$ours" BH
accepted "a map in turns" 3 'checksum +67349758' "$ours" WH --map cyclic
accepted "a map of blocks" 2 'checksum +58875767' "$twin" SH --map block

if has_small_shared_memory; then
  refused "too little shared memory" 2 'shared memory' "$twin" SH --class A --via rma
  accepted "shared memory of which there is little" 2 'checksum +17809491' "$ours" BH --class A
fi
exit "$bad"
