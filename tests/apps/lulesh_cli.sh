#!/usr/bin/env bash
# The command line of lulesh and lulesh_mpi; see cli.sh.
#   lulesh_cli.sh <mpiexec> <lulesh> <lulesh_mpi>
# shellcheck source-path=SCRIPTDIR/../support
source "$(dirname "$0")/../support/cli.sh"

small=(--mesh 5,4,3 -i 5)

common_cases --mesh 5,5,5
refused "an edge of zero" 1 "-s takes .* '0'" "$ours" -s 0
refused "an edge that is not a number" 1 "-s takes .* 'many'" "$ours" -s many
refused "an edge with trailing characters" 8 "-s takes .* '5x'" "$ours" -s 5x
refused "an edge for units that do not form a cube" 3 'there are 3: .*--mesh' "$ours" -s 5
refused "two meshes" 2 '-s and --mesh' "$ours" -s 5 --mesh 5,5,5
refused "a mesh of two numbers" 3 "--mesh takes .* '5,5'" "$ours" --mesh 5,5
refused "a mesh without elements" 3 "--mesh takes .* '5,0,5'" "$ours" --mesh 5,0,5
refused "a mesh that overflows" 3 '--mesh takes' "$ours" --mesh 5,5,2147483648
refused "a mesh with too few elements" 3 'start fewer' "$ours" --mesh 2,2,1
refused "a grid for another number of units" 3 'needs 4 units, but there are 3' "$ours" --mesh 5,5,5 --units-grid 2,2,1
refused "a grid that overflows" 3 'there are 3' "$ours" --mesh 5,5,5 --units-grid 1000000,1000000,1000000
refused "a grid finer than the mesh" 3 'direction z share 2 elements' "$ours" --mesh 5,5,2 --units-grid 1,1,3
refused "a grid without a mesh" 2 '--units-grid needs' "$ours" --units-grid 2,1,1
refused "a mesh too large for a unit" 3 '2\^32' "$ours" --mesh 1000000,1000000,1000000
refused "a mesh too large for memory" 3 'GB' "$ours" --mesh 2000,2000,2000
refused "a mesh too large for memory of the baseline" 2 'GB' "$baseline" --mesh 2000,2000,2000
# A flat mesh that takes two thirds of the memory. For the picture, unit 0 needs as much memory as for its subdomain.
available=$(awk '/^MemAvailable/ { print $2 * 1024 }' /proc/meminfo)
edge=$(awk -v bytes="$available" 'BEGIN { print int(sqrt(bytes / 1050)) }')
refused "a picture too large for memory" 8 'with a picture needs .* GB' "$ours" --mesh "$edge,$edge,1" \
  --units-grid 4,2,1 -i 0 --plot large.png
refused "negative cycles" 3 "-i takes .* '-1'" "$ours" -i-1 --mesh 5,5,5
refused "no materials" 3 "-r takes" "$ours" "${small[@]}" -r 0
refused "materials of negative size" 3 "-b takes" "$ours" "${small[@]}" -b-1
refused "weights of materials that overflow" 2 '-r 100 -b 8' "$ours" "${small[@]}" -r 100 -b 8
refused "weights of materials that overflow, the baseline" 2 '-r 1000 -b 3' "$baseline" "${small[@]}" -r 1000 -b 3
refused "a negative cost" 3 "-c takes" "$ours" "${small[@]}" -c-1
refused "a picture in a missing folder" 3 'cannot write' "$ours" "${small[@]}" --plot nowhere/p.png
refused "no exchange for two units" 2 'one unit' "$baseline" --via none "${small[@]}"

accepted "a cube of units" 8 'verified +yes: the known answer of the reference' "$ours" -s 2
accepted "no cycles" 2 'cycles +0' "$ours" --mesh 4,4,4 -i 0
accepted "one element" 1 'verified +yes: the known answer of the reference' "$ours" -s 1
accepted "no exchange" 1 'verified +yes: the known answer of the reference' "$baseline" -s 5 --via none
accepted "a line per cycle" 3 '^cycle = 5, time = ' "$ours" "${small[@]}" -p
(($(grep -c '^cycle' out) == 5)) || complain "a line per cycle: not five lines"
accepted "a report of an unknown answer" 3 'verified +in part' "$ours" "${small[@]}" --report part.json
grep -q '"valid": false' part.json || complain "a report of an unknown answer: it is marked as valid"
accepted "quiet" 3 'figure of merit' "$ours" "${small[@]}" -q
grep -q 'Sedov' out && complain "quiet: it prints the description"
refused "an element that loses its volume" 3 'volume of an element' "$ours" --mesh 1,1,7
refused "an element that loses its volume, the baseline" 2 'volume of an element' "$baseline" --mesh 40,3,2 --via rma
for mesh in 5,4,3 2,2,3 20,30,3; do
  accepted "a picture of $mesh" 3 'verified +in part' "$ours" --mesh $mesh --plot $mesh.png -i 30
  [[ $(head -c 4 $mesh.png | tail -c 3) == PNG ]] || complain "a picture of $mesh: not a PNG file"
done
[[ -s err ]] && complain "a picture: there is output on standard error"

if has_small_shared_memory; then
  refused "too little shared memory, the baseline" 2 'shared memory' "$baseline" --mesh 120,120,160 -i 1 --via shared
fi

exit "$bad"
