#include "baseline/BlockGrid.h"

#include <algorithm>

namespace terrain {

BlockGrid::BlockGrid(const std::array<std::size_t, 2>& extents, const std::array<int, 2>& grid)
    : _extents(extents), _grid(grid) {}

std::size_t BlockGrid::block_extent(std::size_t dimension) const {
  const auto n = static_cast<std::size_t>(_grid[dimension]);
  return (_extents[dimension] + n - 1) / n;
}

std::size_t BlockGrid::max_side_length() const {
  return std::max(block_extent(0), block_extent(1));
}

BlockGrid::Subdomain BlockGrid::subdomain_of(int process) const {
  const std::array<int, 2> coords{process / _grid[1], process % _grid[1]};
  std::array<std::size_t, 2> count{};
  Subdomain subdomain;
  for (std::size_t d = 0; d < 2; ++d) {
    subdomain.first[d] = block_extent(d) * static_cast<std::size_t>(coords[d]);
    count[d] = std::min(block_extent(d), _extents[d] - subdomain.first[d]);
  }
  subdomain.block = {count[0],      count[1],
                     coords[0] > 0, coords[0] + 1 < _grid[0],
                     coords[1] > 0, coords[1] + 1 < _grid[1]};
  return subdomain;
}

int BlockGrid::neighbour(int process, Side side) const {
  const std::array steps{-_grid[1], _grid[1], -1, 1};
  return process + steps[static_cast<std::size_t>(side)];
}

}  // namespace terrain
