#pragma once

#include <cstddef>
#include <vector>

namespace terrain {

/// A row-major grid of doubles in private memory of one unit; row 0 is the north.
struct Field {
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::vector<double> cells;

  Field() = default;
  Field(std::size_t nrows, std::size_t ncols) : rows(nrows), cols(ncols), cells(nrows * ncols) {}

  double* row(std::size_t r) { return cells.data() + r * cols; }
  const double* row(std::size_t r) const { return cells.data() + r * cols; }
  double& at(std::size_t r, std::size_t c) { return cells[r * cols + c]; }
  double at(std::size_t r, std::size_t c) const { return cells[r * cols + c]; }
};

}  // namespace terrain
