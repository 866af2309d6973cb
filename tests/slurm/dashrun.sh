#!/usr/bin/env bash
# Tests dashrun in jobs of a real Slurm of one node: srun and mpiexec start the units; binding, labels, exit codes, timeout.
#   one_node.sh dashrun.sh <dashrun> <dash-info>
set -euo pipefail
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../tools/expect.sh"
dashrun=$1
info=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
processors=$(nproc)
((processors >= 2)) || {
  echo 'skipped: two processors are needed'
  exit 77
}
export DART_TUNING=none

# job <units> <command...>: a job for this number of units, one processor each
job() {
  local units=$1
  shift
  salloc --quiet --ntasks="$units" "$@"
}

text=$(job 2 "$dashrun" --dry-run -n 2 "$info")
has 'the command' "$text" '^srun --mpi=[a-z0-9_]+ .*--ntasks=2 '
code 'srun' 0 job 2 "$dashrun" -n 2 "$info"
has 'srun' "$text" '^2 units on 1 host, 1 node;' '^host +node-1'
# The step of the shell holds both processors.
code 'a shell of srun' 0 job 2 srun --mpi=none --ntasks=1 --cpus-per-task=2 "$dashrun" -n 2 --timeout 60 "$info"
has 'a shell of srun' "$text" '^2 units on 1 host, 1 node;'
code 'mpiexec in a job' 0 job 2 "$dashrun" --launcher mpiexec -n 2 "$info"
has 'mpiexec in a job' "$text" '^2 units on 1 host, 1 node;'
code 'units per node' 0 job 2 "$dashrun" -n 2 --units-per-node 2 "$info"
has 'units per node' "$text" '^2 units on 1 host, 1 node;'
code 'simulated nodes' 0 job 2 "$dashrun" -n 2 --nodes 2 "$info"
has 'simulated nodes' "$text" '^2 units on 1 host, 2 nodes;'

# Without a connection for MPI, each task of srun is a program of one unit, which warns.
code 'srun without MPI' 0 job 2 srun --mpi=none --ntasks=2 "$info"
has 'srun without MPI' "$text" \
  'started as one of 2 processes \(SLURM_STEP_NUM_TASKS\), but MPI knows 1: was the program started by srun' '^1 unit on 1 host'
# The user's choice has precedence over that of dashrun.
code 'SLURM_MPI_TYPE' 0 job 2 env SLURM_MPI_TYPE=none "$dashrun" -n 2 "$info"
has 'SLURM_MPI_TYPE' "$text" 'started as one of 2 processes \(SLURM_STEP_NUM_TASKS\)'
code '--launcher-arg=--mpi' 0 job 2 "$dashrun" -n 2 --launcher-arg=--mpi=none "$info"
has '--launcher-arg=--mpi' "$text" 'started as one of 2 processes \(SLURM_STEP_NUM_TASKS\)'
code 'one unit in a job of two tasks' 0 job 2 "$dashrun" --launcher mpiexec -n 1 "$info"
has_not 'one unit in a job of two tasks' "$text" 'started as one of'
if [[ $("$info" | head -1) != *', Open MPI'* ]]; then
  # mpiexec of MPICH would wait for the processors of the step in which it runs, if it used srun.
  code 'mpiexec in a task' 0 job 2 srun --mpi=none --ntasks=2 \
    sh -c '"$DASH_TEST_MPIEXEC" -n 1 -launcher fork "$@"; true' sh "$info"
  has 'mpiexec in a task' "$text" '^1 unit on 1 host'
  has_not 'mpiexec in a task' "$text" 'started as one of'
fi
code 'a program in a shell of srun' 0 job 2 srun --mpi=none --ntasks=2 sh -c 'PMIX_RANK=0 "$@"; true' sh "$info"
has 'a program in a shell of srun' "$text" '^1 unit on 1 host'
has_not 'a program in a shell of srun' "$text" 'started as one of'
printf '#!/bin/sh\nPMIX_RANK=0 "%s"\n' "$info" >batch
code 'a batch script' 0 sbatch --quiet --wait --ntasks=2 --output=batch.out ./batch
text=$(<batch.out)
has 'a batch script' "$text" '^1 unit on 1 host'
has_not 'a batch script' "$text" 'started as one of'

# Each unit may use one processor only, so the shares do not overlap.
cat >mask <<'SH'
#!/bin/sh
grep Cpus_allowed_list /proc/self/status
SH
cat >exit_code <<'SH'
#!/bin/sh
exit "$1"
SH
cat >sleeper <<'SH'
#!/bin/sh
trap '' TERM
echo $$ >>pids
while :; do sleep 0.1; done
SH
chmod +x mask exit_code sleeper
code 'binding' 0 job 2 "$dashrun" -n 2 --threads 1 ./mask
(($(sort -u <<<"$text" | wc -l) == 2)) || { printf 'binding: equal processors:\n%s\n' "$text"; failed=1; }
has 'binding' "$text" ':\s+[0-9]+$'
code 'labels' 0 job 2 "$dashrun" -n 2 --label ./mask
has 'labels' "$text" '^0: Cpus' '^1: Cpus'
code 'exit code' 7 job 2 "$dashrun" -n 2 ./exit_code 7

code 'timeout' 124 job 2 "$dashrun" -n 2 --timeout 2 ./sleeper
has 'timeout' "$text" "^dashrun: './sleeper' has run for 2 s"
for pid in $(<pids); do
  for _ in {1..200}; do
    [[ -e /proc/$pid ]] || continue 2
    sleep 0.1
  done
  echo "timeout: a unit still runs"
  failed=1
done
[[ -s pids ]] || { echo 'timeout: no unit has run'; failed=1; }

exit "$failed"
