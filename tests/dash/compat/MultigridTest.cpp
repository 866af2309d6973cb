// dash-test: parallel units=1,2,3,4 layouts=node,nolocal

// A multigrid solver in the form that programs for DASH 0.4 have: halos with values of the user at
// the border, two stencils on one matrix, the coarsest level on sub-teams.

#include <libdash.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#ifdef DASH_LEAN  // Other programs get this header with <libdash.h>.
#include "dash/halo/HaloMatrixWrapper.h"
#endif
#include "support/Catch.h"

namespace {

using MatrixT = dash::NArray<double, 3>;
using PatternT = MatrixT::pattern_type;
using GlobMemT = MatrixT::GlobMem_t;
using Coords = std::array<dash::default_index_t, 3>;
using Point = dash::halo::StencilPoint<3>;
using StarSpec = dash::halo::StencilSpec<Point, 6>;
using BoxSpec = dash::halo::StencilSpec<Point, 26>;
using Bounds = dash::halo::GlobalBoundarySpec<3>;
using HaloT = dash::halo::HaloMatrixWrapper<MatrixT>;

template <class Spec>
using OperatorT = dash::halo::StencilOperator<double, PatternT, GlobMemT, Spec>;

constexpr StarSpec star_spec(Point(-1, 0, 0), Point(1, 0, 0), Point(0, -1, 0), Point(0, 1, 0),
                             Point(0, 0, -1), Point(0, 0, 1));
// Weights of a linear interpolation from a coarse element to the fine ones around it.
constexpr BoxSpec box_spec(Point(0.125, -1, -1, -1), Point(0.25, -1, -1, 0),
                           Point(0.125, -1, -1, 1), Point(0.25, -1, 0, -1), Point(0.5, -1, 0, 0),
                           Point(0.25, -1, 0, 1), Point(0.125, -1, 1, -1), Point(0.25, -1, 1, 0),
                           Point(0.125, -1, 1, 1), Point(0.25, 0, -1, -1), Point(0.5, 0, -1, 0),
                           Point(0.25, 0, -1, 1), Point(0.5, 0, 0, -1), Point(0.5, 0, 0, 1),
                           Point(0.25, 0, 1, -1), Point(0.5, 0, 1, 0), Point(0.25, 0, 1, 1),
                           Point(0.125, 1, -1, -1), Point(0.25, 1, -1, 0), Point(0.125, 1, -1, 1),
                           Point(0.25, 1, 0, -1), Point(0.5, 1, 0, 0), Point(0.25, 1, 0, 1),
                           Point(0.125, 1, 1, -1), Point(0.25, 1, 1, 0), Point(0.125, 1, 1, 1));
constexpr Bounds bounds(dash::halo::BoundaryProp::CUSTOM, dash::halo::BoundaryProp::CUSTOM,
                        dash::halo::BoundaryProp::CUSTOM);

constexpr double damping = 6.0 / 7;
constexpr int coarsest = 2;
constexpr int sweeps_on_coarsest = 40;
constexpr int cycles = 4;

/// The solution outside of the finest grid.
double border_value(dash::default_index_t z, dash::default_index_t y, dash::default_index_t x) {
  return 1 + 0.1 * static_cast<double>(z) - 0.2 * static_cast<double>(y * x);
}
/// The right-hand side on the finest grid.
double source_value(dash::default_index_t z, dash::default_index_t y, dash::default_index_t x) {
  return std::sin(static_cast<double>(3 * z + 5 * y + 7 * x));
}

// The solver on one processor, on plain memory.

struct Grid {
  explicit Grid(const Coords& sizes, bool finest = false)
      : extents(sizes),
        values(static_cast<std::size_t>(sizes[0] * sizes[1] * sizes[2])),
        has_border_values(finest) {}

  bool contains(const Coords& c) const {
    return std::min({c[0], c[1], c[2]}) >= 0 && c[0] < extents[0] && c[1] < extents[1] &&
           c[2] < extents[2];
  }
  double& operator[](const Coords& c) {
    return values[static_cast<std::size_t>((c[0] * extents[1] + c[1]) * extents[2] + c[2])];
  }
  double get(const Coords& c) {
    if (contains(c)) return (*this)[c];
    return has_border_values ? border_value(c[0], c[1], c[2]) : 0;
  }

  Coords extents;
  std::vector<double> values;
  bool has_border_values;
};

template <class Fn>
void for_each_element(const Coords& extents, Fn fn) {
  for (dash::default_index_t z = 0; z < extents[0]; ++z) {
    for (dash::default_index_t y = 0; y < extents[1]; ++y) {
      for (dash::default_index_t x = 0; x < extents[2]; ++x)
        fn(Coords{z, y, x});
    }
  }
}

Coords center_of(const Coords& coarse) {
  return {2 * coarse[0] + 1, 2 * coarse[1] + 1, 2 * coarse[2] + 1};
}

struct SerialLevel {
  SerialLevel(const Coords& extents, int level)
      : solution(extents, level == 0), rhs(extents), residual(extents), spacing(1 << level) {}

  double laplacian(const Coords& c) {
    double sum = -6 * solution.get(c);
    for (const Point& point : star_spec.specs())
      sum += solution.get({c[0] + point[0], c[1] + point[1], c[2] + point[2]});
    return sum / (spacing * spacing);
  }
  double compute_residual() {
    double sum = 0;
    for_each_element(rhs.extents, [&](const Coords& c) {
      residual[c] = rhs[c] + laplacian(c);
      sum += residual[c] * residual[c];
    });
    return std::sqrt(sum);
  }
  void smooth(int sweeps) {
    for (; sweeps > 0; --sweeps) {
      compute_residual();
      for_each_element(rhs.extents, [&](const Coords& c) {
        solution[c] += damping / 6 * spacing * spacing * residual[c];
      });
    }
  }

  Grid solution, rhs, residual;
  double spacing;
};

void serial_cycle(std::vector<SerialLevel>& levels, int level) {
  SerialLevel& fine = levels[level];
  if (level == coarsest) return fine.smooth(sweeps_on_coarsest);
  SerialLevel& coarse = levels[level + 1];
  fine.smooth(2);
  fine.compute_residual();
  for_each_element(coarse.rhs.extents, [&](const Coords& c) {
    const Coords center = center_of(c);
    double sum = fine.residual.get(center);
    for (const Point& p : box_spec.specs()) {
      sum += p.coefficient() *
             fine.residual.get({center[0] + p[0], center[1] + p[1], center[2] + p[2]});
    }
    coarse.rhs[c] = sum / 8;
    coarse.solution[c] = 0;
  });
  serial_cycle(levels, level + 1);
  for_each_element(coarse.rhs.extents, [&](const Coords& c) {
    const Coords center = center_of(c);
    fine.solution[center] += coarse.solution[c];
    for (const Point& p : box_spec.specs()) {
      const Coords point = {center[0] + p[0], center[1] + p[1], center[2] + p[2]};
      fine.solution[point] += p.coefficient() * coarse.solution[c];
    }
  });
  fine.smooth(2);
}

// The solver on all units.

/// A sum over the units of a team. Each unit writes its value to all others.
class AsyncSum {
 public:
  explicit AsyncSum(dash::Team& team) : _values(team.size() * team.size(), dash::BLOCKED, team) {}

  /// \param value  must stay valid until the sum is returned
  void start(const double* value) {
    const int units = static_cast<int>(_values.team().size());
    for (int unit = 0; unit < units; ++unit)
      _values.async[unit * units + _values.team().myid()].set(value);
  }
  /// Before the next call of start(), the units must have passed a barrier.
  double finish() {
    _values.async.flush();
    _values.barrier();
    double sum = 0;
    for (const double value : _values.local)
      sum += value;
    return sum;
  }

 private:
  dash::Array<double> _values;
};

struct Field {
  explicit Field(const PatternT& pattern)
      : matrix(pattern),
        halo(matrix, bounds, box_spec, star_spec),
        star(halo.stencil_operator(star_spec)),
        box(halo.stencil_operator(box_spec)) {
    dash::fill(matrix.begin(), matrix.end(), 0.0);
    halo.set_custom_halos([](const Coords&) { return 0.0; });
  }

  MatrixT matrix;
  HaloT halo;
  OperatorT<StarSpec> star;
  OperatorT<BoxSpec> box;
};

struct Level {
  Level(const Coords& sizes, const dash::TeamSpec<3>& grid, dash::Team& team, int level)
      : extents(sizes),
        pattern(dash::SizeSpec<3>(static_cast<std::size_t>(sizes[0]),
                                  static_cast<std::size_t>(sizes[1]),
                                  static_cast<std::size_t>(sizes[2])),
                dash::DistributionSpec<3>(dash::BLOCKED, dash::BLOCKED, dash::BLOCKED), grid, team),
        rhs(pattern),
        first(pattern),
        second(pattern),
        residual(pattern),
        squares(team),
        spacing(1 << level) {}

  Coords local_extents() const {
    Coords result;
    for (int d = 0; d < 3; ++d)
      result[d] = static_cast<dash::default_index_t>(rhs.local.extent(d));
    return result;
  }

  /// Jacobi iterations, which compute inner elements during the exchange of halos.
  void smooth(int sweeps) {
    for (; sweeps > 0; --sweeps) {
      double* const result = next->matrix.lbegin();
      const double* const source = rhs.lbegin();
      const auto relaxed = [&](auto& it) {
        double sum = -6 * *it;
        for (int point = 0; point < 6; ++point)
          sum += it.value_at(point);
        return *it + damping / 6 * (spacing * spacing * source[it.lpos()] + sum);
      };
      current->halo.update_async();
      for (auto it = current->star.inner.begin(); it != current->star.inner.end(); ++it)
        result[it.lpos()] = relaxed(it);
      current->halo.wait();
      const auto end = current->star.boundary.end();
      for (auto it = current->star.boundary.begin(); it != end; ++it)
        result[it.lpos()] = relaxed(it);
      std::swap(current, next);
      current->matrix.barrier();
    }
  }

  /// \returns the norm of the residual
  double compute_residual() {
    current->halo.update_async();
    double local_sum = 0;
    const auto set = [&](const Coords& c, double laplacian) {
      const double value = rhs.local(c[0], c[1], c[2]) + laplacian / (spacing * spacing);
      residual.matrix.local[c[0]][c[1]][c[2]] = value;
      local_sum += value * value;
    };
    const auto& star = current->star;
    for (auto it = star.inner.begin(); it != star.inner.end(); ++it)
      set(it.coords(), star.inner.get_value_at(it.coords(), -6.0));
    current->halo.wait();
    for (auto it = star.boundary.begin(); it != star.boundary.end(); ++it)
      set(it.coords(), star.boundary.get_value_at(it.coords(), -6.0));
    squares.start(&local_sum);
    return std::sqrt(squares.finish());
  }

  Coords extents;
  PatternT pattern;
  MatrixT rhs;
  Field first, second, residual;
  AsyncSum squares;
  double spacing;
  Field* current = &first;
  Field* next = &second;
};

/// Whether all neighbours of an element are in the block.
template <class Spec>
bool is_inner(const OperatorT<Spec>& op, const Coords& c) {
  const auto view = op.inner.view();
  for (int d = 0; d < 3; ++d) {
    const auto begin = view.offset(d);
    if (c[d] < begin || c[d] >= begin + static_cast<dash::default_index_t>(view.extent(d)))
      return false;
  }
  return true;
}

/// The number of elements that need halos, from an operator in the older form of its type.
template <class T, class P, class M, class Spec>
long count_boundary(dash::halo::StencilOperator<T, P, M, Spec>& op) {
  return op.boundary.end() - op.boundary.begin();
}

void restrict_residual(Level& fine, Level& coarse) {
  fine.residual.halo.update();
  const OperatorT<BoxSpec>& box = fine.residual.box;
  for_each_element(coarse.local_extents(), [&](const Coords& c) {
    const Coords center = center_of(c);
    const double sum = is_inner(box, center) ? box.inner.get_value_at(center, 1.0)
                                             : box.boundary.get_value_at(center, 1.0);
    coarse.rhs.local[c[0]][c[1]][c[2]] = sum / 8;
  });
  dash::fill(coarse.current->matrix.begin(), coarse.current->matrix.end(), 0.0);
  coarse.rhs.barrier();
}

void add_correction(Level& coarse, Level& fine) {
  coarse.current->halo.update();
  const OperatorT<BoxSpec>& box = fine.current->box;
  const Coords extents = coarse.local_extents();
  for_each_element(extents, [&](const Coords& c) {
    const Coords center = center_of(c);
    const double value = coarse.current->matrix.local[c[0]][c[1]][c[2]];
    if (is_inner(box, center)) {
      box.inner.set_values_at(center, value, 1.0, std::plus<double>());
    } else {
      box.boundary.set_values_at(center, value, 1.0, std::plus<double>());
    }
  });
  // Coarse elements of the preceding neighbours contribute to the first fine elements.
  const Grid block(fine.local_extents());
  for_each_element({extents[0] + 1, extents[1] + 1, extents[2] + 1}, [&](const Coords& shifted) {
    const Coords c = {shifted[0] - 1, shifted[1] - 1, shifted[2] - 1};
    const double* value = coarse.current->halo.halo_element_at_local(c);
    if (std::min({c[0], c[1], c[2]}) >= 0 || value == nullptr) return;
    const Coords center = center_of(c);
    for (const Point& p : box_spec.specs()) {
      const Coords point = {center[0] + p[0], center[1] + p[1], center[2] + p[2]};
      if (block.contains(point))
        fine.current->matrix.local[point[0]][point[1]][point[2]] += p.coefficient() * *value;
    }
  });
  fine.current->matrix.barrier();
}

/// Solves the equations of the coarsest level on each sub-team, and distributes the result of one.
void solve_on_part(Level& all, Level& part) {
  std::vector<double> values(all.rhs.size());
  dash::copy(all.rhs.begin(), all.rhs.end(), values.data());
  Grid source(all.extents);
  source.values = values;
  for_each_element(part.local_extents(), [&](const Coords& c) {
    part.rhs.local[c[0]][c[1]][c[2]] = source[part.pattern.global(c)];
  });
  dash::fill(part.current->matrix.begin(), part.current->matrix.end(), 0.0);
  part.rhs.barrier();
  part.smooth(sweeps_on_coarsest);

  MatrixT& result = part.current->matrix;
  const auto begin = all.current->matrix.begin() + part.pattern.lbegin();
  if (part.rhs.team().position() == 0) dash::copy(result.lbegin(), result.lend(), begin);
  all.rhs.barrier();
  std::vector<double> copied(result.local_size());
  dash::copy(begin, begin + static_cast<dash::default_index_t>(copied.size()), copied.data());
  double difference = 0;
  for (std::size_t i = 0; i < copied.size(); ++i)
    difference = std::max(difference, std::abs(copied[i] - result.lbegin()[i]));
  CHECK(difference < 1e-12);
}

void cycle(std::vector<std::unique_ptr<Level>>& levels, int level, Level& part) {
  Level& fine = *levels[level];
  if (level == coarsest) return solve_on_part(fine, part);
  Level& coarse = *levels[level + 1];
  fine.smooth(2);
  fine.compute_residual();
  restrict_residual(fine, coarse);
  cycle(levels, level + 1, part);
  add_correction(coarse, fine);
  fine.smooth(2);
}

TEST_CASE("A multigrid solver reduces the residual as on one processor") {
  dash::Team& team = dash::Team::All();
  dash::TeamSpec<3> grid(team);
  grid.balance_extents();
  // The blocks of all levels begin at the same points, since the last block lacks one element.
  std::vector<std::unique_ptr<Level>> levels;
  std::vector<SerialLevel> serial;
  Coords extents;
  for (int level = 0; level <= coarsest; ++level) {
    for (int d = 0; d < 3; ++d)
      extents[d] = static_cast<dash::default_index_t>((8U >> level) * grid.num_units(d) - 1);
    levels.push_back(std::make_unique<Level>(extents, grid, team, level));
    serial.emplace_back(extents, level);
  }
  const auto parts = std::max<std::size_t>(2, grid.num_units(1) * grid.num_units(2));
  dash::Team& part_team = team.size() == 1 ? team : team.split(static_cast<unsigned>(parts));
  const dash::TeamSpec<3> part_grid(part_team.size(), 1, 1);
  Level part(extents, part_grid, part_team, coarsest);

  Level& finest = *levels.front();
  for (Field* field : {&finest.first, &finest.second}) {
    field->halo.set_custom_halos(
        [](const auto& coords) { return border_value(coords[0], coords[1], coords[2]); });
  }
  for_each_element(finest.local_extents(), [&](const Coords& local) {
    const Coords c = finest.pattern.global(local);
    finest.rhs.local[local[0]][local[1]][local[2]] = source_value(c[0], c[1], c[2]);
  });
  for_each_element(finest.extents,
                   [&](const Coords& c) { serial[0].rhs[c] = source_value(c[0], c[1], c[2]); });
  finest.rhs.barrier();

  OperatorT<StarSpec> star = finest.current->halo.stencil_operator(star_spec);
  const Coords local = finest.local_extents();
  const Coords inner = {local[0] - 2, local[1] - 2, local[2] - 2};
  CHECK(count_boundary(star) == local[0] * local[1] * local[2] - inner[0] * inner[1] * inner[2]);

  dash::Shared<double> last_norm(finest.compute_residual());
  CHECK(static_cast<double>(last_norm.get()) == Approx(serial[0].compute_residual()));
  for (int i = 0; i < cycles; ++i) {
    CAPTURE(i);
    cycle(levels, 0, part);
    serial_cycle(serial, 0);
    const double norm = finest.compute_residual();
    const double serial_norm = serial[0].compute_residual();
    CHECK(norm == Approx(serial_norm).epsilon(1e-9));
    CHECK(norm < 0.3 * last_norm.get());
    last_norm.barrier();
    if (team.myid() == 0) last_norm.set(norm);
    last_norm.barrier();
  }

  std::vector<double> solution(finest.rhs.size());
  MatrixT& matrix = finest.current->matrix;
  CHECK(dash::copy(matrix.begin(), matrix.end(), solution.data()) ==
        solution.data() + solution.size());
  double difference = 0;
  for (std::size_t i = 0; i < solution.size(); ++i)
    difference = std::max(difference, std::abs(solution[i] - serial[0].solution.values[i]));
  CHECK(difference < 1e-10);
  matrix.barrier();
}

}  // namespace
