// The heat equation in a plate of two materials: a halo exchange that overlaps with the computation, and a picture.
// dash-example: units=1,2,4,7 uses=png
#include <dash/halo/HaloMatrixWrapper.h>
#include <dash/halo/stencil/StencilFor.h>
#include <libdash.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "Png.h"

namespace {

// --8<-- [start:field]
using Plate = dash::NArray<double, 2>;
using Halo = dash::halo::HaloMatrixWrapper<Plate>;
using Point = dash::halo::StencilPoint<2>;
using Star = dash::halo::StencilSpec<Point, 4>;

constexpr Star neighbours(Point(-1, 0), Point(1, 0), Point(0, -1), Point(0, 1));

/// Values on the plate, with a halo around the block of each unit.
struct Field {
  explicit Field(const Plate::pattern_type& pattern)
      : values(pattern), halo(values, neighbours), op(halo.stencil_operator(neighbours)) {}

  /// Sets each own element to a function of its coordinates.
  template <class Function>
  void fill(Function value_of) {
    const auto& pattern = values.pattern();
    for (std::size_t k = 0; k < values.local_size(); ++k) {
      const auto at = pattern.global_coords(pattern.team().myid(), static_cast<long>(k));
      values.lbegin()[k] = value_of(at[0], at[1]);
    }
  }

  Plate values;
  Halo halo;
  Halo::StencilOperator_t<Star> op;
};
// --8<-- [end:field]

/// An explicit solver for du/dt = div(k grad u), with elements of size 1.
class HeatFlow {
 public:
  template <class Conductivity, class Temperature>
  HeatFlow(const Plate::pattern_type& pattern, Conductivity conductivity, Temperature temperature)
      : _fields{Field(pattern), Field(pattern)}, _faces(pattern.local_size()) {
    for (Field& field : _fields)
      field.fill(temperature);
    // --8<-- [start:faces]
    Field material(pattern);
    material.fill(conductivity);
    material.halo.update();
    for (auto it = material.op.begin(); it != material.op.end(); ++it)
      for (std::size_t side = 0; side < neighbours.num_stencil_points(); ++side)
        _faces[static_cast<std::size_t>(it.lpos())][side] = between(*it, it.value_at(side));
    // --8<-- [end:faces]
  }

  // --8<-- [start:step]
  void step(double time) {
    Field& now = _fields[_current];
    Field& next = _fields[1 - _current];
    dash::halo::stencil_for(now.halo, now.op, next.values.lbegin(), [&](const auto& cell) {
      const Faces& face = _faces[static_cast<std::size_t>(cell.lpos())];
      double inflow = 0;
      for (std::size_t side = 0; side < face.size(); ++side)
        inflow += face[side] * (cell[side] - cell.center());
      return cell.center() + time * inflow;
    });
    _current = 1 - _current;
  }
  // --8<-- [end:step]

  Field& temperature() { return _fields[_current]; }

 private:
  using Faces = std::array<double, neighbours.num_stencil_points()>;  // conductances

  /// The conductance between the centres of two elements: two halves in series.
  static double between(double a, double b) { return a + b > 0 ? 2 * a * b / (a + b) : 0; }

  std::array<Field, 2> _fields;
  std::vector<Faces> _faces;  // of each own element
  std::size_t _current = 0;
};

constexpr double time_step = 0.2;  // stable below 0.25 / conductivity

struct Size {
  long rows = 96;
  long cols = 144;
  long steps = 300;

  /// The outermost elements conduct no heat: they insulate the plate.
  bool is_frame(long row, long col) const {
    return row == 0 || col == 0 || row == rows - 1 || col == cols - 1;
  }
};

/// Two materials whose border is an irregular labyrinth: a sum of five waves.
double conductivity(const Size& size, long row, long col) {
  if (size.is_frame(row, col)) return 0;
  double sum = 0;
  for (int wave = 0; wave < 5; ++wave) {
    const double angle = wave * std::numbers::pi / 5 + 0.1;
    const auto x = static_cast<double>(col);
    const auto y = static_cast<double>(row);
    sum += std::cos(60.0 / static_cast<double>(size.rows) *
                        (x * std::cos(angle) + y * std::sin(angle)) +
                    wave * wave);
  }
  return sum > -0.25 ? 1 : 0.01;
}

/// Three hot discs.
double initial_temperature(const Size& size, long row, long col) {
  if (size.is_frame(row, col)) return 0;
  constexpr double discs[3][3] = {{0.35, 0.25, 100}, {0.65, 0.55, 100}, {0.3, 0.8, 100}};
  for (const auto& [y, x, heat] : discs)
    if (std::hypot(row - y * size.rows, col - x * size.cols) < 0.11 * size.rows) return heat;
  return 0;
}

// --8<-- [start:check]
/// Compares with an exact solution: with one material, each step multiplies a cosine by a constant factor.
bool is_exact(const Plate::pattern_type& pattern, const Size& size) {
  const double wave_y = 2 * std::numbers::pi / (size.rows - 2);
  const double wave_x = 3 * std::numbers::pi / (size.cols - 2);
  const auto wave = [&](long row, long col) {
    return size.is_frame(row, col)
               ? 0
               : std::cos(wave_y * (row - 0.5)) * std::cos(wave_x * (col - 0.5));
  };
  HeatFlow flow(
      pattern, [&](long row, long col) { return size.is_frame(row, col) ? 0.0 : 1.0; }, wave);
  for (int step = 0; step < 50; ++step)
    flow.step(time_step);

  const double factor =
      1 - 4 * time_step * (std::pow(std::sin(wave_y / 2), 2) + std::pow(std::sin(wave_x / 2), 2));
  Field exact(pattern);
  exact.fill([&](long row, long col) { return std::pow(factor, 50) * wave(row, col); });
  const double error = dash::transform_reduce(
      exact.values.begin(), exact.values.end(), flow.temperature().values.begin(), 0.0,
      dash::max<double>(), [](double a, double b) { return std::abs(a - b); });
  return error < 1e-12;
}
// --8<-- [end:check]

// --8<-- [start:picture]
void write_picture(const Plate& plate, const Size& size) {
  std::vector<double> heat;
  if (dash::myid() == 0) {
    heat.resize(plate.size());
    dash::copy(plate.begin(), plate.end(), heat.data());
  }
  dash::barrier();  // the plate is not needed any more
  if (dash::myid() != 0) return;
  // The color shows the temperature, and faintly the material.
  for (std::size_t k = 0; k < heat.size(); ++k) {
    const auto element = static_cast<long>(k);
    const double material = conductivity(size, element / size.cols, element % size.cols);
    heat[k] = 0.06 * material + 0.94 * std::pow(heat[k] / 100, 0.6);
  }
  write_png("heat.png", static_cast<std::size_t>(size.cols), heat, inferno);
}
// --8<-- [end:picture]

bool run(const Size& size) {
  // --8<-- [start:pattern]
  dash::TeamSpec<2> units(dash::Team::All());
  units.balance_extents();  // 4 units form a grid of 2 x 2
  const Plate::pattern_type pattern(dash::SizeSpec<2>(size.rows, size.cols),
                                    dash::DistributionSpec<2>(dash::BLOCKED, dash::BLOCKED), units);
  // --8<-- [end:pattern]
  bool is_right = is_exact(pattern, size);
  if (dash::myid() == 0) std::printf("cosine: %s\n", is_right ? "exact" : "WRONG");

  // --8<-- [start:run]
  HeatFlow flow(
      pattern, [&](long row, long col) { return conductivity(size, row, col); },
      [&](long row, long col) { return initial_temperature(size, row, col); });
  double initial_heat = 0;
  long step = 0;
  for (const long third : {0, 1, 2, 3}) {
    for (; step < size.steps * third / 3; ++step)
      flow.step(time_step);
    const Plate& plate = flow.temperature().values;
    const double heat = dash::reduce(plate.begin(), plate.end(), 0.0);
    const double hottest = dash::reduce(plate.begin(), plate.end(), 0.0, dash::max<double>());
    if (step == 0) initial_heat = heat;
    is_right =
        is_right && std::abs(heat - initial_heat) < 1e-11 * initial_heat && hottest < 100.001;
    if (dash::myid() == 0) std::printf("step %4ld: heat %.3f, hottest %.3f\n", step, heat, hottest);
  }
  // --8<-- [end:run]
  dash::barrier();  // unit 0 reads elements of all units
  write_picture(flow.temperature().values, size);
  return is_right;
}

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  bool is_right = false;
  Size size;
  if (argc == 4) size = {std::atol(argv[1]), std::atol(argv[2]), std::atol(argv[3])};
  try {
    if ((argc != 1 && argc != 4) || size.rows < 16 || size.cols < 16 || size.steps < 3)
      throw std::invalid_argument("usage: heat [ROWS COLUMNS STEPS], at least 16 16 3");
    is_right = run(size);
  } catch (const std::exception& error) {
    if (dash::myid() == 0) std::fprintf(stderr, "%s\n", error.what());
  }
  dash::finalize();
  return is_right ? 0 : 1;
}
