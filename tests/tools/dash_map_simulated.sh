#!/usr/bin/env bash
# Simulates the problem of the paper with SimGrid: for several sets of nodes, a step in the order of the units takes at
# least 1.4 times as long as in the mapped order.
#   dash_map_simulated.sh <dash-map> <folder of the sample machines>
set -euo pipefail
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/expect.sh"
map=$1 machines=$2

for seed in 1 2 3; do
  if ! text=$("$map" -t "$machines/dragonfly.topology" -g 24x24x16 --sparse 384 --seed "$seed" \
    --simulate 2>&1); then
    has 'without SimGrid' "$text" 'built without SimGrid; install libsimgrid-dev'
    ((failed == 0)) || exit 1
    echo 'dash-map was built without SimGrid'
    exit 77
  fi
  has "seed $seed" "$text" '^simulated step +[0-9.]+ +[0-9.]+ +- +[0-9.]+$'
  if ! awk '/^simulated step/ && $NF >= 1.4 { found = 1 } END { exit !found }' <<<"$text"; then
    printf 'seed %s: less than 1.4 times as long\n%s\n' "$seed" "$text"
    failed=1
  fi
done

exit "$failed"
