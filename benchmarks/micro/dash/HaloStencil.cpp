// dash-bench: units=2 layouts=node quick=node
//
// A whole step of a stencil with its halos, by stencil_for and by the operator's inner and boundary parts,
// on blocks whose border is a small part of the work, a large part, and all of it. The baseline is an array
// with ghost cells, which are copied from the opposite side, and one loop over all elements. Each unit is
// its own neighbour, and both units compute at the same time, so that only the computation of a unit is
// compared.

#include <dash/Init.h>
#include <dash/Matrix.h>
#include <dash/halo/HaloMatrixWrapper.h>
#include <dash/halo/stencil/StencilFor.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/Comparison.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr double weight = 0.01;
constexpr double sample_ns = 5e6;

using Extents = std::array<std::size_t, 3>;
using Point = dash::halo::StencilPoint<3>;

/// The neighbours along each axis up to the distance Width.
template <int Width>
auto star() {
  std::array<Point, 6 * Width> points;
  std::size_t next = 0;
  for (int distance = 1; distance <= Width; ++distance) {
    for (const int offset : {-distance, distance}) {
      points[next++] = Point(offset, 0, 0);
      points[next++] = Point(0, offset, 0);
      points[next++] = Point(0, 0, offset);
    }
  }
  return dash::halo::StencilSpec<Point, 6 * Width>(points);
}

double start_value(std::size_t i, std::size_t j, std::size_t k) {
  return static_cast<double>((i * 31 + j * 17 + k * 7) % 64);
}

/// Two arrays with ghost cells on all sides, swapped after each step.
template <int Width>
class GhostCellArray {
 public:
  explicit GhostCellArray(const Extents& extents)
      : _extents(extents),
        _rows(extents[1] + 2 * Width),
        _columns(extents[2] + 2 * Width),
        _now((extents[0] + 2 * Width) * _rows * _columns),
        _next(_now.size()) {
    for (std::size_t i = 0; i < extents[0]; ++i) {
      for (std::size_t j = 0; j < extents[1]; ++j) {
        for (std::size_t k = 0; k < extents[2]; ++k)
          _now[index(i, j, k)] = start_value(i, j, k);
      }
    }
  }

  void step() {
    fill_ghosts();
    std::array<std::ptrdiff_t, 6 * Width> offsets;
    const std::array<std::size_t, 3> strides{_rows * _columns, _columns, 1};
    std::size_t next = 0;
    for (int distance = 1; distance <= Width; ++distance) {
      for (const int sign : {-1, 1}) {
        for (const std::size_t stride : strides)
          offsets[next++] = sign * distance * static_cast<std::ptrdiff_t>(stride);
      }
    }
    for (std::size_t i = 0; i < _extents[0]; ++i) {
      for (std::size_t j = 0; j < _extents[1]; ++j)
        compute_row(&_now[index(i, j, 0)], &_next[index(i, j, 0)], offsets);
    }
    _now.swap(_next);
  }

  double operator()(std::size_t i, std::size_t j, std::size_t k) const {
    return _now[index(i, j, k)];
  }

 private:
  std::size_t index(std::size_t i, std::size_t j, std::size_t k) const {
    return ((i + Width) * _rows + j + Width) * _columns + k + Width;
  }

  void compute_row(const double* now, double* __restrict next,
                   const std::array<std::ptrdiff_t, 6 * Width>& offsets) const {
    for (std::size_t k = 0; k < _extents[2]; ++k) {
      double sum = now[k];
      for (const std::ptrdiff_t offset : offsets)
        sum += weight * (now[static_cast<std::ptrdiff_t>(k) + offset] - now[k]);
      next[k] = sum;
    }
  }

  /// Fills the faces only, which is sufficient for a star.
  void fill_ghosts() {
    const std::size_t row = _extents[2];
    for (std::size_t w = 1; w <= Width; ++w) {
      for (std::size_t j = 0; j < _extents[1]; ++j) {
        std::copy_n(&_now[index(_extents[0] - w, j, 0)], row, &_now[index(0 - w, j, 0)]);
        std::copy_n(&_now[index(w - 1, j, 0)], row, &_now[index(_extents[0] + w - 1, j, 0)]);
      }
      for (std::size_t i = 0; i < _extents[0]; ++i) {
        std::copy_n(&_now[index(i, _extents[1] - w, 0)], row, &_now[index(i, 0 - w, 0)]);
        std::copy_n(&_now[index(i, w - 1, 0)], row, &_now[index(i, _extents[1] + w - 1, 0)]);
        for (std::size_t j = 0; j < _extents[1]; ++j) {
          _now[index(i, j, 0 - w)] = _now[index(i, j, row - w)];
          _now[index(i, j, row + w - 1)] = _now[index(i, j, w - 1)];
        }
      }
    }
  }

  Extents _extents;
  std::size_t _rows;
  std::size_t _columns;
  std::vector<double> _now;
  std::vector<double> _next;
};

/// Two matrices of a team of one unit, swapped after each step.
template <int Width>
class HaloMatrices {
 public:
  explicit HaloMatrices(const Extents& extents)
      : _a(pattern_of(extents)),
        _b(pattern_of(extents)),
        _halo_a(_a, bounds(), star<Width>()),
        _halo_b(_b, bounds(), star<Width>()),
        _op_a(_halo_a.stencil_operator(star<Width>())),
        _op_b(_halo_b.stencil_operator(star<Width>())) {
    auto* element = _a.lbegin();
    for (std::size_t i = 0; i < extents[0]; ++i) {
      for (std::size_t j = 0; j < extents[1]; ++j) {
        for (std::size_t k = 0; k < extents[2]; ++k)
          *element++ = start_value(i, j, k);
      }
    }
  }

  void step_with_stencil_for() {
    dash::halo::stencil_for(*_now, *_op, _next->matrix().lbegin(), [](const auto& cell) {
      double sum = cell.center();
      for (std::size_t point = 0; point < 6 * Width; ++point)
        sum += weight * (cell[point] - cell.center());
      return sum;
    });
    swap();
  }

  void step_with_parts() {
    double* const next = _next->matrix().lbegin();
    _now->update_async();
    _op->inner.update(next,
                      [](const double* center, double* to, auto /*offset*/, const auto& offsets) {
                        double sum = *center;
                        for (const auto offset : offsets)
                          sum += weight * (center[offset] - *center);
                        *to = sum;
                      });
    _now->wait();
    _op->boundary.update(next, [](const auto& at) {
      double sum = *at;
      for (std::size_t point = 0; point < 6 * Width; ++point)
        sum += weight * (at.value_at(point) - *at);
      return sum;
    });
    swap();
  }

  const double* elements() { return _now->matrix().lbegin(); }

 private:
  using Matrix = dash::NArray<double, 3>;
  using Halo = dash::halo::HaloMatrixWrapper<Matrix>;
  using Operator = Halo::StencilOperator_t<dash::halo::StencilSpec<Point, 6 * Width>>;

  static dash::BlockPattern<3> pattern_of(const Extents& extents) {
    // A separate team for each unit.
    static dash::Team& own =
        dash::size() == 1 ? dash::Team::All() : dash::Team::All().split(dash::size());
    return dash::BlockPattern<3>(dash::SizeSpec<3>(extents[0], extents[1], extents[2]),
                                 dash::DistributionSpec<3>(dash::BLOCKED, dash::NONE, dash::NONE),
                                 dash::TeamSpec<3>(1, 1, 1), own);
  }
  static dash::halo::GlobalBoundarySpec<3> bounds() {
    using dash::halo::BoundaryProp;
    return {BoundaryProp::CYCLIC, BoundaryProp::CYCLIC, BoundaryProp::CYCLIC};
  }
  void swap() {
    std::swap(_now, _next);
    _op = _now == &_halo_a ? &_op_a : &_op_b;
  }

  Matrix _a;
  Matrix _b;
  Halo _halo_a;
  Halo _halo_b;
  Operator _op_a;
  Operator _op_b;
  Halo* _now = &_halo_a;
  Halo* _next = &_halo_b;
  Operator* _op = &_op_a;
};

template <int Width>
void check(const GhostCellArray<Width>& baseline, const double* elements, const Extents& extents) {
  for (std::size_t i = 0; i < extents[0]; ++i) {
    for (std::size_t j = 0; j < extents[1]; ++j) {
      for (std::size_t k = 0; k < extents[2]; ++k, ++elements) {
        if (std::abs(*elements - baseline(i, j, k)) > 1e-9)
          throw std::runtime_error("the result of a stencil differs from that of the loop");
      }
    }
  }
}

template <int Width>
void measure(const std::string& size, const Extents& extents, Table& table) {
  GhostCellArray<Width> baseline(extents);
  HaloMatrices<Width> ours(extents);
  HaloMatrices<Width> parts(extents);
  for (int step = 0; step < 3; ++step) {
    baseline.step();
    ours.step_with_stencil_for();
    parts.step_with_parts();
  }
  check(baseline, ours.elements(), extents);
  check(baseline, parts.elements(), extents);

  const double cells = static_cast<double>(extents[0] * extents[1] * extents[2]);
  const long steps = repetitions_within(sample_ns, 2 * cells);
  const Candidate ghost_cells = [&] {
    return measure_ns_per_call(steps, [&](long) { baseline.step(); });
  };
  const auto add = [&](const std::string& method, const auto& step) {
    const Candidate halos = [&] { return measure_ns_per_call(steps, [&](long) { step(); }); };
    table.add(make_row(fmt::format("star of width {}, {}", Width, method), size,
                       "array with ghost cells", compare(halos, ghost_cells)));
  };
  add("stencil_for", [&] { ours.step_with_stencil_for(); });
  add("inner and boundary", [&] { parts.step_with_parts(); });
}

void measure_all(const World& world) {
  Table table;
  const std::vector<std::pair<std::string, Extents>> blocks{{"32 x 32 x 32", {32, 32, 32}},
                                                            {"64 x 64 x 64", {64, 64, 64}},
                                                            {"4 x 128 x 512", {4, 128, 512}}};
  for (const auto& [size, extents] : blocks) {
    measure<1>(size, extents, table);
    measure<2>(size, extents, table);
    if (world.is_first_unit()) table.flush();
  }
  if (world.is_first_unit()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure_all);
}
