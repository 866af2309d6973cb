#!/usr/bin/env bash
# Tests the command dash-map: formats of topologies, sets of nodes, reports, files, simulation, errors.
#   dash_map.sh <dash-map> <folder of the sample machines>
set -euo pipefail
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/expect.sh"
map=$1 machines=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

dragonfly=$machines/dragonfly.topology
text=$("$map" -t "$dragonfly" -g 24x24x16 --sparse 384 --csv map.csv)
has '9,216 units on 384 nodes' "$text" '384 of 3840 nodes, 9216 units on a grid of 24 x 24 x 16, 1 MB' \
  '^mapped: blocks along a curve, [234] x [234] x [234] to a node' '^MB leaving ' \
  '^core +52608 +52608 +52608 +1.00$' '^node +29568 +17280 +[0-9]+ +1.71$' \
  '^network +[0-9]+ +[0-9]+ +[0-9]+ +1\.[89]'
has 'its mapping as CSV' "$(cat map.csv)" '^x1,x2,x3,unit,node,numa$' '^23,23,15,[0-9]+,nid[0-9]{5},[01]$'
if [[ $(wc -l <map.csv) != 9217 || $(tail -n +2 map.csv | cut -d, -f4 | sort -nu | wc -l) != 9216 ]]; then
  echo 'the CSV file does not contain each unit once'
  failed=1
fi
once=$("$map" -t "$dragonfly" -g 24x24x16 --sparse 384 --json | grep -v '"seconds"')
again=$("$map" -t "$dragonfly" -g 24x24x16 --sparse 384 --json | grep -v '"seconds"')
if [[ $once != "$again" ]]; then
  echo 'two runs with the same arguments differ'
  failed=1
fi
text=$("$map" -t "$dragonfly" -g 100x100x100 -u 264 --periodic all --weights 1,2,1 --json)
has 'a million units' "$text" '"units": 1000000' '"name": "group"' '"bytes": 8000000000000.0'

text=$("$map" -t "$machines/topology.conf" -g 12x8 -u 4 -n 'n[001-016,130-137]' --rank-order ranks)
has "Slurm's topology.conf" "$text" '24 of 144 nodes, 96 units' '^node +200 +152 ' '^switch 2 '
if [[ $(grep -oE '[0-9]+' ranks | sort -n | uniq | wc -l) != 96 ]]; then
  echo 'the ranks are not a permutation of 96'
  failed=1
fi
printf 'nid[00064-00065]  # first\n\nnid00004,nid00005\n' >hosts
text=$("$map" -t "$machines/places.txt" -g 4x4 -u 4 --nodes @hosts --bytes 1e3 --weights 1,0 --json)
has 'places of Cray nodes' "$text" '"nodes": 4' '"name": "chassis"' '"bytes_to_neighbour": 1000.0'
text=$("$map" -t "$machines/torus.topology" -g 32x32 --sparse 32 --periodic 2)
has 'a torus' "$text" '32 of 6144 nodes' '^torus 3 '

if text=$("$map" -t "$dragonfly" -g 12x8x4 -n 'nid[00000-00015]' --simulate 2>&1); then
  has 'a simulated step' "$text" '^simulated step +[0-9.]+ +[0-9.]+ +- +[0-9.]+$'
else
  has 'a simulated step' "$text" 'built without SimGrid; install libsimgrid-dev'
fi
has '--help' "$("$map" --help)" '--topology' '--grid' '--periodic' '--sparse' '--simulate' '--json'

small=(-t "$machines/places.txt" -u 4)
refuses 'no topology' '--topology is required' "$map" -g 4
refuses 'a missing topology' 'nowhere cannot be read: No such file' "$map" -t nowhere -g 4
refuses 'a topology of another format' "places.txt:1: 'NID': expected SwitchName=" "$map" "${small[@]}" -g 8x4 \
  --format slurm
refuses 'an unknown format' 'format' "$map" "${small[@]}" -g 8x4 --format xml
refuses 'a malformed grid' "--grid: '8y4': expected numbers of units" "$map" "${small[@]}" -g 8y4
refuses 'a grid with too many positions' '65536 x 65536 x 4 has more positions than can be mapped' "$map" "${small[@]}" \
  -g 65536x65536x4
refuses 'a grid with more units than cores' '36 units do not fit on 8 nodes, which have space for 32' "$map" "${small[@]}" -g 9x4
refuses 'an unknown number of cores' 'the number of cores of node nid00004 is unknown' "$map" -t "$machines/places.txt" -g 8x4
refuses 'an unknown node' "--nodes 'nid00009': expected a node of" "$map" "${small[@]}" -g 4 -n 'nid00009'
refuses 'a node twice' "--nodes 'c0-0c0s1n0': expected each node once" "$map" "${small[@]}" -g 4 \
  -n nid00004,c0-0c0s1n0
refuses 'a malformed list of nodes' 'expected a list of hosts' "$map" "${small[@]}" -g 4 -n 'nid['
refuses 'a selection of more nodes than the machine has' "--sparse '99': expected at most" "$map" "${small[@]}" -g 4 --sparse 99
refuses 'an unknown dimension' "--periodic '3': expected all, or" "$map" "${small[@]}" -g 8x4 --periodic 3
refuses 'too few weights' "'weights' of a grid has an entry for each of its 2 dimensions or none, not 1" "$map" "${small[@]}" -g 8x4 --weights 1
refuses 'an empty message' "--bytes: '0': expected a number of bytes" "$map" "${small[@]}" -g 8x4 --bytes 0
refuses 'an output folder that does not exist' 'nowhere/map.csv cannot be written' "$map" "${small[@]}" -g 8x4 \
  --csv nowhere/map.csv
refuses 'a picture' 'draws no pictures; --csv FILE' "$map" "${small[@]}" -g 8x4 -o map.svg

exit "$failed"
