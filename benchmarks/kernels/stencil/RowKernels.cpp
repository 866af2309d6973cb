#include "RowKernels.h"

#include <algorithm>
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

Change relax_colour(float* row, const float* north, const float* south, long n, long parity) {
  Change most = 0;
  // Cells of the other colour are written as they are: what is read of this colour is not used, so
  // that the cells of a vector do not depend on each other.
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
  for (long j = 1; j <= n; ++j) {
    const float before = row[j];
    const float after = relaxed(north[j], south[j], row[j - 1], row[j + 1]);
    const bool is_it = (j & 1) == parity;
    most = std::max(most, is_it ? change(before, after) : 0);
    row[j] = is_it ? after : before;
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
