#!/usr/bin/env bash
# The command line of terrain and terrain_mpi, and the files that they write; see cli.sh.
#   terrain_cli.sh <mpiexec> <terrain> <source folder> <terrain_mpi>
# shellcheck source-path=SCRIPTDIR/../support
source "$(dirname "$0")/../support/cli.sh"
dem=$3/benchmarks/apps/terrain/data/jacksboro_dem.pgm

printf 'P5 4 3 255\n123456789012' >small.pgm
printf '# not an image' >text.pgm
printf 'P2 1 1 255\n7\n' >plain.pgm
head -c 5000 "$dem" >truncated.pgm
: >empty.pgm
mkdir folder.pgm

refused "negative steps" 3 "'-5'" "$ours" --steps -5
refused "steps that are not a number" 3 "'many'" "$ours" --steps many
refused "an unknown option" 3 '--stepps' "$ours" --stepps 5
refused "a tile of one number" 3 'such as 2,3' "$ours" --tile 2
refused "a tile of zero copies" 3 'such as 2,3' "$ours" --tile 0,3
refused "a tile that overflows" 3 'too many cells' "$ours" --tile 2147483647,2147483647
refused "an unstable time step" 3 'unstable' "$ours" --dt 1e9
refused "a negative time step" 3 "'-1'" "$ours" --dt -1
refused "a cell size of zero" 3 '--cell-size' "$ours" --cell-size 0
refused "a diffusivity that is not finite" 3 '--diffusivity' "$ours" --diffusivity inf
refused "a grid for another number of units" 3 'needs 4 units' "$ours" --units-grid 2,2
refused "a grid finer than the cells" 4 'too fine' "$ours" --input small.pgm --cell-size 1 --units-grid 4,1
refused "a grid that leaves a unit without cells" 3 'too fine' "$ours" --input small.pgm --cell-size 1 --units-grid 1,3
refused "more units than fit any grid" 7 'fewer units' "$ours" --input small.pgm --cell-size 1
refused "a missing input" 3 'No such file' "$ours" --input missing.pgm
refused "a folder as input" 3 'folder.pgm' "$ours" --input folder.pgm
refused "an empty input" 3 'PGM' "$ours" --input empty.pgm
refused "an input that is not a PGM" 3 'P5' "$ours" --input text.pgm
refused "a plain PGM" 3 'P5' "$ours" --input plain.pgm
refused "a truncated input" 3 'truncated' "$ours" --input truncated.pgm
refused "an input without cell size" 3 '--cell-size' "$ours" --input small.pgm
refused "an output in a missing folder" 3 'cannot write' "$ours" --output nowhere/out.pgm
refused "a picture in a missing folder" 3 'cannot write' "$ours" --picture nowhere/out.png
refused "a report in a missing folder" 3 'cannot write' "$ours" --report nowhere/r.json
refused "one unit only, negative steps" 1 "'-5'" "$ours" --steps -5

accepted "help" 3 '--units-grid' "$ours" --help
(($(grep -c -- '--units-grid' out) == 1)) || complain "help: not printed once"
accepted "no steps" 3 'every cell equals' "$ours" --steps 0 --verify
accepted "a terrain as small as the grid" 6 'every cell equals' "$ours" --input small.pgm --cell-size 1 \
  --units-grid 3,2 --verify --steps 30
accepted "a column of units" 5 'grid +5 x 1 ' "$ours" --units-grid 5,1 --verify
accepted "without overlap" 4 'every cell equals' "$ours" --no-overlap --tile 1,2 --verify
for kind in 'with overlap' 'without' 'no exchange'; do
  accepted "steps compared" 2 "^ +$kind +[0-9.e+]+ (us|ms|s) per step, including" "$ours" --steps 5 --verify
done
accepted "a report" 2 'every cell equals' "$ours" --steps 5 --verify --report r.json
for fact in '"units": 2' '"valid": true' '"total_s": [0-9.e-]+' '"steps": 5' '"step_s": [0-9.e-]+' '"overlapped_s": [0-9.e-]+' \
  '"first_s": [0-9.e-]+' '"left_out_s": [0-9.e-]+' '"progress": "'; do
  grep -qE "$fact" r.json || complain "a report: it has no $fact"
done
accepted "a report of one unit" 1 'per step' "$ours" --steps 5 --report one.json
grep -q compared one.json && complain "a report of one unit: it compares exchanges"
accepted "units mapped to the machine" 4 'every cell equals' "$ours" --map --verify --units-grid 2,2
grep -qE 'order +mapped to the machine' out && grep -qE 'hop-bytes +[0-9.e+]+ per step as started, [0-9.e+]+ mapped' out ||
  complain "units mapped to the machine: the order is not printed"
export DART_TOPOLOGY=$folder/network.conf
echo "SwitchName=s0 Nodes=otherhost" >network.conf
refused "a network without this host" 3 'does not list the host' "$ours" --map
echo "SwitchName=s0 Nodes=$(hostname)" >network.conf
accepted "a network of one switch" 3 'order +mapped' "$ours" --map --verify --steps 2
rm network.conf
refused "a missing network file" 3 'network.conf' "$ours" --map
unset DART_TOPOLOGY
accepted "results" 2 'picture +out.png' "$ours" --output out.pgm --picture out.png --tile 1,2 --steps 3
[[ $(head -c 2 out.pgm) == P5 && $(head -c 4 out.png | tail -c 3) == PNG ]] ||
  complain "results: the files are not what they should be"
accepted "a result as the next input" 2 '344 x 806 cells' "$ours" --input out.pgm --steps 1

baseline=$4
refused "the baseline: negative steps" 2 "'-5'" "$baseline" --steps -5
refused "the baseline: a terrain larger than the memory" 2 'more than is available' "$baseline" --tile 4000,4000
refused "the baseline: a missing input" 2 'No such file' "$baseline" --input missing.pgm
refused "the baseline: a picture" 2 '--picture' "$baseline" --picture out.png
refused "the baseline: a grid finer than the cells" 4 'too fine' "$baseline" --input small.pgm --cell-size 1 --units-grid 4,1
refused "the baseline: an unknown exchange" 2 "'pigeons'" "$baseline" --via pigeons
MPIR_CVAR_NOLOCAL=1 refused "the baseline: shared memory between nodes" 2 'one node' "$baseline" --via shared
refused "--via without baseline" 2 "'--via'" "$ours" --via rma
refused "the baseline: a report in a missing folder" 2 'cannot write' "$baseline" --report nowhere/r.json
accepted "the baseline: a report" 2 'every cell equals' "$baseline" --via rma --steps 5 --verify --report t.json
grep -q '"via": "rma"' t.json && grep -q '"overlapped_s"' t.json || complain "the baseline: a report: not what it should be"
accepted "the baseline: steps compared" 2 '^ +with overlap +[0-9.e+]+ (us|ms|s) per step, including' "$baseline" --steps 5 --verify

exit "$bad"
