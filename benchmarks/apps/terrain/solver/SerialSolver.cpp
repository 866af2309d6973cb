#include "solver/SerialSolver.h"

#include <fmt/core.h>

#include <bit>
#include <cstdint>
#include <utility>

#include "common/Error.h"
#include "solver/Stencil.h"

namespace terrain {
namespace {

void step(const Field& src, Field& dst, double alpha) {
  const auto last_row = src.rows - 1;
  const auto last_col = src.cols - 1;
  for (std::size_t r = 0; r < src.rows; ++r) {
    const double* north = src.row(r > 0 ? r - 1 : 0);
    const double* mid = src.row(r);
    const double* south = src.row(r < last_row ? r + 1 : last_row);
    double* out = dst.row(r);
    for (std::size_t c = 0; c < src.cols; ++c) {
      const double west = mid[c > 0 ? c - 1 : 0];
      const double east = mid[c < last_col ? c + 1 : last_col];
      out[c] = diffuse(mid[c], north[c], south[c], west, east, alpha);
    }
  }
}

}  // namespace

Field solve_serially(Field elevation, long steps, double alpha) {
  Field next(elevation.rows, elevation.cols);
  for (long s = 0; s < steps; ++s) {
    step(elevation, next, alpha);
    std::swap(elevation, next);
  }
  return elevation;
}

void check_against_serial(const Field& before, const Field& after, long steps, double alpha) {
  const auto differs = [](double a, double b) {
    return std::bit_cast<std::uint64_t>(a) != std::bit_cast<std::uint64_t>(b);
  };
  const auto expected = solve_serially(before, steps, alpha);
  std::size_t count = 0;
  std::size_t first = 0;
  for (std::size_t i = after.cells.size(); i-- > 0;) {
    if (!differs(after.cells[i], expected.cells[i])) continue;
    first = i;
    ++count;
  }
  if (count == 0) return;
  throw apps::UserError(
      fmt::format("verification failed: {} of {} cells differ from the serial run, the first in "
                  "row {}, column {}: {} instead of {}",
                  count, after.cells.size(), first / after.cols, first % after.cols,
                  after.cells[first], expected.cells[first]));
}

}  // namespace terrain
