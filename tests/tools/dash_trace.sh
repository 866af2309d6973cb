#!/usr/bin/env bash
# dash-trace as a command: a program recorded, summarised and drawn; options; errors.
#   dash_trace.sh <dash-trace> <program> <mpiexec>
set -euo pipefail
. "${BASH_SOURCE[0]%/*}/expect.sh"
trace=$1 program=$2 mpiexec=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

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
refuses 'no file' 'FILE' "$trace"
refuses 'a file that is missing' 'missing.json cannot be read: No such file' "$trace" missing.json
refuses 'a file that is cut' 'short.json is not complete: it ends after [0-9]+ events .*expected.* line [0-9]+,' "$trace" short.json
refuses 'text' 'text.json is not JSON: at line 1' "$trace" text.json
refuses 'other JSON' 'other.json is JSON, but no timeline of DART_TRACE' "$trace" other.json
refuses 'a unit that is not there' 'no unit 7' "$trace" run.json --units 7
refuses 'a list that is none' 'no list of units' "$trace" run.json --units 1-
refuses 'an empty window' '--from 5 has to be less than --to 5' "$trace" run.json --from 5 --to 5
refuses 'a time that is none' 'from' "$trace" run.json --from soon
refuses 'a place that is none' 'nowhere/run.svg cannot be written' "$trace" run.json -o nowhere/run.svg
refuses 'itself as the picture' 'another name' "$trace" run.json -o run.json

exit "$failed"
