#!/usr/bin/env bash
# Builds and installs the library with some options, and builds and runs a program that uses the installed copy.
# With a static library, also builds the commands, and a program with the installed dashc++ and with pkg-config.
#   variant.sh <source folder> <C++ compiler> <mpiexec> <CMake options...>
set -euo pipefail

source_dir=$1 compiler=$2 mpiexec=$3
shift 3
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/step.sh"
tools=OFF
[[ " $* " != *' -DBUILD_SHARED_LIBS=OFF '* ]] || tools=ON

step "configure" cmake -S "$source_dir" -B "$work/library" "-DCMAKE_CXX_COMPILER=$compiler" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_UNITY_BUILD=ON -DDASH_WERROR=ON -DDASH_BUILD_TESTS=OFF -DDASH_BUILD_BENCHMARKS=OFF "-DDASH_BUILD_TOOLS=$tools" "$@"
step "build" cmake --build "$work/library" --parallel 2
step "install" cmake --install "$work/library" --prefix "$work/prefix"
step "program: configure" cmake -S "$source_dir/tests/install" -B "$work/program" \
  "-DCMAKE_PREFIX_PATH=$work/prefix" "-DCMAKE_CXX_COMPILER=$compiler" "$@"
! grep -A 5 'Warning (dev)' "$work/log" || { echo 'the package causes this warning' && exit 1; }
step "program: build" cmake --build "$work/program"
step "program: run" "$mpiexec" -n 2 "$work/program/outside"

[[ $tools == ON ]] || exit 0
info=$work/prefix/bin/dash-info
step "dash-info" "$mpiexec" -n 2 "$info"
! readelf -d "$info" | grep libdash || { echo 'dash-info needs a shared library of DASH' && exit 1; }
sed -n '/^```cpp$/,/^```$/{/^```/d;p}' "$source_dir/README.md" >"$work/readme.cpp"
step "dashc++: build" "$work/prefix/bin/dashc++" -O1 "$work/readme.cpp" -o "$work/by_dashcxx"
step "dashc++: run" "$mpiexec" -n 2 "$work/by_dashcxx"
folder=$(find "$work/prefix" -name dash.pc -printf '%h')
read -ra flags <<<"$(PKG_CONFIG_PATH=$folder pkg-config --static --cflags dash)"
read -ra libraries <<<"$(PKG_CONFIG_PATH=$folder pkg-config --static --libs dash)"

# A project must not link another MPI. The other one is the same library, with a header that looks like that of another.
mkdir "$work/other"
printf '#include_next <mpi.h>\n#ifdef OPEN_MPI\n#undef OPEN_MPI\n#else\n#define OPEN_MPI 1\n#endif\n' >"$work/other/mpi.h"
configure_with=(cmake -S "$source_dir/tests/install" "-DCMAKE_PREFIX_PATH=$work/prefix" "-DCMAKE_CXX_COMPILER=$compiler")
step "program with C: configure" "${configure_with[@]}" -B "$work/c" -DOTHER_LANGUAGES=C
for language in C CXX; do
  folder=$work/program
  [[ $language != C ]] || folder=$work/c
  printf '#!/bin/sh\nexec "%s" "-I%s" "$@"\n' "$(sed -n "s/^MPI_${language}_COMPILER:[A-Z]*=//p" "$folder/CMakeCache.txt")" \
    "$work/other" >"$work/other/$language"
  chmod +x "$work/other/$language"
  echo "-- another MPI for $language"
  if "${configure_with[@]}" -B "$work/other/build-$language" "-DOTHER_LANGUAGES=${language/CXX/}" \
    "-DMPI_${language}_COMPILER=$work/other/$language" >"$work/log" 2>&1 ||
    ! tr -s ' \n' ' ' <"$work/log" | grep -q 'libdash.a was built with the MPI of'; then
    echo 'no error'
    cat "$work/log"
    exit 1
  fi
done

step "pkg-config --static: build" "$compiler" -std=c++20 -O1 "${flags[@]}" "$work/readme.cpp" -o "$work/by_pkg_config" \
  "${libraries[@]}"
step "pkg-config --static: run" "$mpiexec" -n 2 "$work/by_pkg_config"
