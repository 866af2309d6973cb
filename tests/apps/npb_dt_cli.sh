#!/usr/bin/env bash
# The command line of npb_dt and npb_dt_mpi; see cli.sh.
#   npb_dt_cli.sh <mpiexec> <program> <baseline>
source "$(dirname "$0")/../support/cli.sh"

common_cases SH --class S
refused "an unknown graph" 3 "'XH'.*BH.*WH.*SH" "$ours" XH
refused "an unknown class" 3 "'Q'.*S, W, A or B" "$ours" SH --class Q
refused "an unknown map" 3 '--map' "$ours" SH --map here
refused "an unknown graph for the baseline" 2 "'XH'" "$baseline" XH
accepted "more units than nodes" 7 'checksum +30892725' "$ours" BH
accepted "a cyclic map" 3 'checksum +67349758' "$ours" WH --map cyclic
accepted "a block map" 2 'checksum +58875767' "$baseline" SH --map block

if has_small_shared_memory; then
  refused "too little shared memory" 2 'shared memory' "$baseline" SH --class A --via rma
  accepted "little shared memory" 2 'checksum +17809491' "$ours" BH --class A
fi
exit "$bad"
