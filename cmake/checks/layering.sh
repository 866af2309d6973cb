#!/usr/bin/env bash
# Checks includes between layers. The layer of a file is the folder that contains it, whatever its include path:
#   core <- async <- dart <- dash <- algorithms
#   layering.sh <source folder>
set -euo pipefail
export LC_ALL=C

cd "$1"
layers=(core async dart dash algorithms)
declare -A level owner
for i in "${!layers[@]}"; do
  layer=${layers[$i]}
  level[$layer]=$i
  while IFS= read -r header; do
    path=${header#"$layer"/include/}
    if [[ -n ${owner[$path]:-} ]]; then
      echo "$header: layer ${owner[$path]} has a header with the same include path"
      exit 1
    fi
    owner[$path]=$layer
  done < <(find "$layer/include" -name '*.h' | sort)
done

failed=0
report() {
  echo "$1"
  failed=1
}

# Without dash/compat, whose headers belong to no layer: they only include others.
sources() {
  find "$@" -path dash/compat -prune -o \( -name '*.h' -o -name '*.cpp' -o -name '*.c' \) -print | sort
}

# 1. A file includes only headers of its layer and of lower layers.
while IFS=: read -r file line path; do
  layer=${file%%/*}
  other=${owner[$path]:-}
  if [[ -n $other ]] && ((level[$other] > level[$layer])); then
    report "$file:$line: layer $layer includes <$path>, which belongs to the higher layer $other"
  fi
done < <(sources "${layers[@]}" | xargs grep -nE '^ *# *include *[<"]' |
  sed -E 's/^([^:]*):([0-9]+): *# *include *[<"]([^>"]*)[>"].*/\1:\2:\3/')

# 2. In layers and tools, only dart/src and dash/dart/Mpi.h include mpi.h; only dart/src includes dash/dart/Mpi.h.
while IFS= read -r hit; do
  report "$hit: only dart/src may include mpi.h or dash/dart/Mpi.h"
done < <(sources "${layers[@]}" tools | grep -v -e '^dart/src/' -e '^dart/include/dash/dart/Mpi.h$' |
  xargs grep -nE 'include *[<"](mpi\.h|dash/dart/Mpi\.h)[>"]')

# 3. Public headers include no library except the standard library, without its parallel algorithms.
while IFS= read -r hit; do
  report "$hit: not allowed in a public header"
done < <(find "${layers[@]/%//include}" -name '*.h' | sort |
  xargs grep -nE 'include *[<"](tbb/|oneapi/|hwloc|fmt/|spdlog/|execution[>"])')

# 4. algorithms/ calls no function of the C interface; it uses primitives of dash/.
while IFS= read -r hit; do
  report "$hit: algorithms/ must not call dart_*"
done < <(sources algorithms | xargs -r grep -nE '\bdart_[a-z_0-9]+ *\(')

# 5. Headers of dash/compat contain nothing but includes, and no other header includes them.
while IFS= read -r hit; do
  report "$hit: only includes are allowed in dash/compat"
done < <(find dash/compat/include -name '*.h' | sort |
  xargs grep -nvE '^(#pragma once|#include ".*"|#error ".*"|//.*|)$')
while IFS= read -r header; do
  path=${header#dash/compat/include/}
  if [[ -n ${owner[$path]:-} ]]; then
    report "$header: layer ${owner[$path]} has a header with the same include path"
  fi
  while IFS= read -r hit; do
    report "$hit: includes a header path of DASH 0.4"
  done < <(sources "${layers[@]}" | xargs grep -nF "include \"$path\"")
done < <(find dash/compat/include -name '*.h' | sort)

exit "$failed"
