#include "RowKernels.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace stencil {

namespace {

float relaxed(float north, float south, float west, float east) {
  return 0.25F * (((north + south) + west) + east);
}

Change change(float before, float after) {
  return std::bit_cast<Change>(std::fabs(after - before));
}

}  // namespace

float change_of(Change bits) {
  return std::bit_cast<float>(bits);
}

Change relax_row(float* __restrict out, const float* north, const float* row, const float* south,
                 long n) {
  Change most = 0;
  for (long j = 1; j <= n; ++j) {
    const float after = relaxed(north[j], south[j], row[j - 1], row[j + 1]);
    most = std::max(most, change(row[j], after));
    out[j] = after;
  }
  return most;
}

namespace {

/// Of a row, as many as a vector has.
constexpr long vector_cells = 16;
template <class T>
using Cells = std::array<T, vector_cells>;

/// Cells of one colour do not depend on each other: those of a vector are computed before any is written.
/// Cells of the other colour are computed, too, and written as they are.
/// \param west  the cells before each, and then those before each of the next vector: read before what is
///              written, which the processor could hand on in whole vectors only
void relax_vector(float* row, const float* north, const float* south, long parity,
                  Cells<float>& west, Cells<Change>& most) {
  Cells<float> after;
  for (long j = 0; j < vector_cells; ++j) {
    const auto place = static_cast<std::size_t>(j);
    const float relaxed_cell = relaxed(north[j], south[j], west[place], row[j + 1]);
    after[place] = (j & 1) == parity ? relaxed_cell : row[j];
    most[place] = std::max(most[place], change(row[j], after[place]));
  }
  std::copy_n(row + vector_cells - 1, vector_cells, west.begin());
  std::copy(after.begin(), after.end(), row);
}

}  // namespace

Change relax_colour(float* row, const float* north, const float* south, long n, long parity) {
  Cells<Change> changes{};
  long j = 1;
  if (n > 2 * vector_cells) {
    Cells<float> west;
    std::copy_n(row, vector_cells, west.begin());
    // So that a whole vector is behind each, too.
    for (; j + 2 * vector_cells <= n + 1; j += vector_cells)
      relax_vector(row + j, north + j, south + j, (parity + 1) & 1, west, changes);
  }
  Change most = *std::max_element(changes.begin(), changes.end());
  if ((j & 1) != parity) ++j;
  for (; j <= n; j += 2) {
    const float after = relaxed(north[j], south[j], row[j - 1], row[j + 1]);
    most = std::max(most, change(row[j], after));
    row[j] = after;
  }
  return most;
}

Change relax_in_order(float* row, const float* north, const float* south, long n) {
  Change most = 0;
  float west = row[0];
  for (long j = 1; j <= n; ++j) {
    const float after = relaxed(north[j], south[j], west, row[j + 1]);
    most = std::max(most, change(row[j], after));
    row[j] = after;
    west = after;
  }
  return most;
}

}  // namespace stencil
