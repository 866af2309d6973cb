// What the five-point stencils of docs/from-mpi-to-dash.md share: the arithmetic, and the result.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

namespace stencil {

constexpr long rows = 48;
constexpr long cols = 40;
constexpr int steps = 60;

/// A plate whose first row is kept hot and whose other edges are kept cold.
inline double initial(long row) {
  return row == 0 ? 1 : 0;
}

/// The new values of a row, but for its first and last element.
inline void relax(const double* above, const double* row, const double* below, double* out) {
  for (long j = 1; j + 1 < cols; ++j)
    out[j] = 0.25 * (above[j] + below[j] + row[j - 1] + row[j + 1]);
}

inline std::vector<double> solved_by_one() {
  std::vector<double> now(rows * cols);
  for (long i = 0; i < rows * cols; ++i)
    now[static_cast<std::size_t>(i)] = initial(i / cols);
  std::vector<double> next = now;
  for (int step = 0; step < steps; ++step) {
    for (long i = 1; i + 1 < rows; ++i) {
      const double* row = now.data() + i * cols;
      relax(row - cols, row, row + cols, next.data() + i * cols);
    }
    std::swap(now, next);
  }
  return now;
}

/// Of `count` elements in a row, from (i, j) on: how many are not what one process computes.
inline int differences(const double* elements, long i, long j, long count) {
  static const std::vector<double> expected = solved_by_one();
  int different = 0;
  for (long k = 0; k < count; ++k) {
    const double value = expected[static_cast<std::size_t>(i * cols + j + k)];
    if (std::abs(elements[k] - value) > 1e-12) ++different;
  }
  return different;
}

}  // namespace stencil
