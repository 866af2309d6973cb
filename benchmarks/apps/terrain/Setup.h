#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "Options.h"

namespace terrain {

/// Length of a step and what the scheme makes of it.
struct TimeStep {
  double dt = 0;     // years
  double alpha = 0;  // D dt / h^2
  bool is_largest = false;
};

/// Chooses the largest stable step, or checks the one asked for.
/// \param cell_size metres
/// \throws UserError if the step asked for is unstable
TimeStep choose_time_step(const Options& options, double cell_size);

/// The size of a cell in metres: the option's, or else the file's.
/// \throws UserError if neither is given
double choose_cell_size(const Options& options, std::optional<double> of_file);

/// Extents of the terrain: those of the model times the numbers of copies.
/// \throws UserError if that is more cells than can be counted
std::array<std::size_t, 2> tiled_extents(const Options& options, std::size_t rows,
                                         std::size_t cols);

/// The grid of units: the one asked for, or of those that give cells to every unit the one whose
/// blocks have the shortest borders.
/// \throws UserError if the grid asked for does not fit the number of units or leaves units without
///         cells, or if no grid of so many units fits
std::array<int, 2> choose_units_grid(const Options& options, int nunits,
                                     const std::array<std::size_t, 2>& extents);

/// Whether blocks of equal extent, the last one smaller, give at least one cell to each of \p
/// units.
constexpr bool gives_cells_to_all(std::size_t extent, int units) {
  const auto n = static_cast<std::size_t>(units);
  const auto block = (extent + n - 1) / n;
  return block > 0 && (extent + block - 1) / block == n;
}

}  // namespace terrain
