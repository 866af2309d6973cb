#!/usr/bin/env bash
# Tests a simulated network that registers memory: it aborts programs that misuse or over-register memory. A failed
# window creation on one unit is an error on all.
#   detects.sh <mpiexec> <network> <misuse program> <program that registers whole heaps> <program that registers memory>
#     [abandon]
set -euo pipefail
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../tools/expect.sh"
mpiexec=$1 network=$2 misuse=$3 whole=$4 failing=$5
export UCX_MEM_EVENTS=no DART_NODE_UNITS=1

# Two processes: Open MPI 4.1 creates no window for one.
has 'no misuse' "$(LD_PRELOAD=$network "$mpiexec" -n 2 "$misuse" 2>&1)" '^no misuse found$'
# detects <misuse> <pattern>: the network reports it. The exit code does not count: mpiexec of MPICH 4.2 sometimes returns 0
# after both processes have aborted.
detects() {
  has "$1" "$(LD_PRELOAD=$network "$mpiexec" -n 2 "$misuse" "$1" 2>&1 || true)" "$2"
}
for function in madvise munmap mmap fallocate ftruncate; do
  detects "$function" "registration: $function of .* overlaps the live window"
done
detects free 'registration: free of .* overlaps the buffer .* of a transfer in flight'
detects 'buffer in flight' 'registration: munmap of .* overlaps the buffer .* of a transfer in flight'

refuses 'a whole heap' 'registration: registered bytes exceed the limit: [0-9]+ \(134217728\)' \
  env DART_HEAP_REGISTER=whole DASH_TEST_REGISTRATION_LIMIT=134217728 LD_PRELOAD="$network" \
  "$mpiexec" -n 2 "$whole"

text=$(DART_HEAP_REGISTER=slabs DASH_TEST_FAILING_WINDOW=1 LD_PRELOAD=$network "$mpiexec" -n 2 "$whole" 2>&1)
has 'a window that MPI cannot create' "$text" 'MPI cannot create a window over .* \(ulimit -l\)' \
  '^registered with the network, of each heap: nothing$'

text=$(DART_HEAP_REGISTER=slabs DASH_TEST_FAILING_WINDOW=2 LD_PRELOAD=$network "$mpiexec" -n 2 "$failing" 2>&1)
has 'memory that one unit cannot register' "$text" '^unit 0: .*MPI_Win_create: failed on unit 1' '^unit 1: .*MPI_Win_create' \
  '^unit 0: registered again$' '^unit 1: registered again$'

text=$(DART_HEAP_REGISTER=slabs DASH_TEST_FAILING_GROUP=1 LD_PRELOAD=$network "$mpiexec" -n 2 "$failing" 2>&1)
has 'a communicator that one unit cannot create' "$text" '^unit 0: .*MPI_Comm_create_group: failed on another unit' \
  '^unit 1: .*MPI_Comm_create_group' '^unit 0: registered again$' '^unit 1: registered again$'

text=$(DART_HEAP_REGISTER=slabs DASH_TEST_FAILING_WINDOW=2 LD_PRELOAD=$network "$mpiexec" -n 2 "$failing" slab 2>&1)
has 'a second slab that MPI cannot register' "$text" 'MPI cannot create a window over .* \(ulimit -l\)' \
  '^unit 0: transfers work$' '^unit 1: transfers work$' '^unit 0: freed pages are kept$'

text=$(DART_HEAP_REGISTER=slabs DASH_TEST_OTHER_BASE=2 LD_PRELOAD=$network "$mpiexec" -n 2 "$failing" slab 2>&1)
has 'a second slab with another base' "$text" 'MPI cannot create a window over .*: it has another base address' \
  '^unit 0: transfers work$' '^unit 1: transfers work$' '^unit 0: freed pages are returned$' \
  '^unit 1: freed pages are returned$'
has_not 'the cause of another base' "$text" 'ulimit -l'

# Open MPI has more communicators than a test can create.
if [[ ! $("$mpiexec" --version 2>&1) =~ Open\ MPI|OpenRTE ]]; then
  text=$(DART_HEAP_REGISTER=slabs LD_PRELOAD=$network "$mpiexec" -n 2 "$failing" exhausted 2>&1)
  has 'a program that has taken all communicators' "$text" \
    'MPI cannot create a window over' 'MPI has no communicators left$' \
    '^unit 0: transfers work$' '^unit 1: transfers work$'
  has_not 'the cause of missing communicators' "$text" 'ulimit -l'
fi

# Takes two minutes.
if [[ ${6:-} == abandon ]]; then
  refuses 'a unit that leaves the others waiting in MPI' 'MPI has failed on this unit, and 30 s later' \
    env DART_HEAP_REGISTER=slabs DASH_TEST_FAILING_WINDOW=2 DASH_TEST_ABANDON=1 LD_PRELOAD="$network" \
    "$mpiexec" -n 2 "$failing"
  refuses 'the same in the creation of a communicator' 'MPI has failed on this unit, and 30 s later' \
    env DART_HEAP_REGISTER=slabs DASH_TEST_FAILING_GROUP=1 DASH_TEST_ABANDON=1 LD_PRELOAD="$network" \
    "$mpiexec" -n 2 "$failing"
  refuses 'the same in the registration of 4 GiB' 'MPI has failed on this unit, and 3[678] s later' \
    env DART_HEAP_REGISTER=whole DART_HEAP_SIZE=4G DASH_TEST_FAILING_WINDOW=1 DASH_TEST_ABANDON=1 \
    LD_PRELOAD="$network" "$mpiexec" -n 2 "$failing"
fi

exit "$failed"
