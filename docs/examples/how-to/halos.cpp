// Halos: the recipes of docs/how-to/halos.md, each compared with a direct computation from the initial values.
// dash-example: units=1,3,4
#include <dash/halo/HaloMatrixWrapper.h>
#include <dash/halo/exchange/HaloFields.h>
#include <dash/halo/stencil/StencilFields.h>
#include <dash/halo/stencil/StencilFor.h>
#include <dash/halo/stencil/StencilLoop.h>
#include <libdash.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <tuple>
#include <vector>

// --8<-- [start:names]
using namespace dash::halo;
using Grid = dash::NArray<double, 2>;
using Point = StencilPoint<2>;
// --8<-- [end:names]

namespace {

constexpr long num_rows = 16;
constexpr long num_cols = 20;

/// The initial value of an element.
double initial(long i, long j) {
  return std::sin(static_cast<double>(i)) + 0.1 * static_cast<double>(j * j % 17);
}
/// The same at the opposite side of the matrix.
double wrapped(long i, long j) {
  return initial((i + num_rows) % num_rows, (j + num_cols) % num_cols);
}
bool is_inside(long i, long j, long width) {
  return i >= width && i < num_rows - width && j >= width && j < num_cols - width;
}

template <class Matrix, class Function>
void fill(Matrix& matrix, Function value_of) {
  const auto me = matrix.team().myid();
  for (std::size_t k = 0; k < matrix.local_size(); ++k)
    matrix.lbegin()[k] = value_of(matrix.pattern().global_coords(me, static_cast<long>(k)));
}
void fill(Grid& matrix) {
  fill(matrix, [](const auto& at) { return initial(at[0], at[1]); });
}

/// Number of the caller's elements that differ from the value of a function of their coordinates.
template <class Matrix, class Function>
int count_wrong(const char* recipe, const Matrix& matrix, Function value_of) {
  const auto me = matrix.team().myid();
  int wrong = 0;
  for (std::size_t k = 0; k < matrix.local_size(); ++k) {
    const auto at = matrix.pattern().global_coords(me, static_cast<long>(k));
    wrong += std::abs(matrix.lbegin()[k] - value_of(at)) < 1e-12 ? 0 : 1;
  }
  if (wrong != 0)
    std::printf("%s: %d elements of unit %d are wrong\n", recipe, wrong, dash::myid().id);
  return wrong;
}

Grid::pattern_type make_grid_pattern() {
  // --8<-- [start:pattern]
  dash::TeamSpec<2> units(dash::Team::All());
  units.balance_extents();
  const Grid::pattern_type pattern(dash::SizeSpec<2>(num_rows, num_cols),
                                   dash::DistributionSpec<2>(dash::BLOCKED, dash::BLOCKED),
                                   units);  // one block on each unit
  // --8<-- [end:pattern]
  return pattern;
}

/// The neighbours above, below, left and right.
constexpr StencilSpec<Point, 4> star(Point(-1, 0), Point(1, 0), Point(0, -1), Point(0, 1));

int one_step(const Grid::pattern_type& pattern) {
  // --8<-- [start:step]
  Grid a(pattern);
  Grid b(pattern);
  const StencilSpec<Point, 4> neighbours(Point(-1, 0), Point(1, 0), Point(0, -1), Point(0, 1));
  const GlobalBoundarySpec<2> torus(BoundaryProp::CYCLIC, BoundaryProp::CYCLIC);
  HaloMatrixWrapper halo(a, torus, neighbours);  // collective
  const auto op = halo.stencil_operator(neighbours);
  fill(a);

  stencil_for(halo, op, b.lbegin(), [](const auto& cell) {
    return cell(0, 0) +
           0.1 * (cell(-1, 0) + cell(1, 0) + cell(0, -1) + cell(0, 1) - 4 * cell(0, 0));
  });
  // --8<-- [end:step]
  return count_wrong("one step", b, [](const auto& at) {
    const auto [i, j] = at;
    const double sum =
        wrapped(i - 1, j) + wrapped(i + 1, j) + wrapped(i, j - 1) + wrapped(i, j + 1);
    return initial(i, j) + 0.1 * (sum - 4 * initial(i, j));
  });
}

int accumulate(const Grid::pattern_type& pattern) {
  const GlobalBoundarySpec<2> torus(BoundaryProp::CYCLIC, BoundaryProp::CYCLIC);
  Grid a(pattern);
  Grid sums(pattern);
  HaloMatrixWrapper halo(a, torus, star);
  const auto op = halo.stencil_operator(star);
  fill(a);
  fill(sums, [](const auto&) { return 1.0; });
  // --8<-- [start:accumulate]
  stencil_for(halo, op, sums.lbegin(),
              [](const auto& cell, double& sum) { sum += cell(0, -1) + cell(0, 1); });
  // --8<-- [end:accumulate]
  int wrong = count_wrong("accumulate", sums, [](const auto& at) {
    const auto [i, j] = at;
    return 1.0 + wrapped(i, j - 1) + wrapped(i, j + 1);
  });

  Grid b(pattern);
  double* const out = b.lbegin();
  // --8<-- [start:parts]
  const auto difference = [](const auto& cell) { return cell(0, 1) - cell(0, -1); };
  halo.update_async();
  op.inner.transform(out, difference);  // needs no halo
  halo.wait();
  op.boundary.transform(out, difference);  // the rest
  // --8<-- [end:parts]
  wrong += count_wrong("parts", b, [](const auto& at) {
    const auto [i, j] = at;
    return wrapped(i, j + 1) - wrapped(i, j - 1);
  });
  return wrong;
}

int many_steps(const Grid::pattern_type& pattern) {
  const GlobalBoundarySpec<2> torus(BoundaryProp::CYCLIC, BoundaryProp::CYCLIC);
  constexpr std::size_t num_steps = 2;
  Grid a(pattern);
  Grid b(pattern);
  fill(a);
  // --8<-- [start:loop]
  StencilLoop loop(a, b, torus, star);
  loop.steps(num_steps, [](const auto& cell) {
    return 0.25 * (cell(-1, 0) + cell(1, 0) + cell(0, -1) + cell(0, 1));
  });
  Grid& result = loop.current();
  // --8<-- [end:loop]
  const auto mean = [](long i, long j) {
    return 0.25 * (wrapped(i - 1, j) + wrapped(i + 1, j) + wrapped(i, j - 1) + wrapped(i, j + 1));
  };
  return count_wrong("many steps", result, [&](const auto& at) {
    const auto [i, j] = at;
    return 0.25 * (mean(i - 1, j) + mean(i + 1, j) + mean(i, j - 1) + mean(i, j + 1));
  });
}

int until_converged(const Grid::pattern_type& pattern) {
  Grid a(pattern);
  Grid b(pattern);
  fill(a);
  int steps = 0;
  // --8<-- [start:converge]
  const auto mean = [](const auto& cell) {
    return 0.25 * (cell(-1, 0) + cell(1, 0) + cell(0, -1) + cell(0, 1));
  };
  StencilLoop loop(a, b, star);
  for (double change = 1; change > 1e-3; steps += 10) {
    loop.steps(9, mean);
    // The largest change of an element, the same value on all units.
    change = loop.step_reduce(0.0, dash::max<double>(), [&](const auto& cell, double& element) {
      element = mean(cell);
      return std::abs(element - cell(0, 0));
    });
  }
  // --8<-- [end:converge]

  std::vector<double> values(static_cast<std::size_t>(num_rows * num_cols));
  const auto at = [](long i, long j) { return static_cast<std::size_t>(i * num_cols + j); };
  for (long i = 0; i < num_rows; ++i)
    for (long j = 0; j < num_cols; ++j)
      values[at(i, j)] = initial(i, j);
  for (int step = 0; step < steps; ++step) {
    const std::vector<double> old = values;
    for (long i = 1; i < num_rows - 1; ++i)
      for (long j = 1; j < num_cols - 1; ++j)
        values[at(i, j)] =
            0.25 * (old[at(i - 1, j)] + old[at(i + 1, j)] + old[at(i, j - 1)] + old[at(i, j + 1)]);
  }
  return count_wrong("until converged", loop.current(),
                     [&](const auto& position) { return values[at(position[0], position[1])]; });
}

int fixed_border(const Grid::pattern_type& pattern) {
  // --8<-- [start:fixed]
  Grid a(pattern);
  Grid b(pattern);
  fill(a);
  fill(b);  // the elements at the border keep these values in both matrices
  const GlobalBoundarySpec<2> channel(BoundaryProp::NONE, BoundaryProp::CYCLIC);
  HaloMatrixWrapper halo(a, channel, star);
  // --8<-- [end:fixed]
  const auto op = halo.stencil_operator(star);
  stencil_for(halo, op, b.lbegin(),
              [](const auto& cell) { return cell[0] + cell[1] + cell[2] + cell[3]; });
  return count_wrong("fixed border", b, [](const auto& at) {
    const auto [i, j] = at;
    if (i == 0 || i == num_rows - 1) return initial(i, j);
    return initial(i - 1, j) + initial(i + 1, j) + wrapped(i, j - 1) + wrapped(i, j + 1);
  });
}

int values_beyond_border(const Grid::pattern_type& pattern) {
  Grid a(pattern);
  Grid b(pattern);
  fill(a);
  // --8<-- [start:custom]
  const GlobalBoundarySpec<2> walls(BoundaryProp::CUSTOM, BoundaryProp::CUSTOM);
  HaloMatrixWrapper halo(a, walls, star);
  halo.set_custom_halos([](const auto& at) { return at[0] < 0 ? 100.0 : 20.0; });
  // --8<-- [end:custom]
  const auto op = halo.stencil_operator(star);
  const auto sum = [](const auto& cell) { return cell[0] + cell[1] + cell[2] + cell[3]; };
  stencil_for(halo, op, b.lbegin(), sum);
  const auto value = [](long i, long j) {
    return is_inside(i, j, 0) ? initial(i, j) : i < 0 ? 100.0 : 20.0;
  };
  int wrong = count_wrong("custom border", b, [&](const auto& at) {
    const auto [i, j] = at;
    return value(i - 1, j) + value(i + 1, j) + value(i, j - 1) + value(i, j + 1);
  });

  // --8<-- [start:mirror]
  // Before each update: an element beyond the border equals the element at the border.
  const auto corner = pattern.global({0, 0});  // coordinates of the first element of the block
  halo.set_custom_halos([&](const auto& at) {
    const long i = std::clamp(at[0], 0L, num_rows - 1);
    const long j = std::clamp(at[1], 0L, num_cols - 1);
    return a.local(i - corner[0], j - corner[1]);
  });
  // --8<-- [end:mirror]
  stencil_for(halo, op, b.lbegin(), sum);
  const auto mirrored = [](long i, long j) {
    return initial(std::clamp(i, 0L, num_rows - 1), std::clamp(j, 0L, num_cols - 1));
  };
  return wrong + count_wrong("mirror", b, [&](const auto& at) {
           const auto [i, j] = at;
           return mirrored(i - 1, j) + mirrored(i + 1, j) + mirrored(i, j - 1) + mirrored(i, j + 1);
         });
}

int corners(const Grid::pattern_type& pattern) {
  Grid a(pattern);
  Grid b(pattern);
  fill(a);
  fill(b);
  // --8<-- [start:corners]
  const StencilSpec<Point, 8> box(Point(-1, -1), Point(-1, 0), Point(-1, 1), Point(0, -1),
                                  Point(0, 1), Point(1, -1), Point(1, 0), Point(1, 1));
  HaloMatrixWrapper halo(a, box);  // all borders are NONE
  const auto op = halo.stencil_operator(box);
  stencil_for(halo, op, b.lbegin(), [](const auto& cell) {
    double sum = cell.center();
    for (std::size_t point = 0; point < 8; ++point)
      sum += cell[point];
    return sum / 9;
  });
  // --8<-- [end:corners]
  return count_wrong("corners", b, [](const auto& at) {
    const auto [i, j] = at;
    if (!is_inside(i, j, 1)) return initial(i, j);
    double sum = 0;
    for (long k = -1; k <= 1; ++k)
      for (long l = -1; l <= 1; ++l)
        sum += initial(i + k, j + l);
    return sum / 9;
  });
}

int wide(const Grid::pattern_type& pattern) {
  Grid a(pattern);
  Grid b(pattern);
  fill(a);
  const GlobalBoundarySpec<2> torus(BoundaryProp::CYCLIC, BoundaryProp::CYCLIC);
  // --8<-- [start:wide]
  // A derivative of fourth order along the rows; width 2 to the left and right, 0 above and below.
  const StencilSpec<Point, 4> along_row(Point(0, -2), Point(0, -1), Point(0, 1), Point(0, 2));
  HaloMatrixWrapper halo(a, torus, along_row, star);  // wide enough for both stencils
  const auto derivative = halo.stencil_operator(along_row);
  stencil_for(halo, derivative, b.lbegin(), [](const auto& cell) {
    return (cell[0] - 8 * cell[1] + 8 * cell[2] - cell[3]) / 12;
  });
  // --8<-- [end:wide]
  int wrong = count_wrong("wide", b, [](const auto& at) {
    const auto [i, j] = at;
    return (wrapped(i, j - 2) - 8 * wrapped(i, j - 1) + 8 * wrapped(i, j + 1) - wrapped(i, j + 2)) /
           12;
  });

  // --8<-- [start:width]
  HaloMatrixWrapper everywhere(a, torus, 2);  // width 2 at all sides and corners
  everywhere.update();
  const auto element = everywhere.coordinate_access();
  const double corner = element[-2][-1];  // relative to the block: two rows above, one column left
  const double* const same =
      everywhere.halo_element_at_local({-2, -1});  // nullptr: no such element
  // --8<-- [end:width]
  const auto first = pattern.global({0, 0});
  const double expected = wrapped(first[0] - 2, first[1] - 1);
  return wrong + (corner == expected && same != nullptr && *same == expected ? 0 : 1);
}

int three_dimensions() {
  constexpr long n = 12;
  // --8<-- [start:solid]
  using Solid = dash::NArray<double, 3>;
  using Point3 = StencilPoint<3>;
  dash::TeamSpec<3> units(dash::Team::All());
  units.balance_extents();
  const Solid::pattern_type pattern(
      dash::SizeSpec<3>(n, n, n),
      dash::DistributionSpec<3>(dash::BLOCKED, dash::BLOCKED, dash::BLOCKED), units);
  Solid a(pattern);
  Solid b(pattern);
  const StencilSpec<Point3, 6> faces(Point3(-1, 0, 0), Point3(1, 0, 0), Point3(0, -1, 0),
                                     Point3(0, 1, 0), Point3(0, 0, -1), Point3(0, 0, 1));
  HaloMatrixWrapper halo(a, faces);
  const auto op = halo.stencil_operator(faces);
  // --8<-- [end:solid]
  const auto value = [](long i, long j, long k) {
    return initial(i, j) + static_cast<double>(k * k);
  };
  for (Solid* each : {&a, &b})
    fill(*each, [&](const auto& at) { return value(at[0], at[1], at[2]); });
  stencil_for(halo, op, b.lbegin(), [](const auto& cell) {
    return cell[0] + cell[1] + cell[2] + cell[3] + cell[4] + cell[5] - 6 * cell.center();
  });
  return count_wrong("three dimensions", b, [&](const auto& at) {
    const auto [i, j, k] = at;
    for (const long x : at)
      if (x == 0 || x == n - 1) return value(i, j, k);
    return value(i - 1, j, k) + value(i + 1, j, k) + value(i, j - 1, k) + value(i, j + 1, k) +
           value(i, j, k - 1) + value(i, j, k + 1) - 6 * value(i, j, k);
  });
}

int each_region(const Grid::pattern_type& pattern) {
  Grid a(pattern);
  Grid b(pattern);
  fill(a);
  const GlobalBoundarySpec<2> torus(BoundaryProp::CYCLIC, BoundaryProp::CYCLIC);
  HaloMatrixWrapper halo(a, torus, star);
  const auto op = halo.stencil_operator(star);
  double* const out = b.lbegin();
  // --8<-- [start:regions]
  const auto compute = [&](region_index_t region) {  // the elements at this side of the block
    auto [it, end] = op.boundary.iterator_at(region);
    for (; it != end; ++it)
      out[it.lpos()] = it.value_at(0) + it.value_at(1) + it.value_at(2) + it.value_at(3);
  };
  const auto update = halo.update_async();
  std::vector<dash::Future<void>> sides;
  for (const region_index_t side : {1, 7, 3, 5})
    sides.push_back(update.region(side).then(compute));
  for (auto it = op.inner.begin(); it != op.inner.end(); ++it)
    out[it.lpos()] = it.value_at(0) + it.value_at(1) + it.value_at(2) + it.value_at(3);
  for (auto& side : sides)
    side.get();
  for (const region_index_t corner : {0, 2, 6, 8})
    compute(corner);  // each needs two regions
  update.wait();      // the sends are complete: the block may be written
  // --8<-- [end:regions]
  const auto expected = [](const auto& at) {
    const auto [i, j] = at;
    return wrapped(i - 1, j) + wrapped(i + 1, j) + wrapped(i, j - 1) + wrapped(i, j + 1);
  };
  int wrong = count_wrong("regions", b, expected);

  // --8<-- [start:some]
  halo.halo_env().prepare_update();
  halo.update_async_at(1);  // only the region above
  halo.wait(1);
  // --8<-- [end:some]
  const auto first = pattern.global({0, 0});
  const double* const above = halo.halo_element_at_local({-1, 0});
  wrong += above != nullptr && *above == wrapped(first[0] - 1, first[1]) ? 0 : 1;
  halo.wait();
  return wrong;
}

int fields(const Grid::pattern_type& pattern) {
  const GlobalBoundarySpec<2> torus(BoundaryProp::CYCLIC, BoundaryProp::CYCLIC);
  // --8<-- [start:fields]
  Grid height(pattern);
  Grid speed(pattern);
  Grid new_height(pattern);
  Grid new_speed(pattern);
  const StencilSpec<Point, 2> in_row(Point(0, -1), Point(0, 1));
  HaloMatrixWrapper height_halo(height, torus, in_row);
  HaloMatrixWrapper speed_halo(speed, torus, in_row);
  const auto height_op = height_halo.stencil_operator(in_row);
  const auto speed_op = speed_halo.stencil_operator(in_row);
  fill(height);
  fill(speed, [](const auto& at) { return initial(at[1], at[0]); });

  stencil_for(std::tuple(field(height_halo, height_op, new_height.lbegin()),
                         field(speed_halo, speed_op, new_speed.lbegin())),
              [](const auto& h, const auto& v, double& new_h, double& new_v) {
                new_h = h(0, 0) - 0.1 * (v(0, 1) - v(0, -1));
                new_v = v(0, 0) - 0.1 * (h(0, 1) - h(0, -1));
              });
  // --8<-- [end:fields]
  // --8<-- [start:update-fields]
  dash::halo::update(height_halo, speed_halo);
  // --8<-- [end:update-fields]
  const auto around = [](const auto& at, auto value) {
    const auto [i, j] = at;
    return value(i, (j + 1) % num_cols) - value(i, (j + num_cols - 1) % num_cols);
  };
  const auto v = [](long i, long j) { return initial(j, i); };
  return count_wrong("height", new_height,
                     [&](const auto& at) { return initial(at[0], at[1]) - 0.1 * around(at, v); }) +
         count_wrong("speed", new_speed,
                     [&](const auto& at) { return v(at[0], at[1]) - 0.1 * around(at, initial); });
}

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  {
    const Grid::pattern_type pattern = make_grid_pattern();
    wrong += one_step(pattern);
    wrong += accumulate(pattern);
    wrong += many_steps(pattern);
    wrong += until_converged(pattern);
    wrong += fixed_border(pattern);
    wrong += values_beyond_border(pattern);
    wrong += corners(pattern);
    wrong += wide(pattern);
    wrong += three_dimensions();
    wrong += each_region(pattern);
    wrong += fields(pattern);
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
