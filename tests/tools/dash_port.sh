#!/usr/bin/env bash
# Tests which lines of programs for DASH 0.4 dash-port reports.
#   dash_port.sh <dash-port>
set -euo pipefail
. "${BASH_SOURCE[0]%/*}/expect.sh"
dash_port=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Each line of these files is found, in the class that is the name of the file.
mkdir "$work/old"
cat >"$work/old/missing.cpp" <<'END'
#include <dash/io/HDF5.h>
#include <dash/dart/if/dart_io.h>
namespace dio = dash::io::hdf5;
StoreHDF::write(a, "f", "d");
dash::ListRef<int> list;
dash::util::Timestamp stamp;
matrix.hview<1>();
dash::LoadBalancePattern<1, MyMeasure> pattern(sizes);
auto same = dash::global(dash::local(array));
using Local = dash::IteratorRange<It, It>::local_type;
auto text = "http://x"; dash::io::hdf5::open(text);
END
cat >"$work/old/differs.cpp" <<'END'
team.num_siblings();
sizespec.resize(3, 4);
dash::ShiftTilePattern<2> shifted(8, 8, dash::TILE(2), dash::TILE(2));
pattern.local_capacity();
auto teamspec = dash::make_team_spec<P, M, L>(sizes);
dash::Coarray<int> parts(sub_team);
dash::UnorderedMap<int, int> map(10);
halo.halo_element_at_global({{0, 1}});
dash::CSRPattern<1, dash::ROW_MAJOR, unsigned> csr(sizes);
dart_gptr_setflags(&pointer, 1);
use(my_gptr.flags);
dart_group_split(group, 2, &nout, parts);
setenv("DASH_INIT_BREAKPOINT", "1", 1);
END
cat >"$work/old/old.cpp" <<'END'
array.flush_all();
dash::accumulate(a.begin(), a.end(), 0);
dash::internal::copy_impl(first, last, out, &handles);
dart_team_memalloc_aligned_full(DART_TEAM_ALL, 10, DART_TYPE_INT, &gptr);
dash::halo::StencilOperator<double, dash::Pattern<3>, M::GlobMem_t, Spec> op;
END
cat >"$work/old/CMakeLists.txt" <<'END'
find_package(DASH-MPI REQUIRED)
set(CMAKE_CXX_STANDARD 17)
END
cat >"$work/old/Makefile" <<'END'
CXX = dash-mpicxx
LIBS = -ldash-mpi
FLAGS = -std=c++17
URL = http://x -ldart-mpi
# -ldash-mpi
END
code 'a program with everything' 1 "$dash_port" "$work/old"
for file in missing differs old; do
  lines=$(wc -l <"$work/old/$file.cpp")
  for ((line = 1; line <= lines; ++line)); do
    has "line $line of $file.cpp" "$text" "/$file[.]cpp:$line: $file: "
  done
  has "number of $file" "$text" "^dash-port: $lines x $file\$"
done
has 'build scripts' "$text" '/CMakeLists.txt:1: build: ' '/CMakeLists.txt:2: build: ' \
  '/Makefile:1: build: ' '/Makefile:2: build: ' '/Makefile:3: build: ' '/Makefile:4: build: ' '^dash-port: 6 x build$'

cat >"$work/new.cpp" <<'END'
// dash::io and num_siblings() in a comment
/* dash::io */ int x; // dash::io
/**
 * dash::io
 */
dash::Array<int> a(10, static_cast<std::size_t>(3));
dash::Array<std::size_t> sizes(10);
std::vector<int> v; v.resize(3);
dash::halo::StencilOperator<Block, Spec> op;
END
code 'a program without differences' 0 "$dash_port" "$work/new.cpp"
has 'a program without differences' "$text" '^dash-port: nothing found$'
mkdir "$work/a:b"
cp "$work/old/old.cpp" "$work/a:b/old.cpp"
code 'a colon in a path' 1 "$dash_port" "$work/a:b"
has 'a colon in a path' "$text" 'a:b/old.cpp:1: old: ' '^dash-port: 5 x old$'
code 'no argument' 2 "$dash_port"
code 'a missing file' 2 "$dash_port" "$work/none.cpp"
has 'a missing file' "$text" "none.cpp' does not exist; pass files or folders"
code 'help' 0 "$dash_port" --help

exit "$failed"
