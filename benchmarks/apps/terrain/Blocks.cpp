#include "Blocks.h"

#include <algorithm>

namespace terrain {

Blocks::Blocks(const std::array<std::size_t, 2>& extents, const std::array<int, 2>& grid)
    : _extents(extents), _grid(grid) {}

std::size_t Blocks::most(std::size_t dimension) const {
  const auto n = static_cast<std::size_t>(_grid[dimension]);
  return (_extents[dimension] + n - 1) / n;
}

std::size_t Blocks::longest() const {
  return std::max(most(0), most(1));
}

Blocks::Place Blocks::place_of(int process) const {
  const std::array<int, 2> coords{process / _grid[1], process % _grid[1]};
  std::array<std::size_t, 2> count{};
  Place place;
  for (std::size_t d = 0; d < 2; ++d) {
    place.first[d] = most(d) * static_cast<std::size_t>(coords[d]);
    count[d] = std::min(most(d), _extents[d] - place.first[d]);
  }
  place.block = {count[0],      count[1],
                 coords[0] > 0, coords[0] + 1 < _grid[0],
                 coords[1] > 0, coords[1] + 1 < _grid[1]};
  return place;
}

int Blocks::neighbour(int process, Side side) const {
  const std::array steps{-_grid[1], _grid[1], -1, 1};
  return process + steps[static_cast<std::size_t>(side)];
}

}  // namespace terrain
