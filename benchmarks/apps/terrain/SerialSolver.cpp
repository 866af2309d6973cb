#include "SerialSolver.h"

#include <utility>

#include "Stencil.h"

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

}  // namespace terrain
