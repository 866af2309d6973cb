#!/usr/bin/env bash
# Tests dash-info, without mpiexec and with it in several layouts.
#   dash_info.sh <dash-info> <mpiexec>
set -euo pipefail
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/expect.sh"
info=$1
mpiexec=$2

text=$(env -u PMI_RANK -u PMIX_RANK "$info")
has 'without mpiexec' "$text" '^dash [0-9.]+, .*[0-9], hwloc [0-9.]+, oneTBB [0-9.]+$' '^cores +[1-9]' \
  '^DART_PROGRESS ' '^locked memory +([0-9]+ [KM]iB|unlimited)' '^address space +' '^/dev/shm +[0-9]+ MiB free$' \
  '^huge pages +[a-z_]+; shared memory: [a-z_]+$' '^network variables +(no variable is set$|(UCX|OMPI_MCA)_[A-Za-z_]+=)'
has_not 'without mpiexec' "$text" '^unit '

text=$("$mpiexec" -n 3 "$info")
has 'three units' "$text" '^3 units on 1 host, 1 node; progress: thread$' '3: 0-2$' \
  '^ +2 +0 +0 +[1-9]' '^DART_PROGRESS ' '^registered with the network, of each heap: nothing$'
if (($(grep -c '^dash ' <<<"$text") != 1)); then
  printf 'three units: expected one report, got\n%s\n' "$text"
  failed=1
fi

text=$(DART_NODE_UNITS=1 MPIR_CVAR_NOLOCAL=1 DART_PROGRESS=poll "$mpiexec" -n 2 "$info")
has 'each unit on its own node' "$text" '^2 units on 1 host, 2 nodes; progress: poll$' '^ +1 +0 .* 1: 1$' \
  '^registered with the network, of each heap: whole$'
has 'variables for MPI' "$text" '^network variables .*MPIR_CVAR_NOLOCAL=1'
for variable in UCX_TCP_KEEPIDLE=600s FI_PROVIDER=tcp OMPI_MCA_osc=ucx OMPI_MCA_pml_ucx_tls=any \
  OMPI_MCA_btl_tcp_if_include=eth0 OMPI_MCA_mtl=ofi MPIR_CVAR_CH4_NETMOD=ucx; do
  text=$(env -u PMI_RANK -u PMIX_RANK "$variable" "$info")
  has 'a variable of the network' "$text" "^network variables .*$variable"
done
text=$(ulimit -S -l 64 && env -u PMI_RANK -u PMIX_RANK "$info")
has 'a small limit' "$text" '^locked memory +64 KiB'

# The last unit has the smallest limit.
text=$("$mpiexec" -n 3 sh -c '[ "${PMI_RANK:-$OMPI_COMM_WORLD_RANK}" != 2 ] || ulimit -S -l 3072; exec "$0"' "$info")
has 'the limits of all units' "$text" '^Limits: .* the smallest of all units' '^locked memory +3 MiB'

text=$(DART_NODE_UNITS=2 "$mpiexec" -n 3 "$info")
has 'nodes of two units' "$text" '^3 units on 1 host, 2 nodes;' '2: 0-1$' '1: 2$' '^DART_NODE_UNITS +number +0 +2 +environment '

# Open MPI cannot divide a host, so that the setting does it.
two_nodes=MPIR_CVAR_ODD_EVEN_CLIQUES=1 units=('2: 0,2$' '2: 1,3$')
[[ $(head -n 1 <<<"$text") != *', Open MPI'* ]] || two_nodes=DART_NODE_UNITS=2 units=('2: 0-1$' '2: 2-3$')
text=$(env "$two_nodes" DART_HEAP_REGISTER=slabs "$mpiexec" -n 4 "$info")
has 'two nodes' "$text" '^4 units on 1 host, 2 nodes;' "${units[@]}" \
  '^registered with the network, of each heap: slabs$'

text=$(HWLOC_SYNTHETIC='numa:2 core:4 pu:2' HWLOC_THISSYSTEM=0 "$mpiexec" -n 1 "$info")
has 'a synthetic machine' "$text" ', synthetic: ' '^cores +8$' '^ +0 +0 +0 +8 +0\+1 '

if text=$(DART_SPIN_US=often "$mpiexec" -n 2 "$info" 2>&1); then
  echo 'an invalid setting: no error'
  failed=1
fi
has 'an invalid setting' "$text" 'dash-info: .*DART_SPIN_US'

text=$("$mpiexec" -n 1 "$info" --progress)
has 'progress of one unit' "$text" '^1 unit on 1 host' '^progress thread +[0-9] wake-ups per second, 0.0 % of a processor'
has_not 'progress of one unit' "$text" '^get of'
text=$("$mpiexec" -n 3 "$info" --progress)
has 'progress on one node' "$text" '^progress thread +[0-9] wake-ups per second' '^get of 8 B .* from unit 2, which computes$'
text=$(DART_NODE_UNITS=1 MPIR_CVAR_NOLOCAL=1 "$mpiexec" -n 2 "$info" --progress)
has 'progress between nodes' "$text" '^progress thread +[0-9]+ wake-ups per second, ' \
  '^get of 8 B +median [0-9.]+ us, longest [0-9.]+ us, from unit 1, which computes$' \
  '^get of 1 MiB +[0-9]+ % hidden by a computation of 4 times its duration of [1-9][0-9]* us$'
text=$(DART_NODE_UNITS=1 DART_PROGRESS=ranks "$mpiexec" -n 4 "$info" --progress)
has 'with progress processes' "$text" '^2 units on 1 host, 2 nodes; progress: progress processes$' \
  'while all units compute; progress processes serve other nodes$' '^get of 1 MiB .* % hidden'
text=$(DART_PROGRESS=poll "$mpiexec" -n 2 "$info" --progress)
has 'progress without a thread' "$text" '^progress thread +none: ' '^get of 1 MiB '
text=$(env -u PMI_RANK -u PMIX_RANK "$info" --progress 2>&1) && failed=1
has 'progress without units' "$text" '^dash-info: --progress needs units: dashrun -n 2'

has 'help' "$("$info" --help)" '^usage: dash-info$' '--progress'
if text=$("$info" --verbose 2>&1); then
  echo 'an unknown argument: no error'
  failed=1
fi
has 'an unknown argument' "$text" "dash-info: '--verbose'" '^usage: '

exit "$failed"
