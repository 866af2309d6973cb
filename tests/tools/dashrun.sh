#!/usr/bin/env bash
# Tests dashrun: the commands that it prints, its errors, exit codes, signals, labels and timeouts, and programs that
# are linked with another MPI library.
#   dashrun.sh <dashrun> <dash-info> <C compiler>
set -euo pipefail
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/expect.sh"
dashrun=$1
info=$2
compiler=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# The test simulates a program outside of a job, even if it runs inside of one.
unset "${!SLURM_@}" "${!PMI_@}" "${!PMIX_@}" "${!DART_NODE_UNITS@}" "${!LSB_@}" "${!FLUX_@}" PBS_NODEFILE
mkdir bin
script() { # script <name>: makes an executable script of the standard input
  { echo '#!/bin/bash'; cat; } >"$1"
  chmod +x "$1"
}

wrong() { # wrong <pattern> <arguments...>: dashrun prints one line that matches, and exits with 125
  local pattern=$1
  shift
  code "dashrun $*" 125 "$dashrun" "$@"
  has "dashrun $*" "$text" "^dashrun: .*$pattern"
  (($(wc -l <<<"$text") == 1)) || { printf 'dashrun %s: not one line:\n%s\n' "$*" "$text"; failed=1; }
}

# --- Commands of mpiexec --------------------------------------------------------------------------
dry() { "$dashrun" --dry-run "$@"; }

is_mpich=0
[[ $("$info" | head -1) != *', Open MPI'* ]] && is_mpich=1
# expect <pattern for MPICH> <pattern for Open MPI> <arguments...>
expect() {
  local pattern=$1
  ((is_mpich)) || pattern=$2
  shift 2
  text=$(dry "$@")
  has "dashrun $*" "$text" "$pattern"
}
script program <<<'exit 0'
expect '^/[^ ]*/mpiexec[^ ]* -bind-to none -n 8 ./program$' '^/[^ ]* --map-by slot:OVERSUBSCRIBE --bind-to none .*-n 8 ./program$' \
  -n 8 ./program
PBS_NODEFILE=hosts expect ' -ppn 4 .*-n 8 ' ' --map-by ppr:4:node' -n 8 --units-per-node 4 ./program
expect ' -bind-to core -n 1 ' ' --bind-to core ' -n 1 --threads 1 ./program
expect ' -bind-to numa ' ' --bind-to numa ' -n 2 --bind numa ./program
expect '^env DART_NODE_UNITS=4 /' '^env DART_NODE_UNITS=4 .*-x DART_NODE_UNITS ' -n 7 --nodes 2 ./program
MPIR_CVAR_NOLOCAL=1 expect ' MPIR_CVAR_NOLOCAL=0 /' '' -n 2 --nodes 1 ./program
expect '^env DART_PROGRESS=ranks DART_PROGRESS_RANKS=1 /.* -n 5 ' ' -n 5 ' -n 4 --progress-ranks 1 ./program
expect '^env DART_NODE_UNITS=2 DART_PROGRESS=ranks .* -n 6 ' ' -n 6 ' -n 4 --nodes 2 --progress-ranks 1 ./program
PBS_NODEFILE=hosts expect ' -ppn 6 .*-n 12 ' 'ppr:6:node.* -n 12 ' -n 8 --units-per-node 4 --progress-ranks 2 ./program
expect '^env .*MPIR_CVAR_NOLOCAL=1 UCX_TLS=tcp,self ' ' --mca btl tcp,self ' -n 2 --tcp ./program
expect '^env DART_TRACE=t.json /' '^env DART_TRACE=t.json .*-x DART_TRACE ' -n 2 --trace t.json ./program
expect ' -prepend-rank ' ' --tag-output ' -n 2 --label ./program
expect ' -ppn 1 -hosts a,b -n 2 ' 'ppr:1:node.* -hosts a,b -n 2 ' \
  -n 2 --units-per-node 1 --launcher-arg=-hosts --launcher-arg=a,b ./program
expect ' -verbose -n 2 ' ' -verbose -n 2 ' -n 2 --launcher-arg=-verbose ./program
for hosts in PBS_NODEFILE LSB_DJOB_HOSTFILE FLUX_URI FLUX_JOB_ID; do
  export "$hosts=hosts"
  expect ' -bind-to core:4 ' ':PE=4 --bind-to core ' -n 64 --threads 4 ./program
  unset "$hosts"
done
PBS_NODEFILE=hosts expect ' -bind-to numa -n ' 'slot --bind-to numa ' -n 64 --threads 4 --bind numa ./program
PBS_NODEFILE=hosts expect ' -bind-to none -n ' 'slot:OVER[A-Z]* --bind-to none ' -n 64 --threads 4 --bind none ./program

# Options after the program belong to it. The printed command can be pasted into a shell.
# The programs sleep because mpiexec is killed by SIGPIPE if its processes exit before it has closed their input.
script print <<<'sleep 0.5; printf "<%s>" "$@"; echo'
text=$(dry -n 1 ./print --label 'two words' "it's" '$HOME' '')
has 'quoting' "$text" "./print --label 'two words' 'it'"
text=$(bash -c "$text")
has 'the printed command' "$text" "^<--label><two words><it's><[$]HOME><>\$"
text=$(dry -n 1 -- ./print)
has 'a program after --' "$text" ' ./print$'
text=$(dry -n 1 bash)
has 'a program in PATH' "$text" ' /[^ ]*bash$'

text=$(dry -n 2 --launcher-arg=-x --launcher-arg=OMP_NUM_THREADS ./program)
has 'a variable for other hosts' "$text" ' -x OMP_NUM_THREADS -n 2 '

# --- Commands of srun, in a job of Slurm ----------------------------------------------------------
in_job() { PATH="$folder/bin:$PATH" SLURM_JOB_ID=7 "$@"; }
script bin/srun <<<'exit 0'
text=$(in_job dry -n 8 --units-per-node 4 --threads 2 --label ./program)
mpi=--mpi=pmix
((is_mpich)) && mpi=--mpi=pmi2
has 'srun' "$text" "^srun $mpi --kill-on-bad-exit=1 --ntasks=8 --nodes=2 --ntasks-per-node=4 --cpus-per-task=2 \
--cpu-bind=cores --label ./program\$"
text=$(in_job dry -n 2 ./program)
has 'srun without binding' "$text" ' --cpu-bind=none '
text=$(in_job dry -n 2 --bind numa ./program)
has 'srun for NUMA domains' "$text" ' --cpu-bind=ldoms '
text=$(in_job dry -n 2 --threads 4 --bind none ./program)
has 'srun reserves processors' "$text" ' --cpus-per-task=4 --cpu-bind=none '
text=$(PATH="$folder/bin:$PATH" dry -n 2000 --launcher srun --units-per-node 1000 --threads 4 ./program)
has 'srun creates a job' "$text" ' --nodes=2 --ntasks-per-node=1000 --cpus-per-task=4 '
text=$(SLURM_MPI_TYPE=pmix_v4 in_job dry -n 2 ./program)
has "the user's plugin" "$text" '^srun --kill'
# The last option of srun is effective.
text=$(in_job dry -n 2 --launcher-arg=--mpi=cray_shasta ./program)
has "the user's option" "$text" " --mpi=cray_shasta ./program$"
text=$(in_job dry -n 2 --launcher mpiexec ./program)
has 'mpiexec in a job' "$text" '^/[^ ]* .*-n 2 '
text=$(SLURM_STEP_ID=0 in_job dry -n 2 ./program)
has 'a shell of srun' "$text" '^env SLURM_OVERLAP=1 srun '
text=$(SLURM_STEP_ID=0 in_job dry -n 2 --launcher mpiexec ./program)
has 'mpiexec in a shell of srun' "$text" '^env SLURM_OVERLAP=1 /'
SLURM_JOB_NUM_NODES=2 in_job wrong '--nodes 2 divides the units of one host, but the job of Slurm has 2 nodes' \
  -n 4 --nodes 2 ./program

# --- Errors ---------------------------------------------------------------------------------------
wrong 'the number of units is missing; expected: dashrun -n 4' ./program
wrong "'none' is not a whole number from 1 to" -n none ./program
wrong "'0' is not a whole number from 1 to" -n 0 ./program
wrong "'4x' is not a whole number" -n 2 --units-per-node 4x ./program
wrong 'the program is missing; expected: dashrun -n 3 ./program' -n 3
wrong "'--unit' is not an option of dashrun" --unit 3 ./program
wrong "'--lable' is not an option of dashrun" -n 3 --lable ./program
wrong "--bind: 'socket' is not one of core, none, numa" -n 2 --bind socket ./program
wrong "--launcher: 'ssh' is not one of auto, mpiexec, srun" -n 2 --launcher ssh ./program
wrong '--threads 1000: 2 units with 1000 cores' -n 2 --threads 1000 --bind none ./program
wrong "the program cannot have the argument ':', after which mpiexec and srun expect another" -n 2 ./program a : b
wrong '--units-per-node 2: 5 units need 3 nodes, but mpiexec only knows this host; .* --nodes 3 instead' \
  -n 5 --units-per-node 2 ./program
wrong '--threads 1000: 3 units with 1000 cores each need 3000 cores, but this host has' -n 3 --threads 1000 ./program
wrong '--nodes 3 is more than the 2 units' -n 2 --nodes 3 ./program
wrong '5 units cannot be divided into 4 nodes of equal size.*use --nodes 3' -n 5 --nodes 4 ./program
wrong '--units-per-node and --nodes exclude each other' -n 4 --nodes 2 --units-per-node 2 ./program
wrong '--progress-ranks serve the units of a node, but with --tcp' -n 2 --progress-ranks 1 --tcp ./program
wrong '--progress-ranks 2: each of them serves at least one unit, but a node has 1 units' \
  -n 2 --nodes 2 --progress-ranks 2 ./program
wrong '--nodes excludes --tcp' -n 4 --nodes 2 --tcp ./program
wrong "--trace nowhere/t.json: cannot write to 'nowhere/'; expected a file" -n 2 --trace nowhere/t.json ./program
wrong "--trace bin: cannot write to 'bin'; expected a file" -n 2 --trace bin ./program
wrong '--trace: expected the name of a file' -n 2 --trace '' ./program
touch read_only.json
chmod a-w read_only.json
as_user=() # root may write to all files, except without this capability
((EUID != 0)) || as_user=(setpriv --bounding-set=-dac_override)
code 'a file without write permission' 125 "${as_user[@]}" "$dashrun" -n 2 --trace read_only.json ./program
has 'a file without write permission' "$text" "^dashrun: --trace read_only.json: cannot write to 'read_only.json'"
wrong "'1.5' is not a whole number" -n 2 --timeout 1.5 ./program
wrong "there is no program './missing'" -n 2 ./missing
wrong "there is no program 'program' in the folders of PATH; .* write './program'" -n 2 program
touch data
wrong "'./data' is not executable; use 'chmod [+]x ./data'" -n 2 ./data
code 'no srun' 125 env PATH=/nowhere "$dashrun" -n 2 --launcher srun ./program
has 'no srun' "$text" '^dashrun: --launcher srun: there is no srun in the folders of PATH'
text=$("$dashrun" --help)
has 'help' "$text" 'dashrun -n UNITS \[OPTIONS\] PROGRAM' '--units-per-node' '124 after a timeout'

# --- A program of another MPI ---------------------------------------------------------------------
other=libmpi.so.40
((is_mpich)) || other=libmpich.so.12
echo 'int MPI_Init(void) { return 0; }' >other.c
echo 'int MPI_Init(void); int main(void) { return MPI_Init(); }' >main.c
"$compiler" -shared -fPIC -Wl,-soname,"$other" other.c -o "$other"
"$compiler" main.c "./$other" -Wl,-rpath,"$folder" -o other
wrong "'./other' is linked with $other, but the library is built with .*MPI" -n 2 ./other
rm "$other"
wrong "'./other' is linked with $other" -n 2 ./other

# --- The launcher of another MPI ------------------------------------------------------------------
# Processes that another launcher has started are programs of one unit, which warn. The variables are simulated.
export DART_TUNING=none
warning='started as one of 2 processes \(%s\), but MPI knows 1: was the program started by %s'
script as_task <<'END'
SLURM_TASK_PID=$$ exec "$@"
END
if ((is_mpich)); then
  code 'mpiexec of Open MPI' 0 env OMPI_COMM_WORLD_SIZE=2 "$info"
  # shellcheck disable=SC2059 # the pattern is a format
  has 'mpiexec of Open MPI' "$text" "$(printf "$warning" OMPI_COMM_WORLD_SIZE 'the mpiexec of another MPI')"
else
  code 'mpiexec of MPICH' 0 env PMI_RANK=0 PMI_SIZE=2 "$info"
  # shellcheck disable=SC2059
  has 'mpiexec of MPICH' "$text" "$(printf "$warning" PMI_SIZE 'the mpiexec of another MPI')"
fi
code 'plain srun' 0 env SLURM_STEP_NUM_TASKS=2 ./as_task "$info"
# shellcheck disable=SC2059
has 'plain srun' "$text" "$(printf "$warning" SLURM_STEP_NUM_TASKS 'srun without the --mpi option')"
# One task; a program that a shell of srun starts; a unit of an mpiexec that a task has started; a batch script.
code 'one task' 0 env SLURM_STEP_NUM_TASKS=1 PMIX_RANK=0 ./as_task "$info"
has_not 'one task' "$text" 'started as one of'
code 'a shell in a task' 0 env SLURM_STEP_NUM_TASKS=2 SLURM_TASK_PID=$$ PMIX_RANK=0 "$info"
has_not 'a shell in a task' "$text" 'started as one of'
code 'mpiexec in a task' 0 env SLURM_STEP_NUM_TASKS=2 "$dashrun" -n 1 ./as_task "$info"
has_not 'mpiexec in a task' "$text" 'started as one of'
code 'a batch script' 0 env SLURM_NTASKS=2 PMIX_RANK=0 ./as_task "$info"
has_not 'a batch script' "$text" 'started as one of'

# --- Runs -----------------------------------------------------------------------------------------
text=$("$dashrun" -n 3 "$info")
has 'three units' "$text" '^3 units on 1 host, 1 node;'
text=$("$dashrun" -n 4 --nodes 2 "$info")
has 'simulated nodes' "$text" '^4 units on 1 host, 2 nodes;' ' 2: 0-1$' ' 2: 2-3$'
for variable in MPIR_CVAR_NOLOCAL=1 MPIR_CVAR_ODD_EVEN_CLIQUES=1 MPIR_CVAR_NUM_CLIQUES=3; do
  text=$(env "$variable" "$dashrun" -n 4 --nodes 2 "$info")
  has "--nodes with $variable" "$text" '^4 units on 1 host, 2 nodes;' ' 2: 0-1$' ' 2: 2-3$'
done
text=$(DART_FINALIZE_TIMEOUT_S=2 "$dashrun" -n 2 --tcp "$info" 2>&1)
has 'TCP' "$text" '^2 units on 1 host, 2 nodes;'
text=$("$dashrun" -n 2 --trace run.json "$info")
[[ -s run.json ]] || { echo '--trace: no file'; failed=1; }
script hello <<<'sleep 0.5; echo hello'
text=$("$dashrun" -n 2 --label ./hello)
for unit in 0 1; do
  has '--label' "$text" "^\\[(1,)?$unit\\].* ?hello\$"
done

script exit_code <<<'sleep 0.5; exit "$1"'
code 'exit code' 7 "$dashrun" -n 2 ./exit_code 7
code 'exit code before a timeout' 7 "$dashrun" -n 2 --timeout 60 ./exit_code 7
code 'an ignored SIGCHLD' 7 timeout -s KILL 60 env --ignore-signal=CHLD "$dashrun" -n 2 ./exit_code 7

# All units end after a timeout, including those that ignore SIGTERM.
script sleeper <<'END'
echo $$ >>pids
exec sleep 600
END
script stubborn <<'END'
trap '' TERM INT
echo $$ >>pids
while :; do sleep 0.1; done
END
have_ended() {
  local pid attempt
  for _ in {1..100}; do
    for pid in $(<pids); do
      [[ ! -e /proc/$pid ]] || { sleep 0.1 && continue 2; }
    done
    return
  done
  echo "$1: a unit still runs"
  failed=1
}
for program in sleeper stubborn; do
  : >pids
  code "--timeout, $program" 124 "$dashrun" -n 2 --timeout 5 "./$program"
  has "--timeout, $program" "$text" "^dashrun: './$program' has run for 5 s, the limit of --timeout"
  (($(wc -l <pids) == 2)) || { echo "--timeout, $program: expected two units"; failed=1; }
  have_ended "--timeout, $program"
done

# Signals reach the launcher, which ends the units.
start_sleeper() { # starts dashrun with the options in the background, and waits for its two units
  : >pids
  "$dashrun" -n 2 "$@" ./sleeper >output 2>&1 &
  for _ in {1..100}; do
    (($(wc -l <pids) == 2)) && return
    sleep 0.1
  done
  echo 'no two units have started'
  cat output
  exit 1
}
start_sleeper --timeout 60
kill -TERM "$!"
if wait "$!"; then
  echo "SIGTERM: exit code 0"
  failed=1
fi
have_ended 'SIGTERM'
start_sleeper
kill -KILL "$!"
wait "$!" 2>/dev/null || true
have_ended 'SIGKILL'

exit "$failed"
