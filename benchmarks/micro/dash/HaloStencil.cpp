// dash-bench: units=2 layouts=node quick=node
//
// A whole step of a stencil with its halos, by stencil_for and by the operator's inner and boundary parts.
// The baseline is an array with ghost cells, which are copied from the opposite side, and one loop over all
// elements, with the same function. Each unit is its own neighbour, and both units compute at the same time,
// so that only the computation of a unit is compared.

#include <dash/Init.h>
#include <dash/Matrix.h>
#include <dash/halo/HaloMatrixWrapper.h>
#include <dash/halo/stencil/StencilFor.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/Comparison.h"
#include "support/Sampling.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr double sample_ns = 5e6;

template <std::size_t N>
using Extents = std::array<long, N>;
using Index = std::ptrdiff_t;

/// The neighbours along each axis up to the distance Width, with a weight for each distance.
template <std::size_t N, int Width, class T>
struct Star {
  static constexpr std::size_t dimensions = N;
  static constexpr int width = Width;
  static constexpr bool has_corners = false;
  static constexpr std::size_t num_points = 2 * N * Width;
  using Value = T;

  T center = static_cast<T>(0.4);
  std::array<T, Width> weights = default_weights();

  template <class Cell>
  T operator()(const Cell& cell) const {
    T sum = center * cell.center();
    for (int r = 1; r <= Width; ++r) {
      T ring;
      if constexpr (N == 2)
        ring = cell(-r, 0) + cell(r, 0) + cell(0, -r) + cell(0, r);
      else
        ring = cell(-r, 0, 0) + cell(r, 0, 0) + cell(0, -r, 0) + cell(0, r, 0) + cell(0, 0, -r) +
               cell(0, 0, r);
      sum += weights[static_cast<std::size_t>(r - 1)] * ring;
    }
    return sum;
  }

  static std::array<std::array<int, N>, num_points> offsets() {
    std::array<std::array<int, N>, num_points> all{};
    std::size_t next = 0;
    for (int r = 1; r <= Width; ++r) {
      for (std::size_t d = 0; d < N; ++d) {
        all[next++][d] = -r;
        all[next++][d] = r;
      }
    }
    return all;
  }

  static constexpr std::array<T, Width> default_weights() {
    std::array<T, Width> values{};
    for (int r = 0; r < Width; ++r)
      values[static_cast<std::size_t>(r)] = static_cast<T>(0.6 / (2 * N * Width) / (1 + 0.1 * r));
    return values;
  }
};

/// A star whose weights are constants.
template <std::size_t N, int Width, class T>
struct ConstantStar : Star<N, Width, T> {
  template <class Cell>
  T operator()(const Cell& cell) const {
    constexpr Star<N, Width, T> star;
    return star(cell);
  }
};

/// All neighbours, including diagonal ones, with a weight for each number of axes along which they differ.
template <std::size_t N, class T>
struct Box {
  static constexpr std::size_t dimensions = N;
  static constexpr int width = 1;
  static constexpr bool has_corners = true;
  static constexpr std::size_t num_points = (N == 2 ? 9 : 27) - 1;
  using Value = T;

  std::array<T, 4> weights = {static_cast<T>(0.3), static_cast<T>(0.02), static_cast<T>(0.01),
                              static_cast<T>(0.005)};

  template <class Cell>
  T operator()(const Cell& cell) const {
    T sum = 0;
    for (int i = -1; i <= 1; ++i) {
      for (int j = -1; j <= 1; ++j) {
        if constexpr (N == 2) {
          sum += weights[static_cast<std::size_t>(i * i + j * j)] * cell(i, j);
        } else {
          for (int k = -1; k <= 1; ++k)
            sum += weights[static_cast<std::size_t>(i * i + j * j + k * k)] * cell(i, j, k);
        }
      }
    }
    return sum;
  }

  static std::array<std::array<int, N>, num_points> offsets() {
    std::array<std::array<int, N>, num_points> all{};
    std::size_t next = 0;
    for (std::size_t code = 0; code <= num_points; ++code) {
      if (code == num_points / 2) continue;  // the centre
      std::size_t rest = code;
      for (std::size_t d = N; d-- > 0; rest /= 3)
        all[next][d] = static_cast<int>(rest % 3) - 1;
      ++next;
    }
    return all;
  }
};

template <std::size_t N>
double start_value(const std::array<long, N>& at) {
  long sum = 0;
  for (const long coord : at)
    sum = sum * 31 + coord * 7;
  return static_cast<double>(sum % 64);
}

/// Calls fn for all coordinates in memory order.
template <std::size_t N, class Fn>
void for_each(const Extents<N>& extents, Fn fn) {
  std::array<long, N> at{};
  while (true) {
    fn(std::as_const(at));
    std::size_t d = N;
    while (d > 0 && ++at[d - 1] == extents[d - 1])
      at[--d] = 0;
    if (d == 0) return;
  }
}

/// An element of an array with ghost cells.
template <class T, std::size_t N>
struct GhostCell {
  const T* element;
  const std::array<Index, N>& strides;

  T center() const { return *element; }
  template <class... Distances>
  T operator()(Distances... distances) const {
    const std::array<Index, N> by{distances...};
    Index distance = by[N - 1];
    for (std::size_t d = 0; d + 1 < N; ++d)
      distance += by[d] * strides[d];
    return element[distance];
  }
};

/// Two arrays with ghost cells on all sides, swapped after each step.
template <class Stencil>
class GhostCellArray {
  static constexpr std::size_t N = Stencil::dimensions;
  static constexpr long width = Stencil::width;
  using T = typename Stencil::Value;

 public:
  explicit GhostCellArray(const Extents<N>& extents) : _extents(extents) {
    Index size = 1;
    for (std::size_t d = N; d-- > 0;) {
      _strides[d] = size;
      size *= extents[d] + 2 * width;
    }
    _now.resize(static_cast<std::size_t>(size));
    _next.resize(_now.size());
    for_each<N>(extents, [&](const auto& at) { *element(at) = static_cast<T>(start_value(at)); });
  }

  void step(const Stencil& stencil) {
    fill_ghosts();
    const Index offset = element({}) - _now.data();
    auto rows = _extents;
    rows[N - 1] = 1;
    for_each<N>(rows, [&](const auto& at) {
      const Index row = offset + position(at);
      compute_row(_now.data() + row, _next.data() + row, stencil);
    });
    _now.swap(_next);
  }

  T operator()(const std::array<long, N>& at) { return *element(at); }

 private:
  Index position(const std::array<long, N>& at) const {
    Index sum = 0;
    for (std::size_t d = 0; d < N; ++d)
      sum += at[d] * _strides[d];
    return sum;
  }
  T* element(const std::array<long, N>& at) {
    Index sum = position(at);
    for (const Index stride : _strides)
      sum += width * stride;
    return _now.data() + sum;
  }

  /// Not inlined: otherwise g++ 12 does not vectorize the loop if the stencil has many points.
  [[gnu::noinline]] void compute_row(const T* now, T* __restrict next, const Stencil& given) const {
    const Stencil stencil = given;
    const std::array<Index, N> strides = _strides;
    for (Index k = 0; k < _extents[N - 1]; ++k)
      next[k] = stencil(GhostCell<T, N>{now + k, strides});
  }

  /// Fills the ghost cells, one dimension after the other; without corners if the stencil has none.
  void fill_ghosts() {
    std::array<long, N> low{};
    Extents<N> size = _extents;
    for (std::size_t d = N; d-- > 0;) {
      auto face = size;
      face[d] = width;
      const Index extent = _extents[d] * _strides[d];
      copy_box(low, face, d, -width, extent);
      copy_box(low, face, d, _extents[d], -extent);
      if (!Stencil::has_corners) continue;
      low[d] = -width;
      size[d] += 2 * width;
    }
  }

  /// Sets elements of a box to those at a distance.
  void copy_box(std::array<long, N> low, Extents<N> size, std::size_t dimension, long begin,
                Index distance) {
    low[dimension] = begin;
    const long row = std::exchange(size[N - 1], 1);
    for_each<N>(size, [&](std::array<long, N> at) {
      for (std::size_t d = 0; d < N; ++d)
        at[d] += low[d];
      T* const to = element(at);
      for (long k = 0; k < row; ++k)
        to[k] = to[k + distance];
    });
  }

  Extents<N> _extents;
  std::array<Index, N> _strides{};
  std::vector<T> _now;
  std::vector<T> _next;
};

/// Two matrices of a team of one unit, swapped after each step.
template <class Stencil>
class HaloMatrices {
  static constexpr std::size_t N = Stencil::dimensions;
  using T = typename Stencil::Value;
  using Point = dash::halo::StencilPoint<N>;
  using Spec = dash::halo::StencilSpec<Point, Stencil::num_points>;

 public:
  explicit HaloMatrices(const Extents<N>& extents)
      : _a(pattern_of(extents)),
        _b(pattern_of(extents)),
        _halo_a(_a, bounds(), points()),
        _halo_b(_b, bounds(), points()),
        _op_a(_halo_a.stencil_operator(points())),
        _op_b(_halo_b.stencil_operator(points())) {
    auto* element = _a.lbegin();
    for_each<N>(extents, [&](const auto& at) { *element++ = static_cast<T>(start_value(at)); });
  }

  void step_with_stencil_for(const Stencil& stencil) {
    dash::halo::stencil_for(*_now, *_op, _next->matrix().lbegin(), stencil);
    swap();
  }

  void step_with_parts(const Stencil& stencil) {
    T* const next = _next->matrix().lbegin();
    _now->update_async();
    _op->inner.transform(next, stencil);
    _now->wait();
    _op->boundary.transform(next, stencil);
    swap();
  }

  const T* elements() { return _now->matrix().lbegin(); }

 private:
  using Matrix = dash::NArray<T, N>;
  using Halo = dash::halo::HaloMatrixWrapper<Matrix>;
  using Operator = typename Halo::template StencilOperator_t<Spec>;

  static Spec points() {
    std::array<Point, Stencil::num_points> points;
    std::size_t next = 0;
    for (const auto& offsets : Stencil::offsets()) {
      for (std::size_t d = 0; d < N; ++d)
        points[next][static_cast<dash::dim_t>(d)] = static_cast<short>(offsets[d]);
      ++next;
    }
    return Spec(points);
  }
  static auto pattern_of(const Extents<N>& extents) {
    // A separate team for each unit.
    static dash::Team& own =
        dash::size() == 1 ? dash::Team::All() : dash::Team::All().split(dash::size());
    std::array<std::size_t, N> sizes;
    std::copy(extents.begin(), extents.end(), sizes.begin());
    dash::DistributionSpec<N> distribution;
    distribution[0] = dash::BLOCKED;
    for (std::size_t d = 1; d < N; ++d)
      distribution[static_cast<dash::dim_t>(d)] = dash::NONE;
    std::array<std::size_t, N> one;
    one.fill(1);
    return dash::BlockPattern<N>(dash::SizeSpec<N>(sizes), distribution, dash::TeamSpec<N>(one),
                                 own);
  }
  static dash::halo::GlobalBoundarySpec<N> bounds() {
    dash::halo::GlobalBoundarySpec<N> spec;
    for (std::size_t d = 0; d < N; ++d)
      spec[static_cast<dash::dim_t>(d)] = dash::halo::BoundaryProp::CYCLIC;
    return spec;
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

template <std::size_t N>
std::string text_of(const Extents<N>& extents) {
  std::string text;
  for (const long extent : extents)
    text += fmt::format("{}{}", text.empty() ? "" : " x ", extent);
  return text;
}

template <class Stencil>
void check(GhostCellArray<Stencil>& baseline, const typename Stencil::Value* elements,
           const Extents<Stencil::dimensions>& extents) {
  for_each<Stencil::dimensions>(extents, [&](const auto& at) {
    if (std::abs(*elements++ - baseline(at)) > 1e-4)
      throw std::runtime_error("the result of a stencil differs from that of the loop");
  });
}

/// Compares both ways to write a step, or only stencil_for.
template <class Stencil>
void measure(const std::string& name, const Extents<Stencil::dimensions>& extents, Table& table,
             bool with_parts = false) {
  const Stencil stencil;
  GhostCellArray<Stencil> baseline(extents);
  HaloMatrices<Stencil> ours(extents);
  HaloMatrices<Stencil> parts(extents);
  for (int step = 0; step < 3; ++step) {
    baseline.step(stencil);
    ours.step_with_stencil_for(stencil);
    parts.step_with_parts(stencil);
  }
  check(baseline, ours.elements(), extents);
  check(baseline, parts.elements(), extents);

  double cells = 1;
  for (const long extent : extents)
    cells *= static_cast<double>(extent);
  const long steps = repetitions_within(sample_ns, 2 * cells);
  const Candidate ghost_cells = [&] {
    return measure_ns_per_call(steps, [&](long) { baseline.step(stencil); });
  };
  const double most = cells <= 32 * 32 * 32 ? 1.1 : 1.05;
  const auto add = [&](const std::string& method, const auto& step) {
    const Candidate halos = [&] { return measure_ns_per_call(steps, [&](long) { step(); }); };
    table.add(make_row(fmt::format("{}, {}", name, method), text_of(extents),
                       "array with ghost cells", compare(halos, ghost_cells), ratio_at_most(most)));
  };
  add("stencil_for", [&] { ours.step_with_stencil_for(stencil); });
  if (with_parts) add("inner and boundary", [&] { parts.step_with_parts(stencil); });
}

void measure_all(const World& world) {
  Table table;
  const auto flush = [&] {
    if (world.is_first_unit()) table.flush();
  };
  measure<Star<2, 1, double>>("5 points", {256, 256}, table, true);
  measure<Star<2, 1, double>>("5 points", {1024, 1024}, table);
  measure<Star<3, 1, double>>("7 points", {32, 32, 32}, table, true);
  measure<Star<3, 1, double>>("7 points", {64, 64, 64}, table, true);
  measure<Star<3, 1, double>>("7 points", {4, 128, 512}, table, true);
  flush();
  measure<Box<2, double>>("9 points", {256, 256}, table);
  measure<Box<3, double>>("27 points", {32, 32, 32}, table, true);
  measure<Box<3, double>>("27 points", {64, 64, 64}, table);
  measure<Star<2, 4, double>>("star of width 4", {256, 256}, table);
  measure<Star<3, 2, double>>("star of width 2", {32, 32, 32}, table, true);
  measure<Star<3, 2, double>>("star of width 2", {64, 64, 64}, table);
  flush();
  if (sampling() == Sampling::full) {
    measure<Star<2, 1, double>>("5 points", {4096, 4096}, table);
    measure<Star<2, 1, float>>("5 points, float", {1024, 1024}, table);
    measure<ConstantStar<2, 1, double>>("5 points, constants", {1024, 1024}, table);
    measure<Box<2, double>>("9 points", {1024, 1024}, table);
    measure<Star<2, 2, double>>("star of width 2", {1024, 1024}, table);
    measure<Star<2, 4, double>>("star of width 4", {1024, 1024}, table);
    measure<Star<2, 4, float>>("star of width 4, float", {1024, 1024}, table);
    flush();
    measure<Star<3, 1, double>>("7 points", {256, 256, 256}, table);
    measure<Star<3, 1, float>>("7 points, float", {64, 64, 64}, table);
    measure<ConstantStar<3, 1, double>>("7 points, constants", {64, 64, 64}, table);
    measure<Box<3, float>>("27 points, float", {64, 64, 64}, table);
    measure<Box<3, double>>("27 points", {128, 128, 128}, table);
    measure<Star<3, 4, double>>("star of width 4", {64, 64, 64}, table);
    measure<Star<3, 4, double>>("star of width 4", {128, 128, 128}, table);
  }
  if (world.is_first_unit()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure_all);
}
