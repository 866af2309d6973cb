#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace spmv {

/// Extents of a grid. Point (i, j, k) is row i + a (j + b k) of the matrix.
struct Grid {
  std::uint64_t a = 1;
  std::uint64_t b = 1;
  std::uint64_t c = 1;

  std::uint64_t rows() const { return a * b * c; }
  std::uint64_t plane() const { return a * b; }
  std::uint64_t nonzeros() const { return 7 * rows() - 2 * (a * b + b * c + c * a); }
};

/// Calls f(column) for the lower or the upper neighbours of a row, in ascending order.
/// @{
template <class F>
void for_lower(const Grid& grid, std::uint64_t row, const F& f) {
  const std::uint64_t i = row % grid.a;
  const std::uint64_t j = row / grid.a % grid.b;
  const std::uint64_t k = row / grid.plane();
  if (k > 0) f(row - grid.plane());
  if (j > 0) f(row - grid.a);
  if (i > 0) f(row - 1);
}
template <class F>
void for_upper(const Grid& grid, std::uint64_t row, const F& f) {
  const std::uint64_t i = row % grid.a;
  const std::uint64_t j = row / grid.a % grid.b;
  const std::uint64_t k = row / grid.plane();
  if (i + 1 < grid.a) f(row + 1);
  if (j + 1 < grid.b) f(row + grid.a);
  if (k + 1 < grid.c) f(row + grid.plane());
}
/// @}

/// Distribution of the rows in contiguous blocks of equal size. The last blocks may be smaller or
/// empty.
struct Layout {
  /// \param whole_planes  whether blocks consist of whole planes of the grid
  Layout(const Grid& whole, bool whole_planes, int num_units, int own_unit)
      : grid(whole), units(num_units), unit(own_unit) {
    const std::uint64_t group = whole_planes ? grid.plane() : 1;
    const std::uint64_t groups = grid.rows() / group;
    const auto blocks = static_cast<std::uint64_t>(units);
    block = (groups + blocks - 1) / blocks * group;
    first = begin_of(unit);
    size = begin_of(unit + 1) - first;
  }

  Grid grid;
  int units;
  int unit;
  std::uint64_t block = 0;
  /// The block of the calling unit.
  std::uint64_t first = 0;
  std::uint64_t size = 0;

  int owner(std::uint64_t row) const { return static_cast<int>(row / block); }
  std::uint64_t begin_of(int of_unit) const {
    return std::min(grid.rows(), block * static_cast<std::uint64_t>(of_unit));
  }
};

/// The columns of another unit's block of the vector that a unit needs.
struct Dependency {
  int owner = 0;
  /// The columns in ascending order.
  std::vector<std::uint64_t> columns;
  /// Index of the first of them among the ghosts of the unit.
  std::uint64_t first_ghost = 0;

  std::uint64_t first() const { return columns.front(); }
  /// The number of columns from the first to the last.
  std::uint64_t span() const { return columns.back() - columns.front() + 1; }
};

}  // namespace spmv
