#include "Setup.h"

#include <fmt/core.h>

#include <limits>

#include "common/Error.h"
#include "solver/Stencil.h"

namespace terrain {

using apps::UserError;

namespace {

void check_units_grid(const std::array<int, 2>& grid, int nunits,
                      const std::array<std::size_t, 2>& extents) {
  const auto text = fmt::format("{},{}", grid[0], grid[1]);
  if (static_cast<long long>(grid[0]) * grid[1] != nunits) {
    throw UserError(fmt::format("--units-grid {} needs {} units, but {} {} started", text,
                                static_cast<long long>(grid[0]) * grid[1], nunits,
                                nunits == 1 ? "was" : "were"));
  }
  const char* const names[] = {"rows", "columns"};
  for (std::size_t d = 0; d < 2; ++d) {
    if (gives_cells_to_all(extents[d], grid[d])) continue;
    throw UserError(fmt::format(
        "--units-grid {} is too fine: {} {} of cells cannot be divided into {} non-empty "
        "blocks of equal size, of which the last may be smaller",
        text, extents[d], names[d], grid[d]));
  }
}

// Half of the cells on the border of a block, which a unit exchanges in a step.
std::size_t border(const std::array<std::size_t, 2>& extents, int rows, int cols) {
  return extents[0] / static_cast<std::size_t>(rows) + extents[1] / static_cast<std::size_t>(cols);
}

}  // namespace

TimeStep choose_time_step(const Options& options, double cell_size) {
  const double h2 = cell_size * cell_size;
  const double largest = largest_stable_alpha * h2 / options.diffusivity;
  if (!options.dt) return {largest, largest_stable_alpha, true};
  // A step with all the digits that the program prints may exceed the bound by rounding.
  if (*options.dt > largest * (1 + 1e-9)) {
    throw UserError(
        fmt::format("--dt {:g} is unstable: with cells of {:g} m and a diffusivity of {:g} m^2 per "
                    "year, a step may have at most {:g} years",
                    *options.dt, cell_size, options.diffusivity, largest));
  }
  return {*options.dt, options.diffusivity * *options.dt / h2, false};
}

double choose_cell_size(const Options& options, std::optional<double> of_file) {
  if (options.cell_size) return *options.cell_size;
  if (of_file) return *of_file;
  throw UserError(
      fmt::format("'{}' does not specify the size of its cells: use --cell-size METRES, or add a "
                  "header comment such as '# cell 30 m'",
                  options.input));
}

std::array<std::size_t, 2> tiled_extents(const Options& options, std::size_t rows,
                                         std::size_t cols) {
  const auto down = static_cast<std::size_t>(options.tile[0]);
  const auto across = static_cast<std::size_t>(options.tile[1]);
  // Half of the range of an index, in bytes, so that all values computed from it are representable.
  constexpr std::size_t max = std::numeric_limits<std::size_t>::max() / 2 / sizeof(double);
  if (down > max / rows || across > max / cols || down * rows > max / (across * cols)) {
    throw UserError(fmt::format("--tile {},{} of {} x {} cells gives too many cells",
                                options.tile[0], options.tile[1], rows, cols));
  }
  return {down * rows, across * cols};
}

std::array<int, 2> choose_units_grid(const Options& options, int nunits,
                                     const std::array<std::size_t, 2>& extents) {
  if (options.units_grid) {
    check_units_grid(*options.units_grid, nunits, extents);
    return *options.units_grid;
  }
  std::array<int, 2> best{0, 0};
  for (int rows = nunits; rows >= 1; --rows) {
    if (nunits % rows != 0) continue;
    const int cols = nunits / rows;
    if (!gives_cells_to_all(extents[0], rows) || !gives_cells_to_all(extents[1], cols)) continue;
    // Grids with more rows come first and win a tie: a row of cells is contiguous, a column is not.
    if (best[0] == 0 || border(extents, rows, cols) < border(extents, best[0], best[1]))
      best = {rows, cols};
  }
  if (best[0] == 0) {
    throw UserError(
        fmt::format("no grid of {} units gives cells to every unit on a terrain of {} x {} cells: "
                    "start fewer units, or enlarge the terrain with --tile",
                    nunits, extents[0], extents[1]));
  }
  return best;
}

}  // namespace terrain
