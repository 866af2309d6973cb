#include "Bisection.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <tuple>

namespace dash::core::mapping {

namespace {

class Bisection {
 public:
  Bisection(const Grid& grid, std::span<const PartBoundary> boundaries)
      : _grid(grid), _ndim(grid.extents.size()), _boundaries(boundaries) {
    const std::size_t size = grid.size();
    _cells.resize(size);
    _buffer.resize(size);
    std::iota(_cells.begin(), _cells.end(), 0U);
    std::uint32_t stride = 1;
    for (std::size_t d = _ndim; d-- > 0;) {
      _strides[d] = stride;
      stride *= grid.extents[d];
    }
  }

  std::vector<std::uint32_t> run() {
    split(0, _boundaries.size(), 0);
    return std::move(_cells);
  }

 private:
  using Dimensions = std::array<std::size_t, Grid::max_dimensions>;

  std::uint32_t coordinate(std::uint32_t cell, std::size_t d) const {
    return cell / _strides[d] % _grid.extents[d];
  }

  /// Divides the parts [first, last), the first of which begins with unit `begin`.
  void split(std::size_t first, std::size_t last, std::uint32_t begin) {
    if (last - first < 2) return;
    const std::size_t middle = boundary_between(first, last, begin);
    const std::uint32_t at = _boundaries[middle].end;
    const std::uint32_t end = _boundaries[last - 1].end;
    const std::span<std::uint32_t> cells(_cells.data() + begin, end - begin);
    select(cells, at - begin, cheapest_cut_first(cells), 0);
    split(first, middle + 1, begin);
    split(middle + 1, last, at);
  }

  /// The boundary of the highest level; of several, the one nearest to the middle.
  std::size_t boundary_between(std::size_t first, std::size_t last, std::uint32_t begin) const {
    const std::uint32_t end = _boundaries[last - 1].end;
    const auto from_middle = [&](std::size_t i) {
      const std::uint64_t twice = 2 * std::uint64_t{_boundaries[i].end};
      const std::uint64_t sum = std::uint64_t{begin} + end;
      return twice > sum ? twice - sum : sum - twice;
    };
    std::size_t best = first;
    for (std::size_t i = first + 1; i + 1 < last; ++i) {
      if (std::tuple(~_boundaries[i].level, from_middle(i)) <
          std::tuple(~_boundaries[best].level, from_middle(best)))
        best = i;
    }
    return best;
  }

  /// The dimensions, sorted by the cost of a cut across them.
  Dimensions cheapest_cut_first(std::span<const std::uint32_t> cells) const {
    std::array<double, Grid::max_dimensions> price{};
    Dimensions dimensions{};
    for (std::size_t d = 0; d < _ndim; ++d) {
      std::uint32_t low = _grid.extents[d];
      std::uint32_t high = 0;
      for (const std::uint32_t cell : cells) {
        const std::uint32_t x = coordinate(cell, d);
        low = std::min(low, x);
        high = std::max(high, x);
      }
      // Cutting a complete periodic dimension creates a second boundary.
      const std::uint32_t extent = high - low + 1;
      const bool wraps = _grid.is_periodic(d) && extent == _grid.extents[d];
      price[d] = _grid.weight(d) * (wraps ? 2 : 1) / extent;
      dimensions[d] = d;
    }
    std::stable_sort(dimensions.begin(), dimensions.begin() + static_cast<std::ptrdiff_t>(_ndim),
                     [&](std::size_t a, std::size_t b) { return price[a] < price[b]; });
    return dimensions;
  }

  /// Moves the first `count` cells, ordered by these dimensions, to the front. Stable.
  void select(std::span<std::uint32_t> cells, std::uint32_t count, const Dimensions& dimensions,
              std::size_t rank) {
    if (rank == _ndim || count == 0 || count == cells.size()) return;
    const std::size_t d = dimensions[rank];
    std::vector<std::uint32_t> at(_grid.extents[d], 0);
    for (const std::uint32_t cell : cells)
      ++at[coordinate(cell, d)];
    std::uint32_t plane = 0;
    std::uint32_t before = 0;
    while (before + at[plane] <= count)
      before += at[plane++];
    // Cells before, in and after the plane.
    std::array<std::uint32_t*, 3> to{_buffer.data(), _buffer.data() + before,
                                     _buffer.data() + before + at[plane]};
    for (const std::uint32_t cell : cells) {
      const std::uint32_t x = coordinate(cell, d);
      *to[x < plane ? 0 : x == plane ? 1 : 2]++ = cell;
    }
    std::copy_n(_buffer.begin(), cells.size(), cells.begin());
    select(cells.subspan(before, at[plane]), count - before, dimensions, rank + 1);
  }

  const Grid& _grid;
  std::size_t _ndim;
  std::span<const PartBoundary> _boundaries;
  std::array<std::uint32_t, Grid::max_dimensions> _strides{};
  std::vector<std::uint32_t> _cells;
  std::vector<std::uint32_t> _buffer;
};

}  // namespace

std::vector<std::uint32_t> bisected_cells(const Grid& grid,
                                          std::span<const PartBoundary> boundaries) {
  return Bisection(grid, boundaries).run();
}

}  // namespace dash::core::mapping
