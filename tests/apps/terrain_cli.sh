#!/usr/bin/env bash
# The command line of terrain as a person meets it: what is wrong is one clear sentence on standard
# error, the exit code tells it too, and no unit is left hanging. What is right writes its files.
#   terrain_cli.sh <mpiexec> <terrain> <source folder>
set -uo pipefail
export LC_ALL=C

mpiexec=$1
terrain=$2
dem=$3/benchmarks/apps/terrain/data/jacksboro_dem.pgm
patience=${TERRAIN_CLI_TIMEOUT_S:-60}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
bad=0
complain() {
  echo "$1"
  sed 's/^/    | /' err
  bad=1
}

# run <units> <options...>: output to the files out and err; sets code.
run() {
  local units=$1
  shift
  timeout -k 5 "$patience" "$mpiexec" -n "$units" "$terrain" "$@" >out 2>err
  code=$?
}

# refused <what> <units> <pattern> <options...>
refused() {
  local what=$1 units=$2 pattern=$3
  shift 3
  run "$units" "$@"
  local sentences
  sentences=$(grep -c '^terrain: ' err)
  if ((code == 124 || code == 137)); then
    complain "$what: still running after $patience s"
  elif ((code == 0)); then
    complain "$what: exit code 0"
  elif ((sentences != 1)); then
    complain "$what: $sentences sentences on standard error, not one"
  elif ! grep -qE -- "^terrain: .*($pattern)" err; then
    complain "$what: the sentence does not match '$pattern'"
  elif (($(wc -l <err) != 1)); then
    complain "$what: more than the sentence on standard error"
  else
    echo "ok: $what"
  fi
}

# accepted <what> <units> <pattern in the output> <options...>
accepted() {
  local what=$1 units=$2 pattern=$3
  shift 3
  run "$units" "$@"
  if ((code != 0)); then
    complain "$what: exit code $code"
  elif ! grep -qE -- "$pattern" out; then
    complain "$what: nothing matches '$pattern' in the output"
  else
    echo "ok: $what"
  fi
}

printf 'P5 4 3 255\n123456789012' >small.pgm
printf '# nothing of the kind' >text.pgm
printf 'P2 1 1 255\n7\n' >plain.pgm
head -c 5000 "$dem" >truncated.pgm
: >empty.pgm
mkdir folder.pgm

refused "negative steps" 3 "'-5'" --steps -5
refused "steps that are no number" 3 "'many'" --steps many
refused "an unknown option" 3 '--stepps' --stepps 5
refused "a tile of one number" 3 'such as 2,3' --tile 2
refused "a tile of nothing" 3 'such as 2,3' --tile 0,3
refused "a tile beyond counting" 3 'more than can be counted' --tile 2147483647,2147483647
refused "an unstable time step" 3 'unstable' --dt 1e9
refused "a negative time step" 3 "'-1'" --dt -1
refused "a cell size of zero" 3 '--cell-size' --cell-size 0
refused "a diffusivity that is not finite" 3 '--diffusivity' --diffusivity inf
refused "a grid for another number of units" 3 'needs 4 units' --units-grid 2,2
refused "a grid finer than the cells" 4 'too fine' --input small.pgm --cell-size 1 --units-grid 4,1
refused "a grid that leaves a unit without cells" 3 'too fine' --input small.pgm --cell-size 1 --units-grid 1,3
refused "more units than any grid has room for" 7 'fewer units' --input small.pgm --cell-size 1
refused "a missing input" 3 'No such file' --input missing.pgm
refused "a folder as input" 3 'folder.pgm' --input folder.pgm
refused "an empty input" 3 'PGM' --input empty.pgm
refused "an input that is no PGM" 3 'P5' --input text.pgm
refused "a plain PGM" 3 'P5' --input plain.pgm
refused "a truncated input" 3 'truncated' --input truncated.pgm
refused "an input without cell size" 3 '--cell-size' --input small.pgm
refused "an output in a folder that is not there" 3 'cannot write' --output nowhere/out.pgm
refused "a picture in a folder that is not there" 3 'cannot write' --picture nowhere/out.png
refused "one unit only, negative steps" 1 "'-5'" --steps -5

accepted "help" 3 '--units-grid' --help
(($(grep -c -- '--units-grid' out) == 1)) || complain "help: not printed once"
accepted "no steps" 3 'every cell equals' --steps 0 --verify
accepted "a terrain as small as the grid" 6 'every cell equals' --input small.pgm --cell-size 1 \
  --units-grid 3,2 --verify --steps 30
accepted "a column of units" 5 'grid +5 x 1 ' --units-grid 5,1 --verify
accepted "without overlap" 4 'every cell equals' --no-overlap --tile 1,2 --verify
accepted "units mapped to the machine" 4 'every cell equals' --map --verify --units-grid 2,2
grep -qE 'order +mapped to the machine' out && grep -qE 'hop-bytes +[0-9.e+]+ a step as started, [0-9.e+]+ mapped' out ||
  complain "units mapped to the machine: the order is not told"
export DART_TOPOLOGY=$folder/network.conf
echo "SwitchName=s0 Nodes=nobody" >network.conf
refused "a network without this host" 3 'does not know the host' --map
echo "SwitchName=s0 Nodes=$(hostname)" >network.conf
accepted "a network of one switch" 3 'order +mapped' --map --verify --steps 2
rm network.conf
refused "a network that is in no file" 3 'network.conf' --map
unset DART_TOPOLOGY
accepted "results" 2 'picture +out.png' --output out.pgm --picture out.png --tile 1,2 --steps 3
[[ $(head -c 2 out.pgm) == P5 && $(head -c 4 out.png | tail -c 3) == PNG ]] ||
  complain "results: the files are not what they should be"
accepted "a result as the next input" 2 '344 x 806 cells' --input out.pgm --steps 1

exit "$bad"
