#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "Options.h"

namespace terrain {

/// Length of a step and the resulting coefficient of the scheme.
struct TimeStep {
  double dt = 0;     // years
  double alpha = 0;  // D dt / h^2
  bool is_largest = false;
};

/// Chooses the largest stable step, or checks that of the option --dt.
/// \param cell_size  metres
/// \throws UserError if the step is unstable
TimeStep choose_time_step(const Options& options, double cell_size);

/// The size of a cell in metres: from the option if given, otherwise from the file.
/// \throws UserError if neither specifies it
double choose_cell_size(const Options& options, std::optional<double> of_file);

/// Extents of the terrain: those of the model times the numbers of copies.
/// \throws UserError if the number of cells is not representable
std::array<std::size_t, 2> tiled_extents(const Options& options, std::size_t rows,
                                         std::size_t cols);

/// The grid of units: that of the option --units-grid, or else the grid with the shortest borders
/// among those that give cells to every unit.
/// \throws UserError if the requested grid does not match the number of units or leaves units
///         without cells, or if no grid fits
std::array<int, 2> choose_units_grid(const Options& options, int nunits,
                                     const std::array<std::size_t, 2>& extents);

/// Whether a division into blocks of equal extent, of which the last may be smaller, gives at least
/// one cell to each of
/// \p units.
constexpr bool gives_cells_to_all(std::size_t extent, int units) {
  const auto n = static_cast<std::size_t>(units);
  const auto block = (extent + n - 1) / n;
  return block > 0 && (extent + block - 1) / block == n;
}

}  // namespace terrain
