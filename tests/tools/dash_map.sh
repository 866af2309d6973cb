#!/usr/bin/env bash
# dash-map as a command: formats, allocations, reports, pictures, simulation, errors.
#   dash_map.sh <dash-map> <folder of the sample machines>
set -euo pipefail
. "${BASH_SOURCE[0]%/*}/expect.sh"
map=$1 machines=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

dragonfly=$machines/dragonfly.topology
text=$("$map" -t "$dragonfly" -g 24x24x16 --sparse 384 -o map.svg)
has '9,216 units on 384 nodes' "$text" '384 of 3840 nodes, 9216 units on a grid of 24 x 24 x 16, 1 MB' \
  '^mapped: blocks along a curve, [234] x [234] x [234] to a node' '^MB that leave a ' \
  '^core +52608 +52608 +52608 +1.00$' '^node +29568 +17280 +[0-9]+ +1.71$' \
  '^network +[0-9]+ +[0-9]+ +[0-9]+ +1\.[89]' '^The picture: map.svg$'
has 'its picture' "$(cat map.svg)" '^<svg ' '>23, \*, \*<' '<title>nid0' '^</svg>$'
once=$("$map" -t "$dragonfly" -g 24x24x16 --sparse 384 --json | grep -v '"seconds"')
again=$("$map" -t "$dragonfly" -g 24x24x16 --sparse 384 --json | grep -v '"seconds"')
if [[ $once != "$again" ]]; then
  echo 'twice the same question: two answers'
  failed=1
fi
text=$("$map" -t "$dragonfly" -g 100x100x100 -u 264 --periodic all --weights 1,2,1 --json)
has 'a million units' "$text" '"units": 1000000' '"name": "group"' '"bytes": 8000000000000.0'

text=$("$map" -t "$machines/topology.conf" -g 12x8 -u 4 -n 'n[001-016,130-137]' --rank-order ranks \
  --draw default -o slurm.svg)
has "Slurm's topology.conf" "$text" '24 of 144 nodes, 96 units' '^node +200 +152 ' '^switch 2 '
if [[ $(grep -oE '[0-9]+' ranks | sort -n | uniq | wc -l) != 96 ]]; then
  echo 'the ranks are no permutation of 96'
  failed=1
fi
has 'the default order as a picture' "$(cat slurm.svg)" 'order of the units'
printf 'nid[00064-00065]  # first\n\nnid00004,nid00005\n' >hosts
text=$("$map" -t "$machines/places.txt" -g 4x4 -u 4 --nodes @hosts --bytes 1e3 --weights 1,0 --json)
has 'places of Cray nodes' "$text" '"nodes": 4' '"name": "chassis"' '"bytes_to_neighbour": 1000.0'
text=$("$map" -t "$machines/torus.topology" -g 32x32 --sparse 32 --periodic 2)
has 'a torus' "$text" '32 of 6144 nodes' '^torus 3 '

if text=$("$map" -t "$dragonfly" -g 12x8x4 -n 'nid[00000-00015]' --simulate 2>&1); then
  has 'a simulated step' "$text" '^a step, simulated +[0-9.]+ +[0-9.]+ +- +[0-9.]+$'
else
  has 'a simulated step' "$text" 'built without SimGrid; install libsimgrid-dev'
fi
has '--help' "$("$map" --help)" '--topology' '--grid' '--periodic' '--sparse' '--simulate' '--json'

small=(-t "$machines/places.txt" -u 4)
refuses 'no topology' '--topology is required' "$map" -g 4
refuses 'a topology that is missing' 'nowhere cannot be read: No such file' "$map" -t nowhere -g 4
refuses 'a topology of another format' "places.txt:1: 'NID': expected SwitchName=" "$map" "${small[@]}" -g 8x4 \
  --format slurm
refuses 'a format that is none' 'format' "$map" "${small[@]}" -g 8x4 --format xml
refuses 'a grid that is none' "--grid '8y4': expected extents" "$map" "${small[@]}" -g 8y4
refuses 'a grid beyond all numbers' '65536 x 65536 x 4 has more positions than can be mapped' "$map" "${small[@]}" \
  -g 65536x65536x4
refuses 'too large a grid' '36 units do not fit into 8 nodes, which take 32' "$map" "${small[@]}" -g 9x4
refuses 'cores that nobody knows' 'how many cores node nid00004 has' "$map" -t "$machines/places.txt" -g 8x4
refuses 'a node that is not there' "--nodes 'nid00009': expected a node of" "$map" "${small[@]}" -g 4 -n 'nid00009'
refuses 'a node twice' "--nodes 'c0-0c0s1n0': expected each node once" "$map" "${small[@]}" -g 4 \
  -n nid00004,c0-0c0s1n0
refuses 'a list that is none' 'expected a list of hosts' "$map" "${small[@]}" -g 4 -n 'nid['
refuses 'more nodes than there are' "--sparse '99': expected at most" "$map" "${small[@]}" -g 4 --sparse 99
refuses 'a dimension that is not there' "--periodic '3': expected all, or" "$map" "${small[@]}" -g 8x4 --periodic 3
refuses 'too few weights' "--weights '1': expected 2 numbers" "$map" "${small[@]}" -g 8x4 --weights 1
refuses 'no bytes' "--bytes '0': expected" "$map" "${small[@]}" -g 8x4 --bytes 0
refuses 'a place that is none' 'nowhere/map.svg cannot be written' "$map" "${small[@]}" -g 8x4 -o nowhere/map.svg

exit "$failed"
