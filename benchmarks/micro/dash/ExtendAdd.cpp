// dash-bench: units=2,4 layouts=node,nolocal quick=node,nolocal
//
// Extend-add, a step of multifrontal solvers for sparse systems of equations: the contribution blocks of two children are
// added to the matrix of their parent in the elimination tree. All matrices are distributed block-cyclically in two
// dimensions, those of the children over half of the units each. A child has some rows and columns of its parent, so its
// elements go to elements of any unit. With DASH, the owner adds what it receives: dash::am with the positions and values
// for each unit. Compared with one-sided MPI: MPI_Accumulate with an indexed datatype for each unit.

#include <dash/DistObject.h>
#include <dash/Init.h>
#include <dash/Rpc.h>
#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <span>
#include <stdexcept>
#include <vector>

#include "support/Comparison.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr int block = 32;

/// A square matrix in blocks, which are distributed cyclically over a grid of units.
class Grid {
 public:
  Grid(int size, int first_unit, int num_units) : _size(size), _first_unit(first_unit) {
    while (_rows * _rows * 4 <= num_units)
      _rows *= 2;
    _columns = num_units / _rows;
  }
  int size() const { return _size; }
  int owner(int row, int column) const {
    return _first_unit + row / block % _rows * _columns + column / block % _columns;
  }
  /// Position of an element in the memory of its owner, which stores all rows and columns of its blocks.
  std::size_t position(int row, int column) const {
    const auto local_row = static_cast<std::size_t>(row / block / _rows * block + row % block);
    const auto local_column =
        static_cast<std::size_t>(column / block / _columns * block + column % block);
    return local_row * local_extent(_columns) + local_column;
  }
  std::size_t local_size() const { return local_extent(_rows) * local_extent(_columns); }

 private:
  std::size_t local_extent(int units) const {
    const int blocks = (_size + block - 1) / block;
    return static_cast<std::size_t>((blocks + units - 1) / units * block);
  }

  int _size;
  int _first_unit;
  int _rows = 1;
  int _columns = 1;
};

double element_of_child(int child, int row, int column) {
  return (child + 1) * 1000.0 + row % 13 - column % 7;
}

/// What a unit adds to the parent's matrix at one unit.
struct Contribution {
  std::vector<std::uint32_t> positions;
  std::vector<double> values;
};

/// Two children of one parent.
class Fronts {
 public:
  Fronts(const World& world, int parent_size, int child_size)
      : _unit(world.unit()), _parent(parent_size, 0, world.units()) {
    std::mt19937 random(4711);  // the same on all units
    const int half = std::max(world.units() / 2, 1);
    for (int child = 0; child < 2; ++child) {
      _children.emplace_back(child_size, child * (world.units() - half), half);
      std::vector<int> rows(static_cast<std::size_t>(parent_size));
      std::iota(rows.begin(), rows.end(), 0);
      std::shuffle(rows.begin(), rows.end(), random);
      rows.resize(static_cast<std::size_t>(child_size));
      std::sort(rows.begin(), rows.end());
      _rows.push_back(std::move(rows));
    }
    _contributions.resize(static_cast<std::size_t>(world.units()));
  }

  const Grid& parent() const { return _parent; }

  /// Packs the elements of this unit for each unit.
  std::vector<Contribution>& pack() {
    for (Contribution& each : _contributions) {
      each.positions.clear();
      each.values.clear();
    }
    for_each_element([&](int child, int row, int column, int to_row, int to_column) {
      if (_children[static_cast<std::size_t>(child)].owner(row, column) != _unit) return;
      Contribution& to = _contributions[static_cast<std::size_t>(_parent.owner(to_row, to_column))];
      to.positions.push_back(static_cast<std::uint32_t>(_parent.position(to_row, to_column)));
      to.values.push_back(element_of_child(child, row, column));
    });
    return _contributions;
  }

  /// Throws unless the memory of this unit contains all elements, added `times` times.
  void check(const double* own, int times) const {
    std::vector<double> expected(_parent.local_size());
    for_each_element([&](int child, int row, int column, int to_row, int to_column) {
      if (_parent.owner(to_row, to_column) == _unit)
        expected[_parent.position(to_row, to_column)] +=
            times * element_of_child(child, row, column);
    });
    if (!std::equal(expected.begin(), expected.end(), own))
      throw std::runtime_error("the sum of the matrices is wrong");
  }

 private:
  template <class F>
  void for_each_element(const F& f) const {
    for (int child = 0; child < 2; ++child) {
      const std::vector<int>& rows = _rows[static_cast<std::size_t>(child)];
      const int size = static_cast<int>(rows.size());
      for (int i = 0; i < size; ++i) {
        for (int j = 0; j < size; ++j)
          f(child, i, j, rows[static_cast<std::size_t>(i)], rows[static_cast<std::size_t>(j)]);
      }
    }
  }

  int _unit;
  Grid _parent;
  std::vector<Grid> _children;
  std::vector<std::vector<int>> _rows;  // of the children, in the parent
  std::vector<Contribution> _contributions;
};

using Front = dash::DistObject<std::vector<double>>;

void add(Front& front, std::span<const std::uint32_t> positions, std::span<const double> values) {
  double* const own = front->data();
  for (std::size_t k = 0; k < positions.size(); ++k)
    own[positions[k]] += values[k];
}

void extend_add(Fronts& fronts, Front& front) {
  const std::vector<Contribution>& contributions = fronts.pack();
  const int units = static_cast<int>(contributions.size());
  for (int i = 1; i <= units; ++i) {  // the own part last
    const int unit = (dash::myid() + i) % units;
    const Contribution& part = contributions[static_cast<std::size_t>(unit)];
    if (part.values.empty()) continue;
    dash::am_ff(unit, add, front, std::span<const std::uint32_t>(part.positions),
                std::span<const double>(part.values));
  }
  dash::quiesce();
}

void extend_add(Fronts& fronts, const World& world, MPI_Win window) {
  std::vector<Contribution>& contributions = fronts.pack();
  std::vector<MPI_Datatype> types;
  for (int i = 0; i < world.units(); ++i) {
    const int unit = (world.unit() + 1 + i) % world.units();
    Contribution& part = contributions[static_cast<std::size_t>(unit)];
    if (part.values.empty()) continue;
    const int count = static_cast<int>(part.values.size());
    const std::vector<int> positions(part.positions.begin(), part.positions.end());
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_indexed_block(count, 1, positions.data(), MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    MPI_Accumulate(part.values.data(), count, MPI_DOUBLE, unit, 0, 1, type, MPI_SUM, window);
    types.push_back(type);
  }
  MPI_Win_flush_all(window);
  for (MPI_Datatype& type : types)
    MPI_Type_free(&type);
  MPI_Barrier(MPI_COMM_WORLD);
}

void compare_extend_add(const World& world, Table& table, int parent_size, int child_size) {
  Fronts fronts(world, parent_size, child_size);
  const std::size_t size = fronts.parent().local_size();
  Front front{std::vector<double>(size)};
  MpiWindow window(size * sizeof(double));
  double* memory = nullptr;
  int found = 0;
  MPI_Win_get_attr(window.get(), MPI_WIN_BASE, &memory, &found);
  int times = 0;
  int times_of_mpi = 0;
  const auto timed = [](const std::function<void()>& run) {
    MPI_Barrier(MPI_COMM_WORLD);
    return measure_ns_per_call(1, [&](long) { run(); });
  };
  const Outcome outcome = compare(
      [&] {
        ++times;
        return timed([&] { extend_add(fronts, front); });
      },
      [&] {
        ++times_of_mpi;
        return timed([&] { extend_add(fronts, world, window.get()); });
      });
  fronts.check(front->data(), times);
  fronts.check(memory, times_of_mpi);
  dash::barrier();
  if (!world.is_first_unit()) return;
  table.add(make_row("extend-add of two children",
                     fmt::format("{0} x {0} to {1} x {1}", child_size, parent_size),
                     "MPI_Accumulate, indexed", outcome, ratio_at_most(1.0)));
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, [](const World& world) {
    Table table;
    compare_extend_add(world, table, 200, 150);
    compare_extend_add(world, table, 800, 500);
    if (world.is_first_unit()) table.print();
  });
}
