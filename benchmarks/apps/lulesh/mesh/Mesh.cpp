#include "mesh/Mesh.h"

#include <algorithm>
#include <limits>

namespace lulesh {

namespace {

// First element of a block; block sizes differ by at most one element.
int block_begin(int elements, int blocks, int block) {
  return static_cast<int>(static_cast<long>(elements) * block / blocks);
}

}  // namespace

std::vector<Box> shell_of(const Box& outer, const Box& inner) {
  if (inner.empty()) return {outer};
  std::vector<Box> shell;
  Box rest = outer;
  // Start with the boxes below and above in the last dimension: they are the largest and
  // contiguous.
  for (std::size_t d = 3; d-- > 0;) {
    Box below = rest;
    below.end[d] = inner.begin[d];
    Box above = rest;
    above.begin[d] = inner.end[d];
    for (const Box& box : {below, above}) {
      if (!box.empty()) shell.push_back(box);
    }
    rest.begin[d] = inner.begin[d];
    rest.end[d] = inner.end[d];
  }
  return shell;
}

Mesh::Mesh(const Int3& units_, const Int3& elements_, int unit)
    : units(units_), elements(elements_) {
  grid_position = {unit % units[0], unit / units[0] % units[1], unit / (units[0] * units[1])};
  for (std::size_t d = 0; d < 3; ++d) {
    first[d] = block_begin(elements[d], units[d], grid_position[d]);
    count[d] = block_begin(elements[d], units[d], grid_position[d] + 1) - first[d];
    block[d] = (elements[d] + units[d] - 1) / units[d];
  }
}

std::size_t Mesh::element_capacity() const {
  return Box{{}, block}.size();
}

std::size_t Mesh::node_capacity() const {
  return Box{{}, {block[0] + 1, block[1] + 1, block[2] + 1}}.size();
}

std::size_t Mesh::gradient_capacity(int d) const {
  Int3 extents = block;
  extents[static_cast<std::size_t>(d)] += 2;
  return Box{{}, extents}.size();
}

Box Mesh::inner_elements(int side) const {
  Box box = all_elements();
  for (std::size_t d = 0; d < 3; ++d) {
    if (side <= 0 && has_neighbour(d, -1)) ++box.begin[d];
    if (side >= 0 && has_neighbour(d, 1)) --box.end[d];
  }
  return box;
}

Box Mesh::inner_nodes() const {
  Box box = all_nodes();
  for (std::size_t d = 0; d < 3; ++d) {
    if (has_neighbour(d, -1)) ++box.begin[d];
    if (has_neighbour(d, 1)) --box.end[d];
  }
  return box;
}

int Mesh::neighbour(const Int3& direction) const {
  Int3 at{};
  for (std::size_t d = 0; d < 3; ++d) {
    at[d] = grid_position[d] + direction[d];
    if (at[d] < 0 || at[d] >= units[d]) return -1;
  }
  return at[0] + units[0] * (at[1] + units[1] * at[2]);
}

Int3 choose_grid(int units, const Int3& elements) {
  Int3 best{0, 0, 0};
  double least = std::numeric_limits<double>::max();
  for (int x = 1; x <= units; ++x) {
    if (units % x != 0) continue;
    for (int y = 1; y <= units / x; ++y) {
      if (units / x % y != 0) continue;
      const int z = units / x / y;
      if (x > elements[0] || y > elements[1] || z > elements[2]) continue;
      // Area of the faces between units. Of equal areas the first wins: it divides x, the
      // contiguous dimension, least.
      const double area = static_cast<double>(x - 1) * elements[1] * elements[2] +
                          static_cast<double>(y - 1) * elements[0] * elements[2] +
                          static_cast<double>(z - 1) * elements[0] * elements[1];
      if (area < least) {
        least = area;
        best = {x, y, z};
      }
    }
  }
  return best;
}

}  // namespace lulesh
