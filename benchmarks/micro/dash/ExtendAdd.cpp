// dash-bench: units=2,4 layouts=node,nolocal quick=node,nolocal
//
// Extend-add, a step of multifrontal solvers for sparse systems of equations: the contribution blocks of two children are
// added to the matrix of their parent in the elimination tree. All matrices are distributed block-cyclically in two
// dimensions, those of the children over half of the units each. A child has some rows and columns of its parent, so its
// elements go to elements of any unit. With DASH, the owner adds what it receives: dash::am with the positions and values
// for each unit. Compared with messages of the positions and of the values.

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

#include "micro/dash/BulkExchange.h"
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
  }

  const Grid& parent() const { return _parent; }

  /// Calls add(unit, position, value) for the elements of this unit.
  template <class Add>
  void pack(const Add& add) const {
    for_each_element([&](int child, int row, int column, int to_row, int to_column) {
      if (_children[static_cast<std::size_t>(child)].owner(row, column) != _unit) return;
      add(static_cast<std::size_t>(_parent.owner(to_row, to_column)),
          static_cast<std::uint32_t>(_parent.position(to_row, to_column)),
          element_of_child(child, row, column));
    });
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
};

using Front = dash::DistObject<std::vector<double>>;

void add_elements(double* own, std::span<const std::uint32_t> positions,
                  std::span<const double> values) {
  for (std::size_t k = 0; k < positions.size(); ++k)
    own[positions[k]] += values[k];
}

/// By calls at the owners.
class ExtendAddByCalls {
 public:
  explicit ExtendAddByCalls(const World& world) : _units(static_cast<std::size_t>(world.units())) {}

  void run(const Fronts& fronts, Front& front) {
    _positions.assign(_units, {});
    _values.assign(_units, {});
    fronts.pack([&](std::size_t unit, std::uint32_t position, double value) {
      _positions[unit].push_back(position);
      _values[unit].push_back(value);
    });
    const auto me = static_cast<std::size_t>(dash::myid().id);
    for (std::size_t i = 1; i <= _units; ++i) {  // the own part last
      const std::size_t unit = (me + i) % _units;
      dash::am_ff(static_cast<int>(unit), add, front,
                  std::span<const std::uint32_t>(_positions[unit]),
                  std::span<const double>(_values[unit]));
    }
    dash::quiesce();
  }

 private:
  static void add(Front& front, std::span<const std::uint32_t> positions,
                  std::span<const double> values) {
    add_elements(front->data(), positions, values);
  }

  std::size_t _units;
  std::vector<std::vector<std::uint32_t>> _positions;
  std::vector<std::vector<double>> _values;
};

/// By messages.
class ExtendAddByMessages {
 public:
  ExtendAddByMessages(const World& world, std::size_t max_elements)
      : _positions(world, max_elements), _values(world, max_elements) {}

  void run(const Fronts& fronts, double* own) {
    _positions.clear();
    _values.clear();
    fronts.pack([&](std::size_t unit, std::uint32_t position, double value) {
      _positions.to(unit).push_back(position);
      _values.to(unit).push_back(value);
    });
    _positions.exchange([](std::size_t) {});
    _values.exchange(
        [&](std::size_t unit) { add_elements(own, _positions.from(unit), _values.from(unit)); });
    MPI_Barrier(MPI_COMM_WORLD);
  }

 private:
  BulkExchange<std::uint32_t> _positions;
  BulkExchange<double> _values;
};

void compare_extend_add(const World& world, Table& table, int parent_size, int child_size) {
  const Fronts fronts(world, parent_size, child_size);
  const std::size_t size = fronts.parent().local_size();
  Front front{std::vector<double>(size)};
  std::vector<double> own(size);
  ExtendAddByCalls by_calls(world);
  ExtendAddByMessages by_messages(world, 2 * static_cast<std::size_t>(child_size * child_size));
  int times = 0;
  int times_by_messages = 0;
  const auto timed = [](const std::function<void()>& run) {
    MPI_Barrier(MPI_COMM_WORLD);
    return measure_ns_per_call(1, [&](long) { run(); });
  };
  const Outcome outcome = compare(
      [&] {
        ++times;
        return timed([&] { by_calls.run(fronts, front); });
      },
      [&] {
        ++times_by_messages;
        return timed([&] { by_messages.run(fronts, own.data()); });
      });
  fronts.check(front->data(), times);
  fronts.check(own.data(), times_by_messages);
  dash::barrier();
  if (!world.is_first_unit()) return;
  table.add(make_row("extend-add of two children",
                     fmt::format("{0} x {0} to {1} x {1}", child_size, parent_size),
                     "MPI_Isend, MPI_Irecv", outcome, ratio_at_most(1.0)));
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
