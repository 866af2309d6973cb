// Common parts of the five-point stencils of docs/how-to/port-from-mpi.md: the arithmetic and the expected
// result.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

namespace stencil {

constexpr long rows = 48;
constexpr long cols = 40;
constexpr int steps = 60;

/// Initial value of the elements of a row. The first row of the plate is hot, the other edges are cold.
inline double initial(long row) {
  return row == 0 ? 1 : 0;
}

/// Computes the new values of a row, except its first and last element.
inline void relax(const double* above, const double* row, const double* below, double* out) {
  for (long j = 1; j + 1 < cols; ++j)
    out[j] = 0.25 * (above[j] + below[j] + row[j - 1] + row[j + 1]);
}

/// The result that a single process computes.
inline std::vector<double> serial_solution() {
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

/// Returns how many of `count` elements in a row, starting at (i, j), differ from the serial solution.
inline int differences(const double* elements, long i, long j, long count) {
  static const std::vector<double> expected = serial_solution();
  int different = 0;
  for (long k = 0; k < count; ++k) {
    const double value = expected[static_cast<std::size_t>(i * cols + j + k)];
    if (std::abs(elements[k] - value) > 1e-12) ++different;
  }
  return different;
}

}  // namespace stencil
