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
  Change largest = 0;
  for (long j = 1; j <= n; ++j) {
    const float after = relaxed(north[j], south[j], row[j - 1], row[j + 1]);
    largest = std::max(largest, change(row[j], after));
    out[j] = after;
  }
  return largest;
}

namespace {

/// Number of cells that are processed at once.
constexpr long vector_cells = 16;
template <class T>
using Cells = std::array<T, vector_cells>;

/// Updates the cells of one color in a vector. They do not depend on each other, so all are
/// computed before any is written. Cells of the other color are written unchanged.
/// \param west  input: the left neighbours of the cells; output: those of the next vector. They are
///              loaded before the vector is stored, since a load that partially overlaps a pending
///              store cannot be forwarded from it
void relax_vector(float* row, const float* north, const float* south, long parity,
                  Cells<float>& west, Cells<Change>& largest) {
  Cells<float> after;
  for (long j = 0; j < vector_cells; ++j) {
    const auto index = static_cast<std::size_t>(j);
    const float relaxed_cell = relaxed(north[j], south[j], west[index], row[j + 1]);
    after[index] = (j & 1) == parity ? relaxed_cell : row[j];
    largest[index] = std::max(largest[index], change(row[j], after[index]));
  }
  std::copy_n(row + vector_cells - 1, vector_cells, west.begin());
  std::copy(after.begin(), after.end(), row);
}

}  // namespace

Change relax_color(float* row, const float* north, const float* south, long n, long parity) {
  Cells<Change> changes{};
  long j = 1;
  if (n > 2 * vector_cells) {
    Cells<float> west;
    std::copy_n(row, vector_cells, west.begin());
    // There must be a whole vector behind each, whose left neighbours are loaded.
    for (; j + 2 * vector_cells <= n + 1; j += vector_cells)
      relax_vector(row + j, north + j, south + j, (parity + 1) & 1, west, changes);
  }
  Change largest = *std::max_element(changes.begin(), changes.end());
  if ((j & 1) != parity) ++j;
  for (; j <= n; j += 2) {
    const float after = relaxed(north[j], south[j], row[j - 1], row[j + 1]);
    largest = std::max(largest, change(row[j], after));
    row[j] = after;
  }
  return largest;
}

Change relax_in_order(float* row, const float* north, const float* south, long n) {
  Change largest = 0;
  float west = row[0];
  for (long j = 1; j <= n; ++j) {
    const float after = relaxed(north[j], south[j], west, row[j + 1]);
    largest = std::max(largest, change(row[j], after));
    row[j] = after;
    west = after;
  }
  return largest;
}

}  // namespace stencil
