#!/usr/bin/env bash
# Tests the command dash-trace: summaries of a recorded program, options, errors.
#   dash_trace.sh <dash-trace> <program> <mpiexec>
set -euo pipefail
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/expect.sh"
trace=$1 program=$2 mpiexec=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

DART_TRACE=$work/run.json "$mpiexec" -n 3 "$program" >/dev/null
text=$("$trace" run.json)
has 'a recorded program' "$text" '^run.json: 3 units, ' '^unit +time +computing' '^ +2 ' '^ all ' \
  '^The longest waits$' '^To see the timeline, open run.json in https://ui.perfetto.dev or https://www.speedscope.app'

text=$("$trace" run.json --units 1-2 --json)
has 'as JSON' "$text" '^\{$' '"total": \{' '"hidden_share": ' '"unit": 2,?$'
if grep -q '"unit": 0,' <<<"$text"; then
  echo 'a selection of two units contains the third'
  failed=1
fi
has 'operations of each unit' "$("$trace" run.json --per-unit)" '^unit +time +computing'
has '--help' "$("$trace" --help)" '--from' '--to' '--units' '--json'

head -c 700 run.json >short.json
printf 'no JSON' >text.json
printf '{"a": 1}' >other.json
refuses 'no argument' 'FILE' "$trace"
refuses 'a missing file' 'missing.json cannot be read: No such file' "$trace" missing.json
refuses 'a truncated file' 'short.json is not complete: it ends after [0-9]+ events .*expected.* line [0-9]+,' "$trace" short.json
refuses 'text' 'text.json is not JSON: at line 1' "$trace" text.json
refuses 'other JSON' 'other.json is JSON, but not a timeline of DART_TRACE' "$trace" other.json
refuses 'an unknown unit' 'no unit 7' "$trace" run.json --units 7
refuses 'a malformed list of units' 'not a list of units' "$trace" run.json --units 1-
refuses 'an empty window' '--from 5 must be less than --to 5' "$trace" run.json --from 5 --to 5
refuses 'a malformed time' 'from' "$trace" run.json --from soon
refuses 'a picture' 'draws no pictures; open the timeline in https://ui.perfetto.dev' "$trace" run.json -o run.svg

exit "$failed"
