# Sourced by <program>_cli.sh: tests of the command line of a program and of its baselines. An error must
# print one clear sentence on standard error, set the exit code, and leave no unit hanging.
#   <program>_cli.sh <mpiexec> <program> <baseline>
set -uo pipefail
export LC_ALL=C

mpiexec=$1
ours=$2
baseline=$3
timeout_s=${CLI_TIMEOUT_S:-60}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
bad=0
complain() {
  echo "$1"
  sed 's/^/    | /' err
  bad=1
}

# run <units> <program> <options...>: output to the files out and err; sets code.
run() {
  local units=$1
  shift
  timeout -k 5 "$timeout_s" "$mpiexec" -n "$units" "$@" >out 2>err
  code=$?
}

# refused <case> <units> <pattern> <program> <options...>
refused() {
  local case_name=$1 units=$2 pattern=$3 name
  shift 3
  name=$(basename "$1")
  run "$units" "$@"
  if ((code == 124 || code == 137)); then
    complain "$case_name: still running after $timeout_s s"
  elif ((code != 1)); then
    complain "$case_name: exit code $code, not 1"
  elif (($(wc -l <err) != 1)); then
    complain "$case_name: not one line on standard error"
  elif ! grep -qE -- "^$name: .*($pattern)" err; then
    complain "$case_name: the sentence does not match '$pattern'"
  else
    echo "ok: $case_name"
  fi
}

# accepted <case> <units> <pattern in the output> <program> <options...>
accepted() {
  local case_name=$1 units=$2 pattern=$3
  shift 3
  run "$units" "$@"
  if ((code != 0)); then
    complain "$case_name: exit code $code"
  elif ! grep -qE -- "$pattern" out; then
    complain "$case_name: nothing matches '$pattern' in the output"
  else
    echo "ok: $case_name"
  fi
}

# has_small_shared_memory: limits /dev/shm to 24 MiB in later runs; fails unless the caller is root.
has_small_shared_memory() {
  cat >small_mpiexec <<END
#!/bin/sh
exec unshare -m sh -c 'mount -t tmpfs -o size=24m tmpfs /dev/shm && exec "\$@"' sh "$mpiexec" "\$@"
END
  chmod +x small_mpiexec
  ./small_mpiexec -n 1 true 2>/dev/null </dev/null || return 1
  mpiexec=$folder/small_mpiexec
}

# common_cases <options of a quick run...>: cases for all programs with baselines.
common_cases() {
  refused "an unknown option" 3 '--sise' "$ours" --sise 3
  refused "no repetitions" 3 '--repeat' "$ours" --repeat 0
  refused "a report in a folder that does not exist" 3 'cannot write' "$ours" --report nowhere/r.json "$@"
  refused "an unknown exchange" 2 '--via' "$baseline" --via pigeons
  refused "an unknown option of the baseline" 2 '--sise' "$baseline" --sise 3
  MPIR_CVAR_NOLOCAL=1 refused "shared memory between nodes" 2 'one node' "$baseline" --via shared "$@"
  accepted "help" 3 '--repeat' "$ours" --help
  (($(grep -c -- '--repeat' out) == 1)) || complain "help: not printed once"
  accepted "a report" 3 'verified +(yes|in part)' "$ours" --repeat 3 --report r.json "$@"
  (($(grep -c '"total_s"' r.json) == 3)) && grep -q '"via": "dash"' r.json &&
    grep -q '"valid": true' r.json && grep -q '"units": 3' r.json ||
    complain "a report: unexpected content"
  accepted "a report of the baseline" 2 'verified +(yes|in part)' "$baseline" --via rma --report t.json "$@"
  grep -q '"via": "rma"' t.json || complain "a report of the baseline: unexpected content"
}
