#include "solver/Solver.h"

#include <dash/Init.h>
#include <dash/Matrix.h>
#include <dash/algorithm/Copy.h>
#include <dash/algorithm/Reduce.h>
#include <dash/halo/HaloMatrixWrapper.h>
#include <fmt/core.h>

#include <exception>
#include <numeric>
#include <utility>
#include <vector>

#include "common/Error.h"
#include "solver/Broadcast.h"

namespace terrain {

using apps::UserError;

namespace {

using Matrix = dash::NArray<double, 2>;
using Pattern = Matrix::pattern_type;
using Halos = dash::halo::HaloMatrixWrapper<Matrix>;
using StencilPoint = dash::halo::StencilPoint<2>;
using StencilSpec = dash::halo::StencilSpec<StencilPoint, 4>;
using RegionCoords = dash::halo::RegionCoords<2>;

// Halo regions around a block; the coordinates in rows and columns are 0 before, 1 beside, 2 behind
// the block.
constexpr auto north_region = RegionCoords(0, 1).index();
constexpr auto south_region = RegionCoords(2, 1).index();
constexpr auto west_region = RegionCoords(1, 0).index();
constexpr auto east_region = RegionCoords(1, 2).index();

StencilSpec five_point_stencil() {
  return StencilSpec(StencilPoint(-1, 0), StencilPoint(1, 0), StencilPoint(0, -1),
                     StencilPoint(0, 1));
}

Pattern blocked_pattern(const std::array<std::size_t, 2>& extents, const std::array<int, 2>& grid,
                        dash::Team& team) {
  const std::array<std::size_t, 2> units{static_cast<std::size_t>(grid[0]),
                                         static_cast<std::size_t>(grid[1])};
  return Pattern(dash::SizeSpec<2>(extents[0], extents[1]),
                 dash::DistributionSpec<2>(dash::BLOCKED, dash::BLOCKED),
                 dash::TeamSpec<2>(units, team), team);
}

// The caller's block, and the sides on which it has neighbours.
Block block_of(const Pattern& pattern) {
  const auto extents = pattern.local_extents();
  const auto first = pattern.global({0, 0});
  Block block;
  block.rows = extents[0];
  block.cols = extents[1];
  block.north = first[0] > 0;
  block.west = first[1] > 0;
  block.south = static_cast<std::size_t>(first[0]) + block.rows < pattern.extent(0);
  block.east = static_cast<std::size_t>(first[1]) + block.cols < pattern.extent(1);
  return block;
}

double seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

struct Solver::Layers {
  Layers(const std::array<std::size_t, 2>& extents, const std::array<int, 2>& grid,
         dash::Team& team)
      : first(blocked_pattern(extents, grid, team)),
        second(blocked_pattern(extents, grid, team)),
        first_halos(first, five_point_stencil()),
        second_halos(second, five_point_stencil()) {}

  Matrix first;
  Matrix second;
  Halos first_halos;
  Halos second_halos;

  Matrix& matrix(int i) { return i == 0 ? first : second; }
  Halos& halos(int i) { return i == 0 ? first_halos : second_halos; }
};

Solver::Solver(const std::array<std::size_t, 2>& extents, const std::array<int, 2>& grid,
               double alpha, dash::Team& team)
    : _extents(extents), _alpha(alpha) {
  try {
    _layers = std::make_unique<Layers>(extents, grid, team);
  } catch (const std::exception& error) {
    // An allocation in global memory fails on all units or on none.
    throw UserError(fmt::format("cannot distribute a terrain of {} x {} cells: {}", extents[0],
                                extents[1], error.what()));
  }
  _block = block_of(_layers->first.pattern());
}

Solver::~Solver() = default;

void Solver::fill(const Dem& dem) {
  auto& matrix = _layers->matrix(_current);
  const auto first = matrix.pattern().global({0, 0});
  double* cell = matrix.lbegin();
  for (std::size_t r = 0; r < _block.rows; ++r) {
    const auto row = mirrored_index(static_cast<std::size_t>(first[0]) + r, dem.rows);
    for (std::size_t c = 0; c < _block.cols; ++c) {
      const auto col = mirrored_index(static_cast<std::size_t>(first[1]) + c, dem.cols);
      *cell++ = dem.elevations[row * dem.cols + col];
    }
  }
  dash::barrier();
}

void Solver::step(Exchange exchange, StepTimes& times) {
  auto& halos = _layers->halos(_current);
  const double* src = _layers->matrix(_current).lbegin();
  double* dst = _layers->matrix(1 - _current).lbegin();

  const auto begin = Clock::now();
  if (exchange != Exchange::none) halos.update_async();
  const auto started = Clock::now();
  if (exchange != Exchange::blocking) update_inner(_block, src, dst, _alpha);
  const auto computed = Clock::now();
  if (exchange != Exchange::none) halos.wait();
  times.waiting += seconds(Clock::now() - computed);
  times.starting += seconds(started - begin);
  if (exchange == Exchange::blocking) update_inner(_block, src, dst, _alpha);

  // Each exchange fills a different buffer, so the addresses are queried in every step. The address
  // of the region on a side without neighbour is null.
  auto& memory = halos.halo_env().halo_memory();
  const Halo halo{memory.first_element_at(north_region), memory.first_element_at(south_region),
                  memory.first_element_at(west_region), memory.first_element_at(east_region)};
  update_border(_block, halo, src, dst, _alpha);
  _current = 1 - _current;
}

StepTimes Solver::run(long steps, Exchange exchange, const std::function<void(long)>& on_step) {
  StepTimes times;
  dash::barrier();
  const auto begin = Clock::now();
  for (long s = 0; s < steps; ++s) {
    step(exchange, times);
    on_step(s + 1);
  }
  times.total = seconds(Clock::now() - begin);
  times.steps = steps;
  return times;
}

double Solver::mean() const {
  // Sum each row first: the addends then have similar magnitudes, which loses fewer digits than one
  // long sum.
  std::vector<double> sums;
  const double* cell = _layers->matrix(_current).lbegin();
  for (std::size_t r = 0; r < _block.rows; ++r, cell += _block.cols) {
    sums.push_back(std::accumulate(cell, cell + _block.cols, 0.0));
  }
  const double total = dash::reduce(sums.begin(), sums.end(), 0.0, true);
  return total / (static_cast<double>(_extents[0]) * static_cast<double>(_extents[1]));
}

Field Solver::gather() const {
  Field whole;
  dash::barrier();
  // The other units return from on_unit_0 only after unit 0 has read their cells, so they do not
  // change them earlier.
  on_unit_0([&] {
    whole = Field(_extents[0], _extents[1]);
    const auto& matrix = _layers->matrix(_current);
    dash::copy(matrix.begin(), matrix.end(), whole.cells.data());
  });
  return whole;
}

}  // namespace terrain
