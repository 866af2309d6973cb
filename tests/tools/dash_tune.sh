#!/usr/bin/env bash
# dash-tune: what it measures is kept, by machine, and read by programs; files that are not right.
#   dash_tune.sh <dash-tune> <dash-info> <mpiexec>
set -euo pipefail
. "${BASH_SOURCE[0]%/*}/expect.sh"
tune=$1
info=$2
mpiexec=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
file=$folder/new/tuning.conf

# Each run keeps what its layout can measure.
text=$("$mpiexec" -n 2 "$tune" --quick --output "$file")
defaults='^begun with .*DART_COPY_QUANTUM=128K DART_NT_MIN=32M '
has 'one node' "$text" 'MPICH .*, 1 node' "$defaults" '^DART_NT_MIN = ' "^kept in $file\$"
text=$(MPIR_CVAR_NOLOCAL=1 "$mpiexec" -n 2 "$tune" --quick --output "$file")
has 'two nodes' "$text" ', 2 node' '^DART_RMA_PIECE = '
has 'the file' "$(cat "$file")" '^\[.*; MPICH .*\]$' '^DART_COPY_QUEUE_MIN = ' '^DART_COPY_QUANTUM = ' \
  '^DART_NT_MIN = ' '^DART_RMA_RUN_MIN = ' '^DART_RMA_PIECE = ' '^DART_COPY_SLAB = '

before=$(cat "$file")
text=$("$mpiexec" -n 2 "$tune" --quick --dry-run)
has 'a dry run' "$text" '^DART_NT_MIN = '
[[ $(cat "$file") == "$before" ]] || { echo 'a dry run wrote'; failed=1; }

machine=$(grep '^\[' "$file")
printf '%s\nDART_NT_MIN = 3M\nDART_COPY_QUANTUM = 96K\n' "$machine" >"$file"
# What was found before, or is set, is not what the next measurement begins with.
text=$(DART_TUNING=$file DART_COPY_QUANTUM=80K "$mpiexec" -n 2 "$tune" --quick --dry-run)
has 'again' "$text" "$defaults"
text=$(DART_TUNING=$file DART_COPY_QUANTUM=80K "$mpiexec" -n 2 "$info" 2>&1)
has 'a program' "$text" '^DART_NT_MIN +size +32M +3M +tuned ' \
  '^DART_COPY_QUANTUM +size +128K +80K +environment ' '^DART_COPY_SLAB +size +256K +256K +default ' \
  "^Measured values: $file, "
mkdir -p "$folder/dash"
cp "$file" "$folder/dash/tuning.conf"
text=$(XDG_CONFIG_HOME=$folder DART_TUNING='' "$mpiexec" -n 1 "$info" 2>&1)
has "the user's configuration" "$text" '^DART_NT_MIN +size +32M +3M '

printf '[Another machine; MPICH 4.0.2]\nDART_NT_MIN = 3M\n' >"$file"
text=$(DART_TUNING=$file "$mpiexec" -n 2 "$info" 2>&1)
has "another machine's" "$text" '^DART_NT_MIN +size +32M +32M ' '^Measured values: .* has nothing of '

printf '%s\nDART_NT_MIN = much\n' "$machine" >"$file"
text=$(DART_TUNING=$file "$mpiexec" -n 2 "$info" 2>&1)
has 'a wrong value' "$text" "$file:2: DART_NT_MIN is \"much\", but must be" \
  '^DART_NT_MIN +size +32M +32M '
(($(grep -c 'DART_NT_MIN is' <<<"$text") == 1)) || { echo 'a wrong value: not one warning'; failed=1; }

if text=$("$mpiexec" -n 1 "$tune" --dry-run 2>&1); then
  echo 'one unit: no error'
  failed=1
fi
has 'one unit' "$text" 'measures with two units, but has 1'
refuses 'an unknown argument' 'not expected: --fast' "$tune" --fast
refuses 'a file and none' 'excludes' "$tune" --dry-run --output "$file"
text=$("$mpiexec" -n 2 "$tune" --help)
has '--help' "$text" 'mpiexec -n 2' '--output' '--dry-run' '--quick'
(($(grep -c -e '--quick' <<<"$text") == 1)) || { echo '--help: not said once'; failed=1; }

exit "$failed"
