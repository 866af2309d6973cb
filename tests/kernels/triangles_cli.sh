#!/usr/bin/env bash
source "$(dirname "$0")/../support/cli.sh"

common_cases -s 4
refused "a scale of zero" 3 '--scale' "$ours" -s 0
refused "a scale that overflows" 3 '--scale' "$ours" -s 60
refused "more edges than fit in memory" 7 'the graph needs .* GB' "$ours" -s 26
refused "two graphs" 3 'excludes' "$ours" -s 4 --complete 5
refused "an unknown distribution" 3 '--distribution' "$ours" --distribution random
refused "an unknown order" 3 '--order' "$ours" --order name
refused "a shared counter with messages" 2 'counter' "$baseline" --chunk 4
accepted "more units than vertices" 7 'verified +yes' "$ours" -s 1
accepted "a scale without a known answer" 2 'verified +yes' "$ours" -s 5
accepted "a graph without triangles" 4 'triangles +0$' "$ours" --bipartite 20
accepted "a complete graph" 3 'triangles +1140$' "$ours" --complete 20
accepted "a complete graph of one vertex" 3 'triangles +0$' "$ours" --complete 1

exit "$bad"
