// dash-bench: units=1,2,8 layouts=node,nolocal quick=node
//
// PRK p2p (Prk.h): a pipelined wavefront A(i, j) = A(i-1, j) + A(i, j-1) - A(i-1, j-1), compared
// with blocking messages. The columns are distributed. A unit computes a group of rows when its
// left neighbour has computed them. After each iteration the last element, negated, becomes the
// first one. Verified: the last element.

#include <dash/Array.h>
#include <dash/Matrix.h>
#include <dash/Signal.h>
#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "micro/prk/Prk.h"

using namespace dash::bench;

namespace {

struct GridShape {
  std::size_t rows;
  std::size_t cols;
  std::size_t group;  // rows that are computed between two messages
};

/// The columns of a unit, and the column to the left of them.
class Columns {
 public:
  /// \param cells  the columns of the unit, row by row
  /// \param left   the column of the left neighbour; for unit 0 the last element of the grid
  Columns(const World& world, const GridShape& shape, double* cells, double* left)
      : _shape(shape),
        _cells(cells),
        _left(left),
        _width(shape.cols / static_cast<std::size_t>(world.units())),
        _is_first(world.unit() == 0),
        _is_last(world.unit() == world.units() - 1),
        _out(shape.group) {
    const std::size_t first = static_cast<std::size_t>(world.unit()) * _width;
    for (std::size_t col = 0; col < _width; ++col)
      cells[col] = static_cast<double>(first + col);
    for (std::size_t row = 1; _is_first && row < shape.rows; ++row)
      cells[row * _width] = static_cast<double>(row);
    if (!_is_first) left[0] = static_cast<double>(first - 1);
  }

  bool is_first() const { return _is_first; }
  bool is_last() const { return _is_last; }
  bool is_alone() const { return _is_first && _is_last; }

  /// Calls body(begin, end) for each group of rows.
  template <class Body>
  void for_each_group(const Body& body) const {
    for (std::size_t row = 1; row < _shape.rows; row += _shape.group)
      body(row, std::min(row + _shape.group, _shape.rows));
  }

  /// Computes rows [begin, end).
  [[gnu::noinline]] void compute(std::size_t begin, std::size_t end) {
    const std::size_t width = _width;
    for (std::size_t row = begin; row < end; ++row) {
      const double* const above = _cells + (row - 1) * width;
      double* const cells = _cells + row * width;
      double left = _is_first ? cells[0] : _left[row];
      double above_left = _is_first ? above[0] : _left[row - 1];
      for (std::size_t col = _is_first ? 1 : 0; col < width; ++col) {
        left += above[col] - above_left;
        above_left = above[col];
        cells[col] = left;
      }
    }
  }

  /// Elements [begin, end) of the last column.
  const double* last_column(std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row)
      _out[row - begin] = _cells[(row + 1) * _width - 1];
    return _out.data();
  }
  const double* last_element() { return last_column(_shape.rows - 1, _shape.rows); }
  void set_first_element(double value) { _cells[0] = value; }

  void verify(int iterations, const char* what) {
    const auto expected = static_cast<double>(_shape.rows + _shape.cols - 2) * iterations;
    if (_is_last) require(*last_element() == expected, what);
  }

 private:
  GridShape _shape;
  double* _cells;
  double* _left;
  std::size_t _width;
  bool _is_first;
  bool _is_last;
  std::vector<double> _out;
};

/// Puts the last elements of rows to the right neighbour, with a signal. The right neighbour of the
/// last unit is unit 0.
///
/// Unit 0 starts an iteration when it has the last element of the previous one. By then all units
/// have used all elements of their left neighbours, so that these can be replaced.
class DashWavefront {
 public:
  DashWavefront(const World& world, const GridShape& shape)
      : _grid(shape.rows, shape.cols, dash::NONE, dash::BLOCKED),
        _left(shape.rows * static_cast<std::size_t>(world.units())),
        _arrived(1),
        _right((world.unit() + 1) % world.units()),
        _signal_of_right(_arrived(dash::team_unit_t(_right))),
        _left_of_right(_left.begin() + static_cast<std::ptrdiff_t>(shape.rows) * _right),
        _columns(world, shape, _grid.lbegin(), _left.lbegin()) {}

  void run() {
    _columns.for_each_group([&](std::size_t begin, std::size_t end) {
      if (!_columns.is_first()) _arrived[0].wait_until(++_received);
      _columns.compute(begin, end);
      if (!_columns.is_last()) put(_columns.last_column(begin, end), begin, end);
    });
    if (_columns.is_last()) put(_columns.last_element(), 0, 1);
    if (_columns.is_first()) {
      _arrived[0].wait_until(++_received);
      _columns.set_first_element(-_left.local[0]);
    }
    ++_iterations;
  }
  void verify() { _columns.verify(_iterations, "p2p (DASH)"); }

 private:
  void put(const double* elements, std::size_t begin, std::size_t end) {
    dash::put_signal(elements, elements + (end - begin),
                     _left_of_right + static_cast<std::ptrdiff_t>(begin), _signal_of_right,
                     ++_sent);
  }

  dash::NArray<double, 2> _grid;
  dash::Array<double> _left;  // of each unit: the last column of its left neighbour
  dash::SignalArray _arrived;
  int _right;
  dash::GlobSignal _signal_of_right;
  dash::Array<double>::iterator _left_of_right;
  Columns _columns;
  dash::signal_t _sent = 0;
  dash::signal_t _received = 0;
  int _iterations = 0;
};

class MpiWavefront {
 public:
  MpiWavefront(const World& world, const GridShape& shape)
      : _cells(shape.rows * shape.cols / static_cast<std::size_t>(world.units())),
        _left(shape.rows),
        _last(world.units() - 1),
        _unit(world.unit()),
        _columns(world, shape, _cells.data(), _left.data()) {}

  void run() {
    _columns.for_each_group([&](std::size_t begin, std::size_t end) {
      const auto n = static_cast<int>(end - begin);
      if (!_columns.is_first()) receive(&_left[begin], n, _unit - 1);
      _columns.compute(begin, end);
      if (!_columns.is_last()) send(_columns.last_column(begin, end), n, _unit + 1);
    });
    if (_columns.is_alone()) {
      _left[0] = *_columns.last_element();
    } else if (_columns.is_last()) {
      send(_columns.last_element(), 1, 0);
    } else if (_columns.is_first()) {
      receive(_left.data(), 1, _last);
    }
    if (_columns.is_first()) _columns.set_first_element(-_left[0]);
    ++_iterations;
  }
  void verify() { _columns.verify(_iterations, "p2p (MPI)"); }

 private:
  static void send(const double* elements, int n, int to) {
    MPI_Send(elements, n, MPI_DOUBLE, to, 0, MPI_COMM_WORLD);
  }
  static void receive(double* elements, int n, int from) {
    MPI_Recv(elements, n, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }

  Large<double> _cells;
  std::vector<double> _left;
  int _last;
  int _unit;
  Columns _columns;
  int _iterations = 0;
};

void compare_p2p(const World& world, Table& table, const GridShape& shape) {
  DashWavefront ours(world, shape);
  MpiWavefront theirs(world, shape);
  compare_kernel(world, table,
                 {fmt::format("p2p, groups of {} rows", shape.group),
                  fmt::format("{} x {}", shape.rows, shape.cols), "MPI_Send and MPI_Recv"},
                 ours, theirs);
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, [](const World& world) {
    Table table;
    for (const std::size_t n : {256, 1024}) {
      // A message between processes that share a processor takes up to a time slice.
      if (n > 256 && world.is_oversubscribed()) continue;
      for (const std::size_t group : {1, 16})
        compare_p2p(world, table, {n, n, group});
    }
    if (world.is_first_unit()) table.print();
  });
}
