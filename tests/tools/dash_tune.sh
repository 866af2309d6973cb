#!/usr/bin/env bash
# Tests dash-tune: it writes results for this machine, which programs read; malformed files, errors.
#   dash_tune.sh <dash-tune> <dash-info> <mpiexec>
set -euo pipefail
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/expect.sh"
tune=$1
info=$2
mpiexec=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
file=$folder/new/tuning.conf

# Each run writes the results of its layout.
text=$("$mpiexec" -n 2 "$tune" --quick --output "$file")
defaults='^starting values .*DART_COPY_CHUNK=128K DART_NT_MIN=32M '
has 'one node' "$text" 'MPI.*, 1 node' "$defaults" '^DART_NT_MIN = ' "^written to $file\$"
text=$(DART_NODE_UNITS=1 MPIR_CVAR_NOLOCAL=1 "$mpiexec" -n 2 "$tune" --quick --output "$file")
has 'two nodes' "$text" ', 2 node' '^DART_RMA_FRAGMENT = '
has 'the file' "$(cat "$file")" '^\[.*; .*MPI.*\]$' '^DART_COPY_QUEUE_MIN = ' '^DART_COPY_CHUNK = ' \
  '^DART_NT_MIN = ' '^DART_RMA_BLOCK_MIN = ' '^DART_RMA_FRAGMENT = ' '^DART_COPY_BUFFER = '

before=$(cat "$file")
text=$("$mpiexec" -n 2 "$tune" --quick --dry-run)
has 'a dry run' "$text" '^DART_NT_MIN = '
[[ $(cat "$file") == "$before" ]] || { echo 'a dry run changed the file'; failed=1; }

machine=$(grep '^\[' "$file")
printf '%s\nDART_NT_MIN = 3M\nDART_COPY_CHUNK = 96K\n' "$machine" >"$file"
# A measurement starts from the defaults, not from earlier results or the environment.
text=$(DART_TUNING=$file DART_COPY_CHUNK=80K "$mpiexec" -n 2 "$tune" --quick --dry-run)
has 'again' "$text" "$defaults"
text=$(DART_TUNING=$file DART_COPY_CHUNK=80K "$mpiexec" -n 2 "$info" 2>&1)
has 'a program' "$text" '^DART_NT_MIN +size +32M +3M +tuned ' \
  '^DART_COPY_CHUNK +size +128K +80K +environment ' '^DART_COPY_BUFFER +size +256K +256K +default ' \
  "^Measured values: $file, "
mkdir -p "$folder/dash"
cp "$file" "$folder/dash/tuning.conf"
text=$(XDG_CONFIG_HOME=$folder DART_TUNING='' "$mpiexec" -n 1 "$info" 2>&1)
has "the user's configuration" "$text" '^DART_NT_MIN +size +32M +3M '

printf '[Another machine; MPICH 4.0.2]\nDART_NT_MIN = 3M\n' >"$file"
text=$(DART_TUNING=$file "$mpiexec" -n 2 "$info" 2>&1)
has 'results of another machine' "$text" '^DART_NT_MIN +size +32M +32M ' '^Measured values: .* has no values of '

printf '%s\nDART_NT_MIN = much\n' "$machine" >"$file"
text=$(DART_TUNING=$file "$mpiexec" -n 2 "$info" 2>&1)
has 'an invalid value' "$text" "$file:2: DART_NT_MIN is \"much\", but must be" \
  '^DART_NT_MIN +size +32M +32M '
(($(grep -c 'DART_NT_MIN is' <<<"$text") == 1)) || { echo 'an invalid value: expected one warning'; failed=1; }

if text=$("$mpiexec" -n 1 "$tune" --dry-run 2>&1); then
  echo 'one unit: no error'
  failed=1
fi
has 'one unit' "$text" 'needs two units, but has 1'
refuses 'an unknown argument' 'not expected: --fast' "$tune" --fast
refuses 'a file for a dry run' 'excludes' "$tune" --dry-run --output "$file"
text=$("$mpiexec" -n 2 "$tune" --help)
has '--help' "$text" 'mpiexec -n 2' '--output' '--dry-run' '--quick'
(($(grep -c -e '--quick' <<<"$text") == 1)) || { echo '--help: expected one text'; failed=1; }

exit "$failed"
