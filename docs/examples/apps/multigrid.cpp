// Multigrid: the Poisson equation in three dimensions, with a stencil of 27 points and corners.
// dash-example: units=1,2,3,4,7 layouts=node,nolocal
#include <dash/halo/HaloMatrixWrapper.h>
#include <dash/halo/stencil/StencilFor.h>
#include <libdash.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace {

using Grid = dash::NArray<double, 3>;
using Coords = std::array<long, 3>;
using Point = dash::halo::StencilPoint<3>;
using Stencil = dash::halo::StencilSpec<Point, 26>;
using Halo = dash::halo::HaloMatrixWrapper<Grid>;

constexpr long min_extent = 4;       // of a block, on average
constexpr double min_reduction = 4;  // of the residual in a cycle
constexpr double tolerance = 1e-6;   // of the residual

// --8<-- [start:stencil]
/// The neighbours at the 6 faces, 12 edges and 8 corners of a point.
constexpr Stencil neighbours = [] {
  std::array<Point, 26> points;
  std::size_t count = 0;
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j)
      for (int k = -1; k <= 1; ++k)
        if (i != 0 || j != 0 || k != 0) points[count++] = Point(i, j, k);
  return Stencil(points);
}();

/// The weights of the point itself and of its neighbours at faces, edges and corners.
using Weights = std::array<double, 4>;
constexpr Weights poisson{8.0 / 3, 0, -1.0 / 6, -1.0 / 12};
constexpr Weights smoother{3.0 / 8, -1.0 / 32, 1.0 / 64, 0};
constexpr Weights restriction{1.0 / 2, 1.0 / 4, 1.0 / 8, 1.0 / 16};

/// The position of the weight of a neighbour.
constexpr std::size_t kind_of(long i, long j, long k) {
  return static_cast<std::size_t>(i * i + j * j + k * k);
}
constexpr std::array<std::size_t, 26> kinds = [] {
  std::array<std::size_t, 26> result{};
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = kind_of(neighbours[i][0], neighbours[i][1], neighbours[i][2]);
  return result;
}();

double apply(const Weights& weights, const auto& cell) {
  double sum = weights[0] * cell.center();
  for (std::size_t i = 0; i < kinds.size(); ++i)
    sum += weights[kinds[i]] * cell[i];
  return sum;
}
// --8<-- [end:stencil]

// --8<-- [start:box]
/// A copy of a box of a grid, whose elements may belong to several units.
class Box {
 public:
  /// \collective over the team of the grid
  Box(const Grid& grid, const Coords& begin, const Coords& end) : _begin(begin) {
    std::array<std::size_t, 3> size{};
    for (std::size_t d = 0; d < 3; ++d)
      size[d] = static_cast<std::size_t>(end[d] - begin[d]);
    _strides = {end[1] - begin[1], end[2] - begin[2]};
    _values.resize(size[0] * size[1] * size[2]);
    grid.barrier();  // the elements of all units are written
    const auto box = grid.sub<0>(static_cast<std::size_t>(begin[0]), size[0])
                         .sub<1>(static_cast<std::size_t>(begin[1]), size[1])
                         .sub<2>(static_cast<std::size_t>(begin[2]), size[2]);
    dash::copy(box.begin(), box.end(), _values.data());
    grid.barrier();  // all units have their copies: the elements may be changed
  }

  double operator()(long i, long j, long k) const {
    const long line = (i - _begin[0]) * _strides[0] + j - _begin[1];
    return _values[static_cast<std::size_t>(line * _strides[1] + k - _begin[2])];
  }

 private:
  Coords _begin;
  std::array<long, 2> _strides{};
  std::vector<double> _values;
};
// --8<-- [end:box]

// --8<-- [start:level]
/// The grids of one level: of all units, or, if it is coarse, complete grids on each unit.
class Level {
 public:
  /// \param num_points  in each dimension, including the border
  /// \param self  a team of the caller only
  Level(long num_points, dash::Team& team, dash::Team& self)
      : _num_points(num_points), _pattern(make_pattern(num_points, team, self)) {
    for (Grid* grid : {&_right_side, &_solution, &_residual})
      std::fill(grid->lbegin(), grid->lend(), 0);
    const long coarser = (num_points + 1) / 2;
    if (coarser >= 3) _coarser = std::make_unique<Level>(coarser, _pattern.team(), self);
  }
  // --8<-- [end:level]

  Grid& right_side() { return _right_side; }
  Grid& solution() { return _solution; }
  Grid& residual() { return _residual; }
  dash::Team& team() { return _pattern.team(); }

  /// Calls a function with the coordinates and the position of each own element within the border.
  void for_each(auto&& function) const {
    const Coords begin = _pattern.global({0, 0, 0});
    const auto extents = _pattern.local_extents();
    const auto is_inner = [&](long i) { return i > 0 && i < _num_points - 1; };
    long position = 0;
    for (long i = begin[0]; i < begin[0] + static_cast<long>(extents[0]); ++i)
      for (long j = begin[1]; j < begin[1] + static_cast<long>(extents[1]); ++j)
        for (long k = begin[2]; k < begin[2] + static_cast<long>(extents[2]); ++k, ++position)
          if (is_inner(i) && is_inner(j) && is_inner(k)) function(i, j, k, position);
  }

  // --8<-- [start:cycle]
  /// A V-cycle: improves the solution. The residual must be that of the solution.
  void cycle() {
    smooth();
    if (!_coarser) return;  // one inner element, which is now exact
    compute_residual();
    _coarser->restrict_from(*this);
    _coarser->cycle();
    add_interpolated();
    compute_residual();
    smooth();
  }

  /// residual = right side - A solution
  void compute_residual() {
    const double* const right = _right_side.lbegin();
    dash::halo::stencil_for(_halo, _operator, _residual.lbegin(), [right](const auto& cell) {
      return right[cell.lpos()] - apply(poisson, cell);
    });
  }

 private:
  /// solution += S residual
  void smooth() {
    const double* const old = _solution.lbegin();
    dash::halo::stencil_for(
        _residual_halo, _residual_operator, _solution.lbegin(),
        [old](const auto& cell) { return old[cell.lpos()] + apply(smoother, cell); });
  }
  // --8<-- [end:cycle]

  // --8<-- [start:transfer]
  /// The right side is the residual of the finer level: weighted sums of its elements.
  void restrict_from(const Level& finer) {
    Coords begin = _pattern.global({0, 0, 0});
    Coords end{};
    for (std::size_t d = 0; d < 3; ++d) {
      end[d] = 2 * (begin[d] + static_cast<long>(_pattern.local_extents()[d]));
      end[d] = std::min(end[d], finer._num_points);
      begin[d] = std::max(2 * begin[d] - 1, 0L);
    }
    const Box fine(finer._residual, begin, end);
    std::fill(_solution.lbegin(), _solution.lend(), 0);
    for_each([&](long i, long j, long k, long position) {
      double sum = 0;
      for (long a = -1; a <= 1; ++a)
        for (long b = -1; b <= 1; ++b)
          for (long c = -1; c <= 1; ++c)
            sum += restriction[kind_of(a, b, c)] * fine(2 * i + a, 2 * j + b, 2 * k + c);
      _right_side.lbegin()[position] = sum;
      _residual.lbegin()[position] = sum;
    });
  }

  /// Corrects the solution by that of the coarser level, interpolated between its elements.
  void add_interpolated() {
    Coords begin = _pattern.global({0, 0, 0});
    Coords end{};
    for (std::size_t d = 0; d < 3; ++d) {
      end[d] = (begin[d] + static_cast<long>(_pattern.local_extents()[d])) / 2 + 1;
      begin[d] /= 2;
    }
    const Box coarse(_coarser->_solution, begin, end);
    for_each([&](long i, long j, long k, long position) {
      double sum = 0;  // of eight elements, which coincide if a coordinate is even
      for (long a = 0; a <= 1; ++a)
        for (long b = 0; b <= 1; ++b)
          for (long c = 0; c <= 1; ++c)
            sum += coarse((i + a) / 2, (j + b) / 2, (k + c) / 2);
      _solution.lbegin()[position] += sum / 8;
    });
  }
  // --8<-- [end:transfer]

  // --8<-- [start:pattern]
  static Grid::pattern_type make_pattern(long num_points, dash::Team& team, dash::Team& self) {
    dash::TeamSpec<3> units(team);
    units.balance_extents();
    for (std::size_t d = 0; d < 3; ++d) {
      const auto extent = static_cast<long>(units.extent(d));
      const long block = (num_points + extent - 1) / extent;
      const bool is_last_empty = block * (extent - 1) >= num_points;
      if (team.size() > 1 && (is_last_empty || num_points < min_extent * extent))
        return make_pattern(num_points, self, self);
    }
    return Grid::pattern_type(
        dash::SizeSpec<3>(num_points, num_points, num_points),
        dash::DistributionSpec<3>(dash::BLOCKED, dash::BLOCKED, dash::BLOCKED), units, team);
  }
  // --8<-- [end:pattern]

  long _num_points;
  Grid::pattern_type _pattern;
  Grid _right_side{_pattern};
  Grid _solution{_pattern};
  Grid _residual{_pattern};
  Halo _halo{_solution, neighbours};
  Halo _residual_halo{_residual, neighbours};
  Halo::StencilOperator_t<Stencil> _operator = _halo.stencil_operator(neighbours);
  Halo::StencilOperator_t<Stencil> _residual_operator = _residual_halo.stencil_operator(neighbours);
  std::unique_ptr<Level> _coarser;
};

// --8<-- [start:problem]
/// A factor of the known solution g(x) g(y) g(z), and its second derivative.
double g(double t) {
  return (t - t * t) * std::exp(t);
}
double second_derivative(double t) {
  return -(3 * t + t * t) * std::exp(t);
}
// --8<-- [end:problem]

struct Result {
  double error;  // the largest difference from the known solution
  bool has_converged;
};

// --8<-- [start:solve]
Result solve(long num_points, dash::Team& self) {
  Level level(num_points, dash::Team::All(), self);
  const double h = 1 / static_cast<double>(num_points - 1);
  level.for_each([&](long i, long j, long k, long position) {
    const double x = h * static_cast<double>(i);
    const double y = h * static_cast<double>(j);
    const double z = h * static_cast<double>(k);
    const double laplacian = second_derivative(x) * g(y) * g(z) +
                             g(x) * second_derivative(y) * g(z) +
                             g(x) * g(y) * second_derivative(z);
    level.right_side().lbegin()[position] = -h * h * laplacian;
  });

  const auto norm = [&] {
    double sum = 0;
    level.for_each([&](long, long, long, long position) {
      sum += std::pow(level.residual().lbegin()[position], 2);
    });
    return std::sqrt(dash::allreduce_async(sum, dash::plus<double>(), level.team()).get());
  };
  level.compute_residual();
  const double first = norm();
  double last = first;
  bool has_converged = true;
  for (int cycle = 1; has_converged && last > tolerance * first; ++cycle) {
    level.cycle();
    level.compute_residual();
    const double now = norm();
    if (dash::myid() == 0) std::printf("cycle %d: residual %.2e\n", cycle, now / first);
    has_converged = now * min_reduction <= last;
    last = now;
  }
  // --8<-- [end:solve]

  double error = 0;
  level.for_each([&](long i, long j, long k, long position) {
    const double expected = g(h * static_cast<double>(i)) * g(h * static_cast<double>(j)) *
                            g(h * static_cast<double>(k));
    error = std::max(error, std::abs(level.solution().lbegin()[position] - expected));
  });
  error = dash::allreduce_async(error, dash::max<double>()).get();
  if (dash::myid() == 0) std::printf("%ld^3 points: error %.2e\n", num_points, error);
  return {error, has_converged};
}

// --8<-- [start:check]
int run(long num_points) {
  dash::Team& all = dash::Team::All();
  dash::Team& self = all.size() == 1 ? all : all.split(static_cast<unsigned>(all.size()));
  const Result coarse = solve((num_points + 1) / 2, self);
  const Result fine = solve(num_points, self);
  // The error is proportional to the square of the distance between points.
  const double ratio = coarse.error / fine.error;
  const bool is_right = coarse.has_converged && fine.has_converged && ratio > 3.5 && ratio < 4.5;
  if (dash::myid() == 0) {
    std::printf("half the distance divides the error by %.2f\n", ratio);
    if (!is_right) std::fprintf(stderr, "multigrid: the result is wrong\n");
  }
  return is_right ? 0 : 1;
}
// --8<-- [end:check]

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  const int num_levels = argc > 1 ? std::atoi(argv[1]) : 5;
  int result = 1;
  if (num_levels >= 4 && num_levels <= 10) {
    result = run((1L << num_levels) + 1);
  } else if (dash::myid() == 0) {
    std::fprintf(stderr, "multigrid: expected a number of levels from 4 to 10\n");
  }
  dash::finalize();
  return result;
}
