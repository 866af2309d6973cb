#!/usr/bin/env bash
# The parts of ./dev bench: bench-runner runs programs and collects their rows, dash-report presents them.
# Options and errors of both.
#   bench.sh <bench-runner> <dash-report> <dash-info>
set -euo pipefail
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/expect.sh"
runner=$1 report=$2 info=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

program() { # name, shell script
  printf '#!/bin/sh\n%s\n' "$2" >"$1"
  chmod +x "$1"
}
row() { # name, met
  printf '{"name": "%s", "size": "8 B", "unit": "ns", "ours": {"text": "1 ns", "samples": [1, 1.5]}, ' "$1"
  printf '"baseline": {"name": "load", "text": "2 ns", "samples": [2, 2], "repeated": []}, '
  printf '"ratio": {"text": "0.5 [0.4, 0.6]", "low": 0.4, "median": 0.5, "high": 0.6}, '
  printf '"noise": "1", "goal": "<= 1", "met": %s}\n' "$2"
}
row put true >good.rows
row '  again' true >>good.rows
printf '{"note": "a note"}\n' >>good.rows
# It sleeps because mpiexec is killed by SIGPIPE if its processes exit before it has closed their input.
program good 'sleep 0.5; [ "${PMI_RANK:-${OMPI_COMM_WORLD_RANK:-0}}" = 0 ] || exit 0
echo "good runs: $* $DART_PROGRESS $DASH_BENCH_SAMPLING"; cat good.rows >>"$DASH_BENCH_ROWS"'
program bad 'printf "{\"name\": \"pu" >>"$DASH_BENCH_ROWS"; echo "the sum is wrong"; exit 3'
printf '%s\n' "$work/good 2 node auto quick" "$work/good 0 node poll full" "$work/bad 0 node auto full" \
  "$work/good 1 node ranks study" >list

has 'the programs' "$("$runner" --list list --programs)" "^$work/bad$" "^$work/good$"
text=$("$runner" --list list --quick --output out/quick.json -- --size 5)
has 'a quick run' "$text" '1 of 1.*good, 2 units, node, progress auto' 'good runs: --size 5  quick$' '0 failed'
has 'its results' "$(cat out/quick.json)" '"sampling": "quick"' '"compiler": ' '"flags": "' '"ucx": ' '"mpi": "(Open )?MPI' '"processor": ' \
  '"name": "put"' '"a note"' '1.5,?$'

has 'the study' "$("$runner" --list list --study --output study.json)" '1 of 1.*good, 1 unit, node, progress ranks' \
  'good runs:  ranks $' '0 failed'

touch tuned
machine=$(DART_TUNING=$work/tuned "$info" | sed -nE 's/^Measured values: .* has no values of (.*)$/\1/p')
printf '[%s]\nDART_NT_MIN = 3M\n' "$machine" >tuned
DART_TUNING=$work/tuned DART_SPIN_US=7 UCX_LOG_LEVEL=error "$runner" --list list --quick --output set.json >/dev/null
settings=$(tr -d ' \n' <set.json)
has 'settings in force' "$settings" '"DART_NT_MIN":\{"value":"3M","source":"tuned"\}' \
  '"DART_SPIN_US":\{"value":"7","source":"environment"\}' '"DART_BIND":\{"value":"auto","source":"default"\}'
"$report" set.json -o set.html >/dev/null
page=$(cat set.html)
has 'settings on the page' "$page" '<td>UCX_LOG_LEVEL</td><td>error</td>' '<td>DART_NT_MIN</td><td>3M \(tuned\)</td>' \
  '<td>DART_SPIN_US</td><td>7 \(environment\)</td>'
if (($(grep -cE 'DART_(SPIN_US|BIND)' <<<"$page") != 1)); then
  echo 'settings on the page: a default value, or a setting twice'
  failed=1
fi
has 'settings in markdown' "$("$report" set.json --markdown)" '^- settings: .*DART_NT_MIN: 3M \(tuned\)'
refuses 'parts with different settings' 'cannot be merged' "$report" out/quick.json set.json
refuses 'an invalid setting' 'DART_SPIN_US is set to "often"' \
  env DART_SPIN_US=often "$runner" --list list --output x

if text=$("$runner" --list list --output all.json); then
  echo 'a program that fails: no error'
  failed=1
fi
has 'all runs' "$text" 'good runs:  poll $' 'failed with code 3: .*bad$' '3 runs in .*, 1 failed'
has 'the output of a failure' "$(cat all.json)" '"code": 3' 'the sum is wrong' \
  '"failed: the last row is incomplete"'
refuses 'a word that no name contains' "contains 'none'; the benchmarks are:" "$runner" --list list --word none --output x
refuses 'a missing list' 'nolist cannot be read' "$runner" --list nolist --output x
printf 'good 2 star auto full\n' >wrong
refuses 'an unknown layout in the list' "wrong: line 1 is 'good 2 star auto full': unknown layout 'star'" \
  "$runner" --list wrong --programs
printf 'good two\n' >wrong
refuses 'a malformed list' 'line 1 .* expected' "$runner" --list wrong --programs

has 'the table' "$("$report" all.json -o page.html)" '^run +benchmark +size' '^.*good, 2 units +put +8 B +1 ns +load' \
  'bad failed with code 3' '^  failed: the last row is incomplete$' '^4 of 4 goals met$'
has 'the page' "$(cat page.html)" '<!DOCTYPE html>' '4 of 4' 'the sum is wrong' 'a note' '</html>'
has 'markdown' "$("$report" all.json --markdown)" '^\*\*|\*\*4 of 4 goals met' '\| put \| 8 B \| load \| 0.5 \|' '\| put: again \| 8 B \|'
printf '# A\n<!-- results: begin -->\n<!-- results: end -->\nmore\n' >doc.md
"$report" all.json --update doc.md >/dev/null
has 'a document' "$(cat doc.md)" '^# A$' '\| put \| 8 B \|' '^more$'

refuses 'no argument' 'FILE' "$report"
refuses 'a missing file' 'missing.json cannot be read: No such file' "$report" missing.json
head -c 900 all.json >short.json
refuses 'a truncated file' 'short.json is not JSON, or not complete' "$report" short.json
printf '{"a": 1}' >other.json
refuses 'other JSON' 'other.json was not written by ./dev bench' "$report" other.json
sed 's/"samples": \[/"samples": [null,/' all.json >null.json
refuses 'a sample that is not a number' \
  'null.json differs from what ./dev bench writes: TypeError' "$report" null.json
grep -v '"layout"' all.json >less.json
refuses 'a run without a layout' 'less.json differs from what ./dev bench writes: KeyError\(.layout.\)' "$report" less.json
refuses 'an output folder that does not exist' 'nowhere/page.html cannot be written' "$report" all.json -o nowhere/page.html
refuses 'a document without markers' 'list: the line <!-- results: begin --> was expected once' \
  "$report" all.json --update list

exit "$failed"
