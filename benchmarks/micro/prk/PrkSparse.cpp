// dash-bench: units=1,2,8 layouts=node,nolocal quick=node
//
// PRK sparse (Prk.h): y += A * x for the star stencil of radius 4 on a periodic grid of 2^k x 2^k
// points, whose points are numbered in bit-reversed order in the columns of A. Before each product
// x(i) += i + 1. The rows are distributed. Compared with MPI_Allgather of the vector, and with
// messages of the needed elements only, once for dash::SparseMatrix. Verified: the sum of y.

#include <dash/Array.h>
#include <dash/Collectives.h>
#include <dash/Future.h>
#include <dash/Signal.h>
#include <dash/SparseMatrix.h>
#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "micro/prk/Prk.h"

using namespace dash::bench;

namespace {

constexpr std::size_t radius = 4;
constexpr std::size_t row_length = 4 * radius + 1;
using Columns = Large<std::uint32_t>;

/// The rows of the matrix of a unit. Each has `row_length` elements; element (i, j) is 1 / (j + 1).
struct Rows {
  std::size_t first;
  std::size_t size;
  Columns columns;  // in ascending order in each row
  Large<double> values;
};

std::uint32_t reverse_bits(std::uint32_t number, unsigned nbits) {
  std::uint32_t reversed = 0;
  for (unsigned bit = 0; bit < nbits; ++bit)
    reversed |= (number >> bit & 1U) << (nbits - 1 - bit);
  return reversed;
}

Rows make_rows(const World& world, unsigned log2_extent) {
  const std::size_t extent = std::size_t{1} << log2_extent;
  const std::size_t size = extent * extent / static_cast<std::size_t>(world.units());
  Rows rows{size * static_cast<std::size_t>(world.unit()), size, {}, {}};
  for (std::size_t row = rows.first; row < rows.first + size; ++row) {
    const std::size_t x = row % extent;
    const std::size_t y = row / extent;
    const auto add = [&](std::size_t to_x, std::size_t to_y) {
      const std::size_t point = to_x % extent + to_y % extent * extent;
      rows.columns.push_back(reverse_bits(static_cast<std::uint32_t>(point), 2 * log2_extent));
    };
    add(x, y);
    for (std::size_t distance = 1; distance <= radius; ++distance) {
      add(x + distance, y);
      add(x + extent - distance, y);
      add(x, y + distance);
      add(x, y + extent - distance);
    }
    std::sort(rows.columns.end() - row_length, rows.columns.end());
  }
  for (const std::uint32_t column : rows.columns)
    rows.values.push_back(1.0 / (column + 1.0));
  return rows;
}

/// Computes x(i) = before(i) + i + 1 for the elements of a unit. The vectors may be the same.
[[gnu::noinline]] void next_vector(const Rows& rows, const double* before, double* x) {
#pragma GCC ivdep
  for (std::size_t i = 0; i < rows.size; ++i)
    x[i] = before[i] + static_cast<double>(static_cast<std::int64_t>(rows.first + i + 1));
}

/// y += A * x.
/// \param columns  of the elements of A: their positions in x
[[gnu::noinline]] void multiply(const Rows& rows, const Columns& columns, const double* x,
                                std::span<double> y) {
  const double* values = rows.values.data();
  const std::uint32_t* column = columns.data();
  for (double& sum : y) {
    double sum_of_row = 0;
    for (std::size_t i = 0; i < row_length; ++i)
      sum_of_row += values[i] * x[column[i]];
    sum += sum_of_row;
    values += row_length;
    column += row_length;
  }
}

/// \collective
void verify_sum(std::span<const double> y, int iterations, const char* what) {
  const double nonzeros =
      static_cast<double>(row_length) * sum_of_units(static_cast<double>(y.size()));
  const double expected = nonzeros * iterations * (iterations + 1.0) / 2;
  require(is_close(sum_of_units(std::accumulate(y.begin(), y.end(), 0.0)), expected), what);
}

/// A product that copies the whole vector to each unit, by the library or by MPI.
class WholeVector {
 public:
  enum class Copy { dash, mpi };

  WholeVector(const World& world, const Rows& rows, Copy copy)
      : _rows(rows),
        _copy(copy),
        _x(rows.size * static_cast<std::size_t>(world.units())),
        _y(rows.size) {}

  void run() {
    double* const own = &_x[_rows.first];
    next_vector(_rows, own, own);
    if (_copy == Copy::dash) {
      dash::allgather_async<double>(nullptr, _x.data(), _rows.size).get();
    } else {
      MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, _x.data(), static_cast<int>(_rows.size),
                    MPI_DOUBLE, MPI_COMM_WORLD);
    }
    multiply(_rows, _rows.columns, _x.data(), _y);
    ++_iterations;
  }
  void verify() const {
    verify_sum(_y, _iterations,
               _copy == Copy::dash ? "sparse, whole vector (DASH)" : "sparse, whole vector (MPI)");
  }

 private:
  const Rows& _rows;
  Copy _copy;
  Large<double> _x;
  Large<double> _y;
  int _iterations = 0;
};

/// The elements that each unit needs of the vectors of the others. A unit stores its own elements
/// first, then those of the others in the order of their units.
class Needs {
 public:
  /// \collective
  Needs(const World& world, const Rows& rows)
      : _units(static_cast<std::size_t>(world.units())),
        _me(static_cast<std::size_t>(world.unit())),
        _sent(_units),
        _received_begin(_units + 1) {
    std::vector<std::uint32_t> needed(rows.columns.begin(), rows.columns.end());
    std::sort(needed.begin(), needed.end());
    needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
    std::erase_if(needed, [&](std::uint32_t column) { return column / rows.size == _me; });
    for (const std::uint32_t column : needed)
      ++_received_begin[column / rows.size + 1];
    std::partial_sum(_received_begin.begin(), _received_begin.end(), _received_begin.begin());
    for (const std::uint32_t column : rows.columns) {
      const auto found = std::lower_bound(needed.begin(), needed.end(), column);
      positions.push_back(static_cast<std::uint32_t>(
          column / rows.size == _me
              ? column % rows.size
              : rows.size + static_cast<std::size_t>(found - needed.begin())));
    }
    exchange(needed, rows.size);
  }

  /// Positions of the elements of A in the elements that the unit stores.
  Columns positions;

  std::size_t units() const { return _units; }
  std::size_t me() const { return _me; }
  /// The unit at a distance from this one, modulo the number of units.
  std::size_t unit_at(std::size_t distance) const { return (_me + distance) % _units; }
  /// The indices of own elements that another unit needs.
  const std::vector<std::uint32_t>& sent_to(std::size_t unit) const { return _sent[unit]; }
  /// The number of elements of all other units, and of those of lower units than `unit`.
  std::size_t num_received() const { return _received_begin.back(); }
  std::size_t received_begin(std::size_t unit) const { return _received_begin[unit]; }
  std::size_t received_size(std::size_t unit) const {
    return _received_begin[unit + 1] - _received_begin[unit];
  }

  /// Copies the elements for a unit to contiguous memory.
  void pack(std::size_t unit, const double* own, double* out) const {
    for (const std::uint32_t index : _sent[unit])
      *out++ = own[index];
  }

 private:
  void exchange(const std::vector<std::uint32_t>& needed, std::size_t rows_of_unit) {
    std::vector<MPI_Request> requests;
    for (std::size_t unit = 0; unit < _units; ++unit) {
      MPI_Isend(needed.data() + _received_begin[unit], static_cast<int>(received_size(unit)),
                MPI_UINT32_T, static_cast<int>(unit), 0, MPI_COMM_WORLD, &requests.emplace_back());
    }
    for (std::size_t unit = 0; unit < _units; ++unit) {
      MPI_Status status;
      int n = 0;
      MPI_Probe(static_cast<int>(unit), 0, MPI_COMM_WORLD, &status);
      MPI_Get_count(&status, MPI_UINT32_T, &n);
      _sent[unit].resize(static_cast<std::size_t>(n));
      MPI_Recv(_sent[unit].data(), n, MPI_UINT32_T, static_cast<int>(unit), 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      for (std::uint32_t& index : _sent[unit])
        index %= static_cast<std::uint32_t>(rows_of_unit);
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }

  std::size_t _units;
  std::size_t _me;
  std::vector<std::vector<std::uint32_t>> _sent;
  std::vector<std::size_t> _received_begin;
};

/// Each unit puts packed elements to the units that need them, with a signal. Another signal
/// returns when the elements have been used.
class DashNeeds {
 public:
  DashNeeds(const Rows& rows, const Needs& needs)
      : _rows(rows),
        _needs(needs),
        _capacity(capacity_of(rows, needs)),
        _x(_capacity * needs.units()),
        _arrived(needs.units()),
        _used(needs.units()),
        _y(rows.size) {
    std::vector<std::size_t> begins(needs.units());
    for (std::size_t unit = 0; unit < needs.units(); ++unit)
      begins[unit] = rows.size + needs.received_begin(unit);
    _begins.resize(needs.units());
    MPI_Alltoall(begins.data(), 1, MPI_UINT64_T, _begins.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
    for (std::size_t unit = 0; unit < needs.units(); ++unit) {
      const dash::team_unit_t id(static_cast<int>(unit));
      _arrived_of.push_back(_arrived(id, needs.me()));
      _used_of.push_back(_used(id, needs.me()));
      _packed.emplace_back(needs.sent_to(unit).size());
    }
  }

  void run() {
    double* const x = _x.lbegin();
    next_vector(_rows, x, x);
    ++_iterations;
    for (std::size_t distance = 1; distance < _needs.units(); ++distance)
      send(_needs.unit_at(distance), x);
    for (std::size_t distance = 1; distance < _needs.units(); ++distance)
      _arrived[_needs.unit_at(distance)].wait_until(_iterations);
    for (auto& put : _puts)
      put.get();
    _puts.clear();
    multiply(_rows, _needs.positions, x, _y);
    for (std::size_t distance = 1; distance < _needs.units(); ++distance)
      _used_of[_needs.unit_at(distance)].set(_iterations);
  }
  void verify() const {
    verify_sum(_y, static_cast<int>(_iterations), "sparse, needed elements (DASH)");
  }

 private:
  /// \returns the largest number of elements that a unit stores. \collective
  static std::size_t capacity_of(const Rows& rows, const Needs& needs) {
    std::size_t capacity = rows.size + needs.num_received();
    MPI_Allreduce(MPI_IN_PLACE, &capacity, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    return capacity;
  }

  void send(std::size_t to, const double* own) {
    _used[to].wait_until(_iterations - 1);
    Large<double>& packed = _packed[to];
    _needs.pack(to, own, packed.data());
    _puts.push_back(dash::put_signal_async(
        packed.data(), packed.data() + packed.size(),
        _x.begin() + static_cast<std::ptrdiff_t>(_capacity * to + _begins[to]), _arrived_of[to],
        _iterations));
  }

  const Rows& _rows;
  const Needs& _needs;
  std::size_t _capacity;
  dash::Array<double> _x;
  dash::SignalArray _arrived;        // by unit: the iteration whose elements have arrived
  dash::SignalArray _used;           // by unit: the iteration whose elements it has used
  std::vector<std::size_t> _begins;  // by unit: of the elements of this unit in its vector
  std::vector<dash::GlobSignal> _arrived_of;
  std::vector<dash::GlobSignal> _used_of;
  std::vector<Large<double>> _packed;
  std::vector<dash::Future<dash::Array<double>::iterator>> _puts;
  Large<double> _y;
  dash::signal_t _iterations = 0;
};

/// Each unit sends packed messages.
class MpiNeeds {
 public:
  MpiNeeds(const Rows& rows, const Needs& needs)
      : _rows(rows), _needs(needs), _x(rows.size + needs.num_received()), _y(rows.size) {
    for (std::size_t unit = 0; unit < needs.units(); ++unit)
      _packed.emplace_back(needs.sent_to(unit).size());
  }

  void run() {
    _requests.clear();
    for (std::size_t distance = 1; distance < _needs.units(); ++distance) {
      const std::size_t from = _needs.unit_at(_needs.units() - distance);
      MPI_Irecv(&_x[_rows.size + _needs.received_begin(from)],
                static_cast<int>(_needs.received_size(from)), MPI_DOUBLE, static_cast<int>(from), 0,
                MPI_COMM_WORLD, &_requests.emplace_back());
    }
    next_vector(_rows, _x.data(), _x.data());
    for (std::size_t distance = 1; distance < _needs.units(); ++distance) {
      const std::size_t to = _needs.unit_at(distance);
      _needs.pack(to, _x.data(), _packed[to].data());
      MPI_Isend(_packed[to].data(), static_cast<int>(_packed[to].size()), MPI_DOUBLE,
                static_cast<int>(to), 0, MPI_COMM_WORLD, &_requests.emplace_back());
    }
    MPI_Waitall(static_cast<int>(_requests.size()), _requests.data(), MPI_STATUSES_IGNORE);
    multiply(_rows, _needs.positions, _x.data(), _y);
    ++_iterations;
  }
  void verify() const { verify_sum(_y, _iterations, "sparse, needed elements (MPI)"); }

 private:
  const Rows& _rows;
  const Needs& _needs;
  Large<double> _x;
  Large<double> _y;
  std::vector<Large<double>> _packed;
  std::vector<MPI_Request> _requests;
  int _iterations = 0;
};

/// The product of the library.
class LibraryMatrix {
 public:
  LibraryMatrix(const World& world, const Rows& rows)
      : _rows(rows),
        _x(rows.size * static_cast<std::size_t>(world.units())),
        _y(_x.size()),
        _matrix(static_cast<std::int32_t>(_x.size()), static_cast<std::int32_t>(_x.size()),
                entries_of(rows)) {}

  void run() {
    next_vector(_rows, _x.lbegin(), _x.lbegin());
    _matrix.multiply_add(_x, _y);
    ++_iterations;
  }
  void verify() const {
    verify_sum({_y.lbegin(), _y.lsize()}, _iterations, "sparse, dash::SparseMatrix");
  }

 private:
  using Matrix = dash::SparseMatrix<double, std::int32_t>;

  static std::vector<Matrix::Entry> entries_of(const Rows& rows) {
    std::vector<Matrix::Entry> entries;
    for (std::size_t i = 0; i < rows.values.size(); ++i) {
      entries.push_back({static_cast<std::int32_t>(rows.first + i / row_length),
                         static_cast<std::int32_t>(rows.columns[i]), rows.values[i]});
    }
    return entries;
  }

  const Rows& _rows;
  dash::Array<double> _x;
  dash::Array<double> _y;
  Matrix _matrix;
  int _iterations = 0;
};

void compare_sparse(const World& world, Table& table, unsigned log2_extent) {
  const Rows rows = make_rows(world, log2_extent);
  const std::string size = fmt::format("{0} x {0} points", 1U << log2_extent);
  {
    WholeVector ours(world, rows, WholeVector::Copy::dash);
    WholeVector theirs(world, rows, WholeVector::Copy::mpi);
    compare_kernel(world, table, {"sparse, whole vector", size, "MPI_Allgather"}, ours, theirs);
  }
  const Needs needs(world, rows);
  MpiNeeds theirs(rows, needs);
  {
    DashNeeds ours(rows, needs);
    compare_kernel(world, table, {"sparse, needed elements", size, "MPI_Isend of packed elements"},
                   ours, theirs);
  }
  LibraryMatrix ours(world, rows);
  compare_kernel(world, table, {"sparse, dash::SparseMatrix", size, "MPI_Isend of packed elements"},
                 ours, theirs);
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, [](const World& world) {
    Table table;
    for (const unsigned log2_extent : {7, 9})
      compare_sparse(world, table, log2_extent);
    if (world.is_first_unit()) table.print();
  });
}
