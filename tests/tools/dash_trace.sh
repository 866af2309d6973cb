#!/usr/bin/env bash
# dash-trace as a command: a program recorded, summarised and drawn; options; errors.
#   dash_trace.sh <dash-trace> <program> <mpiexec>
set -euo pipefail
trace=$1 program=$2 mpiexec=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failed=0

# has <what is being done> <text> <patterns...>
has() {
  local what=$1 text=$2 pattern
  shift 2
  for pattern in "$@"; do
    if ! grep -qE -- "$pattern" <<<"$text"; then
      printf '%s: nothing matches %s in\n%s\n' "$what" "$pattern" "$text"
      failed=1
    fi
  done
}

# refuses <what is being done> <pattern> <arguments...>
refuses() {
  local what=$1 pattern=$2 text
  shift 2
  if text=$("$trace" "$@" 2>&1); then
    printf '%s: no error\n' "$what"
    failed=1
  fi
  has "$what" "$text" "$pattern"
}

DART_TRACE=$work/run.json "$mpiexec" -n 3 "$program" >/dev/null
text=$("$trace" run.json)
has 'a recorded program' "$text" '^run.json: 3 units, ' '^unit +time +computing' '^ +2 ' '^ all ' \
  '^The longest waits$' '^The picture: run.svg$'
has 'its picture' "$(cat run.svg)" '^<svg ' '>unit 2<' '^</svg>$'

text=$("$trace" run.json --units 1-2 --json --output other.svg)
has 'as JSON' "$text" '^\{$' '"total": \{' '"hidden_share": ' '"unit": 2,?$'
if grep -q '"unit": 0,' <<<"$text" || [[ ! -s other.svg ]]; then
  echo 'two units of three: not so'
  failed=1
fi
rm -f run.svg
"$trace" run.json --no-picture --per-unit >/dev/null
if [[ -e run.svg ]]; then
  echo '--no-picture: there is one'
  failed=1
fi
has '--help' "$("$trace" --help)" '--output' '--from' '--to' '--units' '--json'

head -c 700 run.json >short.json
printf 'no JSON' >text.json
printf '{"a": 1}' >other.json
refuses 'no file' 'FILE'
refuses 'a file that is missing' 'missing.json cannot be read: No such file' missing.json
refuses 'a file that is cut' 'short.json is not complete: it ends after [0-9]+ events .*expected.* line [0-9]+,' short.json
refuses 'text' 'text.json is not JSON: at line 1' text.json
refuses 'other JSON' 'other.json is JSON, but no timeline of DART_TRACE' other.json
refuses 'a unit that is not there' 'no unit 7' run.json --units 7
refuses 'a list that is none' 'no list of units' run.json --units 1-
refuses 'an empty window' '--from 5 has to be less than --to 5' run.json --from 5 --to 5
refuses 'a time that is none' 'from' run.json --from soon
refuses 'a place that is none' 'nowhere/run.svg cannot be written' run.json -o nowhere/run.svg
refuses 'itself as the picture' 'another name' run.json -o run.json

exit "$failed"
