#!/usr/bin/env bash
# Checks who includes whom. The room of a file is the folder that owns it, whatever its include path:
#   core <- async <- dart <- dash <- algorithms
#   layering.sh <source folder>
set -euo pipefail
export LC_ALL=C

cd "$1"
rooms=(core async dart dash algorithms)
declare -A level owner
for i in "${!rooms[@]}"; do
  room=${rooms[$i]}
  level[$room]=$i
  while IFS= read -r header; do
    path=${header#"$room"/include/}
    if [[ -n ${owner[$path]:-} ]]; then
      echo "$header: ${owner[$path]} has a header of the same include path"
      exit 1
    fi
    owner[$path]=$room
  done < <(find "$room/include" -name '*.h' | sort)
done

bad=0
complain() {
  echo "$1"
  bad=1
}

sources() { find "$@" \( -name '*.h' -o -name '*.cpp' -o -name '*.c' \) | sort; }

# 1. Includes of our own headers go to the same room or a lower one.
while IFS=: read -r file line path; do
  room=${file%%/*}
  other=${owner[$path]:-}
  if [[ -n $other ]] && ((level[$other] > level[$room])); then
    complain "$file:$line: $room includes <$path>, which belongs to $other"
  fi
done < <(sources "${rooms[@]}" | xargs grep -nE '^ *# *include *[<"]' |
  sed -E 's/^([^:]*):([0-9]+): *# *include *[<"]([^>"]*)[>"].*/\1:\2:\3/')

# 2. mpi.h is seen by dart/src, tests and benchmarks only, and by one header that says so, which no other
# header includes.
while IFS= read -r hit; do
  complain "$hit: mpi.h belongs to dart/src only"
done < <(sources "${rooms[@]}" tools | grep -v -e '^dart/src/' -e '^dart/include/dash/dart/Mpi.h$' |
  xargs grep -nE 'include *[<"](mpi\.h|dash/dart/Mpi\.h)[>"]')

# 3. Public headers need no library but the standard one, and not its parallel algorithms.
while IFS= read -r hit; do
  complain "$hit: not in a public header"
done < <(find "${rooms[@]/%//include}" -name '*.h' | sort |
  xargs grep -nE 'include *[<"](tbb/|oneapi/|hwloc|fmt/|spdlog/|execution[>"])')

# 4. algorithms/ calls no function of the C runtime; dash/ has the primitive or gets it.
while IFS= read -r hit; do
  complain "$hit: algorithms/ does not call dart_*"
done < <(sources algorithms | xargs -r grep -nE '\bdart_[a-z_0-9]+ *\(')

exit "$bad"
