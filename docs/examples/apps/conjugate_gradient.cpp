// Conjugate gradients on a sparse matrix, whose rows are distributed over the units.
// dash-example: units=1,2,3,4,7 layouts=node,nolocal
#include <libdash.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace {

using Pattern = dash::CSRPattern<1>;
using Vector = std::vector<double>;  // the caller's elements of a vector

constexpr double tolerance = 1e-12;
constexpr int max_iterations = 10000;
constexpr double diagonal_shift = 0.05;  // makes the matrix positive definite

std::size_t to_size(long i) {
  return static_cast<std::size_t>(i);
}

/// Random points, more of them at the left. Points at a short distance are neighbours.
class Cloud {
 public:
  explicit Cloud(long num_points)
      : _radius(1.8 / std::sqrt(static_cast<double>(num_points))),
        _num_columns(static_cast<long>(1 / _radius) + 1),
        _first(to_size(_num_columns + 1)),
        _points(to_size(num_points)) {
    std::mt19937 generator;  // has the same numbers on all units
    const auto random = [&] { return static_cast<double>(generator()) / 4294967296.0; };
    for (auto& [x, y] : _points) {
      x = std::pow(random(), 1.5);
      y = random();
    }
    // Points with adjacent numbers are near to each other. So most neighbours are on the same unit.
    const auto key = [&](const auto& point) { return std::pair(column(point), point[1]); };
    std::sort(_points.begin(), _points.end(),
              [&](const auto& a, const auto& b) { return key(a) < key(b); });
    for (const auto& point : _points)
      ++_first[to_size(column(point) + 1)];
    std::partial_sum(_first.begin(), _first.end(), _first.begin());
  }

  long size() const { return static_cast<long>(_points.size()); }

  /// The neighbours of a point in ascending order, and the weights of the edges to them.
  std::vector<std::pair<long, double>> neighbours(long point) const {
    std::vector<std::pair<long, double>> result;
    const auto& [x, y] = _points[to_size(point)];
    const long here = column(_points[to_size(point)]);
    const long begin = _first[to_size(std::max(here - 1, 0L))];
    const long end = _first[to_size(std::min(here + 2, _num_columns))];
    for (long other = begin; other < end; ++other) {
      const double distance =
          std::hypot(_points[to_size(other)][0] - x, _points[to_size(other)][1] - y);
      if (other != point && distance < _radius) result.emplace_back(other, 2 - distance / _radius);
    }
    return result;
  }

  /// An element of the known solution.
  double solution(long point) const {
    const auto& [x, y] = _points[to_size(point)];
    return std::sin(5 * x) + y * y;
  }

 private:
  long column(const std::array<double, 2>& point) const {
    return static_cast<long>(point[0] / _radius);
  }

  double _radius;
  long _num_columns;         // columns with the width of the radius
  std::vector<long> _first;  // the first point of each column
  std::vector<std::array<double, 2>> _points;
};

// --8<-- [start:pattern]
/// Ranges of rows for the units, with about the same number of nonzero elements for each.
Pattern distribute(const Cloud& cloud) {
  dash::Array<long> counts(to_size(cloud.size()));  // each unit counts for a block of rows
  for (std::size_t i = 0; i < counts.local_size(); ++i) {
    const long row = counts.pattern().global(static_cast<long>(i));
    counts.lbegin()[i] = static_cast<long>(cloud.neighbours(row).size()) + 1;
  }
  counts.barrier();
  std::vector<long> sums(counts.size());
  dash::copy(counts.begin(), counts.end(), sums.data());
  std::partial_sum(sums.begin(), sums.end(), sums.begin());
  const auto units = static_cast<long>(dash::size());
  std::vector<std::size_t> sizes(dash::size());
  for (const long sum : sums)
    ++sizes[to_size((sum - 1) * units / sums.back())];
  counts.barrier();  // no unit frees its block before all have copied it
  return Pattern(sizes);
}
// --8<-- [end:pattern]

// --8<-- [start:csr]
/// Rows of a sparse matrix in the CSR format.
struct Rows {
  std::vector<std::size_t> begin{
      0};  // of each row in the other vectors, and the end of the last one
  std::vector<std::size_t> column;
  std::vector<double> value;

  void add(std::size_t col, double v) {
    column.push_back(col);
    value.push_back(v);
  }
  void end_row() { begin.push_back(column.size()); }

  /// y += A x
  void multiply_add(const double* x, Vector& y) const {
    for (std::size_t row = 0; row + 1 < begin.size(); ++row)
      for (std::size_t k = begin[row]; k < begin[row + 1]; ++k)
        y[row] += value[k] * x[column[k]];
  }
};
// --8<-- [end:csr]

/// The Laplacian of the graph of neighbours, plus a diagonal: symmetric and positive definite.
class Matrix {
 public:
  // --8<-- [start:setup]
  Matrix(const Cloud& cloud, const Pattern& pattern) {
    const std::size_t units = dash::size();
    const auto me = to_size(dash::myid().id);
    std::vector<std::vector<std::size_t>> readers(units);  // the own elements that each unit reads
    std::vector<std::size_t> needed;                       // the elements that the caller reads
    for (std::size_t row = 0; row < pattern.local_size(); ++row) {
      double sum = diagonal_shift;
      for (const auto& [column, weight] :
           cloud.neighbours(pattern.global(static_cast<long>(row)))) {
        sum += weight;
        const auto at = pattern.local(column);
        if (to_size(at.unit.id) == me) {
          _local.add(to_size(at.index), -weight);
          continue;
        }
        _remote.add(to_size(column), -weight);
        needed.push_back(to_size(column));
        // The matrix is symmetric: the owner of this column has an element in the column `row`.
        auto& read = readers[to_size(at.unit.id)];
        if (read.empty() || read.back() != row) read.push_back(row);
      }
      _local.add(row, sum);
      _diagonal.push_back(sum);
      _local.end_row();
      _remote.end_row();
    }
    std::sort(needed.begin(), needed.end());
    needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
    for (std::size_t& column : _remote.column)  // becomes the position in _fetched
      column = to_size(std::lower_bound(needed.begin(), needed.end(), column) - needed.begin());
    _fetched.resize(needed.size());

    // The outbox of a unit has a segment for each reader.
    std::vector<std::size_t> own_counts;
    for (const auto& read : readers) {
      own_counts.push_back(read.size());
      _sent.insert(_sent.end(), read.begin(), read.end());
    }
    std::vector<std::size_t> counts(units * units);
    dash::allgather_async(own_counts.data(), counts.data(), units).get();
    std::vector<std::size_t> outbox_sizes(units);
    std::size_t begin = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const std::size_t owner = i / units;
      const std::size_t reader = i % units;
      if (reader == me && counts[i] != 0) _segments.push_back({begin, counts[i]});
      begin += counts[i];
      outbox_sizes[owner] += counts[i];
    }
    _outbox.allocate(Pattern(outbox_sizes));
  }
  // --8<-- [end:setup]

  const Vector& diagonal() const { return _diagonal; }

  // --8<-- [start:multiply]
  /// y = A x. Between two calls, a reduction must ensure that all units have copied their segments.
  void multiply(const Vector& x, Vector& y) {
    double* out = _outbox.lbegin();
    for (const std::size_t row : _sent)
      *out++ = x[row];
    _outbox.barrier();  // all outboxes are filled

    std::vector<dash::Future<double*>> copies;
    double* to = _fetched.data();
    for (const auto& [begin, size] : _segments) {  // one for each owner
      const auto first = _outbox.begin() + static_cast<long>(begin);
      copies.push_back(dash::copy_async(first, first + static_cast<long>(size), to));
      to += size;
    }
    std::fill(y.begin(), y.end(), 0);
    _local.multiply_add(x.data(), y);  // while the copies are in flight
    for (auto& copy : copies)
      copy.get();
    _remote.multiply_add(_fetched.data(), y);
  }
  // --8<-- [end:multiply]

 private:
  struct Segment {
    std::size_t begin;  // index in the array of outboxes
    std::size_t size;
  };

  Rows _local;   // the columns are the caller's elements
  Rows _remote;  // the columns are elements of _fetched
  Vector _diagonal;
  std::vector<std::size_t> _sent;  // the caller's elements that are copied to its outbox
  std::vector<Segment> _segments;  // of the other units' outboxes
  Vector _fetched;
  dash::Array<double, long, Pattern> _outbox;
};

// --8<-- [start:solve]
/// The scalar product of two distributed vectors.
double dot(const Vector& a, const Vector& b) {
  const double own = std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  return dash::allreduce_async(own, dash::plus<double>()).get();
}

/// a += factor * b
void add(Vector& a, double factor, const Vector& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] += factor * b[i];
}

/// Solves A x = b, starting with x = 0. Returns the number of iterations.
int solve(Matrix& matrix, const Vector& b, Vector& x) {
  Vector residual = b;
  Vector scaled(b.size());  // the residual, divided by the diagonal of the matrix
  Vector direction(b.size());
  Vector product(b.size());
  double first_square = 0;
  double last_square = 0;
  for (int iteration = 0;; ++iteration) {
    for (std::size_t i = 0; i < b.size(); ++i)
      scaled[i] = residual[i] / matrix.diagonal()[i];
    const double square = dot(residual, scaled);
    if (iteration == 0) first_square = square;
    if (square <= tolerance * tolerance * first_square || iteration == max_iterations)
      return iteration;
    const double factor = iteration == 0 ? 0 : square / last_square;
    for (std::size_t i = 0; i < b.size(); ++i)
      direction[i] = scaled[i] + factor * direction[i];
    last_square = square;

    matrix.multiply(direction, product);
    const double step = square / dot(direction, product);
    add(x, step, direction);
    add(residual, -step, product);
  }
}
// --8<-- [end:solve]

// --8<-- [start:check]
/// The right side for the known solution, computed from the graph and without the matrix.
Vector right_side(const Cloud& cloud, const Pattern& pattern) {
  Vector b;
  for (std::size_t i = 0; i < pattern.local_size(); ++i) {
    const long point = pattern.global(static_cast<long>(i));
    const double value = cloud.solution(point);
    double sum = diagonal_shift * value;
    for (const auto& [other, weight] : cloud.neighbours(point))
      sum += weight * (value - cloud.solution(other));
    b.push_back(sum);
  }
  return b;
}
// --8<-- [end:check]

int run(long num_points) {
  const Cloud cloud(num_points);
  const Pattern pattern = distribute(cloud);
  Matrix matrix(cloud, pattern);
  const Vector b = right_side(cloud, pattern);
  Vector x(b.size());
  const int iterations = solve(matrix, b, x);

  Vector residual(b.size());
  matrix.multiply(x, residual);
  add(residual, -1, b);
  const double relative = std::sqrt(dot(residual, residual) / dot(b, b));
  double error = 0;
  long most = 0;
  long elements = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long point = pattern.global(static_cast<long>(i));
    const auto count = static_cast<long>(cloud.neighbours(point).size()) + 1;
    error = std::max(error, std::abs(x[i] - cloud.solution(point)));
    most = std::max(most, count);
    elements += count;
  }
  error = dash::allreduce_async(error, dash::max<double>()).get();
  most = dash::allreduce_async(most, dash::max<long>()).get();
  elements = dash::allreduce_async(elements, dash::plus<long>()).get();

  const bool is_right = relative < 1e-10 && error < 1e-8;
  if (dash::myid() == 0) {
    std::printf("%ld rows, %ld nonzero elements, at most %ld in a row\n", num_points, elements,
                most);
    std::printf("%d iterations\n", iterations);
    std::printf("relative residual: %.1e\n", relative);
    std::printf("largest error: %.1e\n", error);
    if (!is_right) std::fprintf(stderr, "conjugate_gradient: the result is wrong\n");
  }
  return is_right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  const long num_points = argc > 1 ? std::atol(argv[1]) : 1500;
  int result = 1;
  if (num_points >= 1) {
    result = run(num_points);
  } else if (dash::myid() == 0) {
    std::fprintf(stderr, "conjugate_gradient: expected at least one point\n");
  }
  dash::finalize();
  return result;
}
