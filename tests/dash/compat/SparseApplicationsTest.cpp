// dash-test: parallel units=1,2,3,4 layouts=node,nolocal

// Programs in the form of sparse solvers for DASH 0.4: conjugate gradients with three kinds of
// halo exchange, and the assembly of a finite element matrix.

#include <libdash.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "support/Catch.h"

// As in old programs: flush_all() is another name of flush().
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace {

using dash::Array;
using dash::NArray;

/// Elements of the vector that another unit needs.
struct Send {
  int unit;
  /// Position of the first element among the external elements of the unit.
  int offset;
  std::vector<int> rows;
};

/// The caller's rows of a square sparse matrix. Each unit has the same number of consecutive rows;
/// the last units may have fewer.
struct SparseMatrix {
  explicit SparseMatrix(int num_rows_per_unit)
      : rows_per_unit(num_rows_per_unit), first_row(dash::myid() * num_rows_per_unit) {}

  int rows_per_unit;
  int first_row;
  std::vector<int> row_begin{0};
  /// Global columns. After make_local_matrix(): local rows, followed by positions of externals.
  std::vector<int> columns;
  std::vector<double> values;

  /// Columns whose vector elements other units own, in ascending order.
  std::vector<int> externals;
  /// The largest number of externals of a unit; at least 1.
  int max_externals = 1;
  /// Number of units that own externals.
  int num_neighbours = 0;
  std::vector<Send> sends;

  int nrows() const { return static_cast<int>(row_begin.size()) - 1; }
  int unit_of(int row) const { return row / rows_per_unit; }
  void add(int column, double value) {
    columns.push_back(column);
    values.push_back(value);
  }
  void end_row() { row_begin.push_back(static_cast<int>(columns.size())); }
};

/// Finds the external elements and asks their owners for them.
void make_local_matrix(SparseMatrix& A) {
  const int me = dash::myid();
  const int nunits = static_cast<int>(dash::size());
  const int nrows = A.nrows();
  std::set<int> externals;
  for (const int column : A.columns) {
    if (A.unit_of(column) != me) externals.insert(column);
  }
  A.externals.assign(externals.begin(), externals.end());
  for (int& column : A.columns) {
    if (A.unit_of(column) == me) {
      column -= A.first_row;
    } else {
      const auto found = std::lower_bound(A.externals.begin(), A.externals.end(), column);
      column = nrows + static_cast<int>(found - A.externals.begin());
    }
  }
  const int num_externals = std::max(1, static_cast<int>(A.externals.size()));
  dart_allreduce(&num_externals, &A.max_externals, 1, DART_TYPE_INT, DART_OP_MAX, DART_TEAM_ALL);

  // A unit writes its requests to the row of the owner: their number, their position and rows.
  const int width = A.max_externals + 2;
  NArray<int, 2> requests(nunits, nunits * width, dash::BLOCKED, dash::NONE);
  Array<dash::Atomic<int>> num_requests(nunits);
  const int one = 1;
  std::vector<std::vector<int>> lists(nunits);
  for (auto begin = A.externals.begin(); begin != A.externals.end();) {
    const int unit = A.unit_of(*begin);
    const auto end =
        std::find_if(begin, A.externals.end(), [&](int row) { return A.unit_of(row) != unit; });
    auto& list = lists[unit];
    list = {static_cast<int>(end - begin), static_cast<int>(begin - A.externals.begin())};
    list.insert(list.end(), begin, end);
    dash::copy_async(list.data(), list.data() + list.size(),
                     requests.row(unit).begin() + me * width);
    num_requests.async[unit].add(&one);
    ++A.num_neighbours;
    begin = end;
  }
  requests.flush_all();
  num_requests.flush_all();
  dash::barrier();
  for (int unit = 0; unit < nunits; ++unit) {
    const int* const list = requests.lbegin() + unit * width;
    if (list[0] == 0) continue;
    A.sends.push_back({unit, list[1], {}});
    for (int i = 0; i < list[0]; ++i)
      A.sends.back().rows.push_back(list[i + 2] - A.first_row);
  }
  const int expected = num_requests[me];
  CHECK(static_cast<int>(A.sends.size()) == expected);
  dash::barrier();
}

/// The elements of a vector that a unit needs, in contiguous memory.
std::vector<double> gather(const std::vector<double>& vector, const Send& send) {
  std::vector<double> elements;
  for (const int row : send.rows)
    elements.push_back(vector[row]);
  return elements;
}

/// Puts elements into the rows of an NArray and signals with an atomic counter, for which the
/// target spins. The reductions between two exchanges protect the row from early writes.
class NArrayExchange {
 public:
  explicit NArrayExchange(const SparseMatrix& A)
      : _A(A),
        _received(dash::size(), A.max_externals, dash::BLOCKED, dash::NONE),
        _arrived(dash::size()) {}

  void operator()(std::vector<double>& vector) {
    std::vector<std::vector<double>> buffers;
    for (const Send& send : _A.sends) {
      buffers.push_back(gather(vector, send));
      const auto& buffer = buffers.back();
      dash::copy_async(buffer.data(), buffer.data() + buffer.size(),
                       _received.row(send.unit).begin() + send.offset);
    }
    _received.flush_all();
    const int one = 1;
    for (const Send& send : _A.sends)
      _arrived.async[send.unit].add(&one);
    _arrived.flush();
    dash::GlobRef<dash::Atomic<int>> arrived = _arrived[dash::myid()];
    while (!arrived.compare_exchange(_A.num_neighbours, 0)) {
    }
    std::copy_n(_received.lbegin(), _A.externals.size(), vector.begin() + _A.nrows());
  }

 private:
  const SparseMatrix& _A;
  NArray<double, 2> _received;
  Array<dash::Atomic<int>> _arrived;
};

/// Puts elements into a coarray, waits for the futures and posts events.
class CoarrayExchange {
 public:
  explicit CoarrayExchange(const SparseMatrix& A) : _A(A) { _received.allocate(A.max_externals); }

  void operator()(std::vector<double>& vector) {
    using TargetT = decltype(_received(0).begin());
    std::vector<std::vector<double>> buffers;
    std::vector<dash::Future<TargetT>> transfers;
    for (const Send& send : _A.sends) {
      buffers.push_back(gather(vector, send));
      const auto& buffer = buffers.back();
      transfers.push_back(dash::copy_async(buffer.data(), buffer.data() + buffer.size(),
                                           _received(send.unit).begin() + send.offset));
    }
    for (auto& transfer : transfers)
      transfer.wait();
    for (const Send& send : _A.sends)
      _arrived(dash::team_unit_t(send.unit)).post();
    _arrived.wait(_A.num_neighbours);
    for (std::size_t i = 0; i < _A.externals.size(); ++i)
      vector[_A.nrows() + i] = _received[i];
  }

 private:
  const SparseMatrix& _A;
  dash::Coarray<double[]> _received;
  dash::Coevent _arrived;
};

/// The same as NArrayExchange with the C interface.
class DartExchange {
 public:
  explicit DartExchange(const SparseMatrix& A) : _A(A) {
    dart_team_unit_t me;
    dart_team_myid(DART_TEAM_ALL, &me);
    dart_team_memalloc_aligned(DART_TEAM_ALL, A.max_externals, DART_TYPE_DOUBLE, &_received);
    dart_team_memalloc_aligned(DART_TEAM_ALL, 1, DART_TYPE_INT, &_arrived);
    dart_gptr_setunit(&_received, me);
    dart_gptr_setunit(&_arrived, me);
    void* address = nullptr;
    dart_gptr_getaddr(_arrived, &address);
    *static_cast<int*>(address) = 0;
    dart_barrier(DART_TEAM_ALL);
  }
  DartExchange(const DartExchange&) = delete;
  ~DartExchange() {
    dart_barrier(DART_TEAM_ALL);
    dart_team_memfree(_arrived);
    dart_team_memfree(_received);
  }

  void operator()(std::vector<double>& vector) {
    std::vector<std::vector<double>> buffers;
    for (const Send& send : _A.sends) {
      buffers.push_back(gather(vector, send));
      dart_gptr_t target = _received;
      dart_gptr_setunit(&target, dart_create_team_unit(send.unit));
      dart_gptr_incaddr(&target, send.offset * static_cast<int>(sizeof(double)));
      dart_put(target, buffers.back().data(), send.rows.size(), DART_TYPE_DOUBLE);
    }
    dart_flush_all(_received);
    const int one = 1;
    for (const Send& send : _A.sends) {
      dart_gptr_t target = _arrived;
      dart_gptr_setunit(&target, dart_create_team_unit(send.unit));
      dart_accumulate(target, &one, 1, DART_TYPE_INT, DART_OP_SUM);
    }
    dart_flush_all(_arrived);
    const int zero = 0;
    int arrived = -1;
    while (arrived != _A.num_neighbours) {
      dart_compare_and_swap(_arrived, &zero, &_A.num_neighbours, &arrived, DART_TYPE_INT);
      dart_flush(_arrived);
    }
    void* address = nullptr;
    dart_gptr_getaddr(_received, &address);
    std::copy_n(static_cast<double*>(address), _A.externals.size(), vector.begin() + _A.nrows());
  }

 private:
  const SparseMatrix& _A;
  dart_gptr_t _received;
  dart_gptr_t _arrived;
};

double dot(const std::vector<double>& a, const std::vector<double>& b, int nrows) {
  const double own = std::inner_product(a.begin(), a.begin() + nrows, b.begin(), 0.0);
  double sum = 0;
  dart_allreduce(&own, &sum, 1, DART_TYPE_DOUBLE, DART_OP_SUM, DART_TEAM_ALL);
  return sum;
}

/// Solves A x = b by conjugate gradients, for x = 0 at the beginning.
/// \returns the norm of the residual
template <class ExchangeT>
double solve(const SparseMatrix& A, const std::vector<double>& b, std::vector<double>& x,
             ExchangeT& exchange_externals) {
  constexpr int max_steps = 200;
  const int nrows = A.nrows();
  std::vector<double> p(nrows + A.externals.size());
  std::vector<double> Ap(nrows);
  std::vector<double> residual = b;
  std::copy(b.begin(), b.end(), p.begin());
  x.assign(nrows, 0.0);
  double square = dot(residual, residual, nrows);
  for (int step = 0; step < max_steps && std::sqrt(square) > 1e-11; ++step) {
    exchange_externals(p);
    for (int row = 0; row < nrows; ++row) {
      Ap[row] = 0;
      for (int i = A.row_begin[row]; i < A.row_begin[row + 1]; ++i)
        Ap[row] += A.values[i] * p[A.columns[i]];
    }
    const double alpha = square / dot(p, Ap, nrows);
    for (int row = 0; row < nrows; ++row) {
      x[row] += alpha * p[row];
      residual[row] -= alpha * Ap[row];
    }
    const double old_square = square;
    square = dot(residual, residual, nrows);
    for (int row = 0; row < nrows; ++row)
      p[row] = residual[row] + square / old_square * p[row];
  }
  return std::sqrt(square);
}

/// Number of elements that an exchange of the global row numbers transfers wrongly.
template <class ExchangeT>
int count_wrong_externals(const SparseMatrix& A, ExchangeT& exchange_externals) {
  std::vector<double> vector(A.nrows() + A.externals.size());
  std::iota(vector.begin(), vector.begin() + A.nrows(), A.first_row);
  exchange_externals(vector);
  int wrong = 0;
  for (std::size_t i = 0; i < A.externals.size(); ++i)
    wrong += vector[A.nrows() + i] == A.externals[i] ? 0 : 1;
  dash::barrier();
  return wrong;
}

/// The caller's rows of a 27-point operator on a box of points, stacked in the last dimension.
/// \param b  receives the right-hand side for which all elements of the solution are 1
SparseMatrix generate_matrix(int nx, int ny, int nz, std::vector<double>& b) {
  SparseMatrix A(nx * ny * nz);
  const int total_nz = nz * static_cast<int>(dash::size());
  for (int row = A.first_row; row < A.first_row + A.rows_per_unit; ++row) {
    const std::array<int, 3> point{row % nx, row / nx % ny, row / (nx * ny)};
    double row_sum = 0;
    for (int z = std::max(point[2] - 1, 0); z <= std::min(point[2] + 1, total_nz - 1); ++z) {
      for (int y = std::max(point[1] - 1, 0); y <= std::min(point[1] + 1, ny - 1); ++y) {
        for (int x = std::max(point[0] - 1, 0); x <= std::min(point[0] + 1, nx - 1); ++x) {
          const int column = (z * ny + y) * nx + x;
          A.add(column, column == row ? 27 : -1);
          row_sum += A.values.back();
        }
      }
    }
    A.end_row();
    b.push_back(row_sum);
  }
  return A;
}

template <class ExchangeT>
void check_hpccg() {
  std::vector<double> b;
  std::vector<double> x;
  SparseMatrix A = generate_matrix(4, 5, 3, b);
  make_local_matrix(A);
  const auto nunits = static_cast<int>(dash::size());
  const int num_sides = (dash::myid() > 0 ? 1 : 0) + (dash::myid() < nunits - 1 ? 1 : 0);
  CHECK(static_cast<int>(A.externals.size()) == 4 * 5 * num_sides);
  ExchangeT exchange(A);
  CHECK(count_wrong_externals(A, exchange) == 0);
  CHECK(solve(A, b, x, exchange) < 1e-11);
  CHECK(std::all_of(x.begin(), x.end(), [](double value) { return std::abs(value - 1) < 1e-10; }));
}

/// A box of nx x ny x nz hexahedral elements. The unit cube is the domain.
struct Mesh {
  int nx;
  int ny;
  int nz;

  int num_elements() const { return nx * ny * nz; }
  int num_nodes() const { return (nx + 1) * (ny + 1) * (nz + 1); }
  int node(int x, int y, int z) const { return (z * (ny + 1) + y) * (nx + 1) + x; }
};

/// Coefficients of a row for a node and its neighbours, which are at most 27.
using RowT = std::array<double, 27>;

/// Integrates the Laplace operator with linear elements.
/// \param add  called with a node, the coefficients of an element for its row, in the order of the
///         neighbours, and the volume that belongs to the node
template <class AddT>
void assemble(const Mesh& mesh, int first_element, int last_element, AddT add) {
  const std::array<int, 3> extents{mesh.nx, mesh.ny, mesh.nz};
  const double volume = 1.0 / (8 * mesh.num_elements());
  for (int element = first_element; element < last_element; ++element) {
    const int x = element % mesh.nx;
    const int y = element / mesh.nx % mesh.ny;
    const int z = element / (mesh.nx * mesh.ny);
    for (int corner = 0; corner < 8; ++corner) {
      const std::array<int, 3> from{corner & 1, corner >> 1 & 1, corner >> 2};
      RowT row{};
      for (int other = 0; other < 8; ++other) {
        const std::array<int, 3> to{other & 1, other >> 1 & 1, other >> 2};
        std::array<double, 3> stiffness;
        std::array<double, 3> mass;
        int neighbour = 0;
        for (int d = 2; d >= 0; --d) {
          stiffness[d] = (from[d] == to[d] ? 1 : -1) * extents[d];
          mass[d] = (from[d] == to[d] ? 2 : 1) / (6.0 * extents[d]);
          neighbour = 3 * neighbour + to[d] - from[d] + 1;
        }
        row[neighbour] = stiffness[0] * mass[1] * mass[2] + mass[0] * stiffness[1] * mass[2] +
                         mass[0] * mass[1] * stiffness[2];
      }
      add(mesh.node(x + from[0], y + from[1], z + from[2]), row, volume);
    }
  }
}

}  // namespace

TEST_CASE("HPCCG converges with an exchange by rows of an NArray and atomic counters") {
  check_hpccg<NArrayExchange>();
}

TEST_CASE("HPCCG converges with an exchange by a coarray and events") {
  check_hpccg<CoarrayExchange>();
}

TEST_CASE("HPCCG converges with an exchange by the C interface") {
  check_hpccg<DartExchange>();
}

TEST_CASE("MiniFE assembles rows of other units and solves a boundary value problem") {
  const Mesh mesh{5, 3, 2};
  const int me = dash::myid();
  const int nunits = static_cast<int>(dash::size());
  const int rows_per_unit = (mesh.num_nodes() + nunits - 1) / nunits;
  Array<double> rows(27L * rows_per_unit * nunits, dash::BLOCKED);
  Array<double> volumes(rows_per_unit * nunits, dash::BLOCKED);
  dash::fill(rows.begin(), rows.end(), 0.0);
  dash::fill(volumes.begin(), volumes.end(), 0.0);
  dash::barrier();

  // Elements and nodes have different owners.
  const int first_element = mesh.num_elements() * me / nunits;
  const int last_element = mesh.num_elements() * (me + 1) / nunits;
  const double volume = 1.0 / (8 * mesh.num_elements());
  assemble(mesh, first_element, last_element, [&](int node, const RowT& row, double) {
    const auto target = rows.begin() + 27L * node;
    dash::transform<double>(row.data(), row.data() + row.size(), target, target,
                            dash::plus<double>());
    dart_accumulate((volumes.begin() + node).dart_gptr(), &volume, 1, DART_TYPE_DOUBLE,
                    DART_OP_SUM);
  });
  dart_flush_all(volumes.begin().dart_gptr());
  rows.flush();
  dash::barrier();

  std::vector<double> serial_rows(rows.size());
  std::vector<double> serial_volumes(volumes.size());
  assemble(mesh, 0, mesh.num_elements(), [&](int node, const RowT& row, double part) {
    for (std::size_t i = 0; i < row.size(); ++i)
      serial_rows[27 * node + i] += row[i];
    serial_volumes[node] += part;
  });
  const auto is_close = [](double a, double b) { return std::abs(a - b) < 1e-13; };
  CHECK(std::equal(rows.lbegin(), rows.lend(), &serial_rows[rows.pattern().lbegin()], is_close));
  CHECK(std::equal(volumes.lbegin(), volumes.lend(), &serial_volumes[volumes.pattern().lbegin()],
                   is_close));

  // The solution of -u'' = 2 with u = 0 and u = 1 at the borders is 2 x - x * x. It does not depend
  // on y and z.
  const auto solution = [&](int node) {
    const double x = double(node % (mesh.nx + 1)) / mesh.nx;
    return 2 * x - x * x;
  };
  SparseMatrix A(rows_per_unit);
  std::vector<double> b;
  for (int i = 0; i < rows_per_unit && A.first_row + i < mesh.num_nodes(); ++i) {
    const int node = A.first_row + i;
    const int x = node % (mesh.nx + 1);
    b.push_back(2 * volumes.local[i]);
    if (x == 0 || x == mesh.nx) {
      A.add(node, 1);
      b.back() = solution(node);
    }
    for (int neighbour = 0; neighbour < 27 && x > 0 && x < mesh.nx; ++neighbour) {
      const double value = rows.local[27 * i + neighbour];
      const int other_x = x + neighbour % 3 - 1;
      const int other =
          node + mesh.node(neighbour % 3 - 1, neighbour / 3 % 3 - 1, neighbour / 9 - 1);
      if (value == 0) continue;
      if (other_x == 0 || other_x == mesh.nx)
        b.back() -= value * solution(other);
      else
        A.add(other, value);
    }
    A.end_row();
  }
  make_local_matrix(A);
  NArrayExchange exchange(A);
  std::vector<double> u;
  CHECK(count_wrong_externals(A, exchange) == 0);
  CHECK(solve(A, b, u, exchange) < 1e-11);
  int wrong = 0;
  for (int i = 0; i < A.nrows(); ++i)
    wrong += std::abs(u[i] - solution(A.first_row + i)) < 1e-9 ? 0 : 1;
  CHECK(wrong == 0);
}
