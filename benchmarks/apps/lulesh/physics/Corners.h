#pragma once

#include <array>

#include "mesh/Fields.h"
#include "mesh/Mesh.h"
#include "physics/Vec.h"

namespace lulesh {

/// A vector for each of the eight corners of an element: 0 (0,0,0), 1 (1,0,0), 2 (1,1,0), 3 (0,1,0)
/// in xi, eta, zeta; corners 4 to 7 are above them.
template <class V>
using Corners = std::array<Vec<V>, 8>;

/// Offsets of the corners of an element from its lowest node, in an array of nodes.
class CornerOffsets {
 public:
  explicit CornerOffsets(const Mesh& mesh) : _row(mesh.node(0, 1, 0)), _plane(mesh.node(0, 0, 1)) {}

  std::array<std::ptrdiff_t, 8> all() const {
    return {0, 1, _row + 1, _row, _plane, _plane + 1, _plane + _row + 1, _plane + _row};
  }

 private:
  std::ptrdiff_t _row;
  std::ptrdiff_t _plane;
};

/// Loads the corners of an element, or of a pack of elements along x. `lowest` is the lowest node
/// of the first element.
template <class V>
Corners<V> load_corners(const Components& from, std::ptrdiff_t lowest,
                        const std::array<std::ptrdiff_t, 8>& offsets) {
  Corners<V> result;
  for (std::size_t c = 0; c < 8; ++c) {
    const std::ptrdiff_t node = lowest + offsets[c];
    result[c] = {load<V>(from[0] + node), load<V>(from[1] + node), load<V>(from[2] + node)};
  }
  return result;
}

/// The triple product of three edges: the volume of the parallelepiped that they span.
template <class V>
V triple_product(const Vec<V>& a, const Vec<V>& b, const Vec<V>& c) {
  return a.x * (b.y * c.z - c.y * b.z) + a.y * (c.x * b.z - b.x * c.z) +
         a.z * (b.x * c.y - c.x * b.y);
}

/// Volume of a hexahedron.
template <class V>
V volume_of(const Corners<V>& x) {
  const V sum = triple_product((x[3] - x[1]) + (x[7] - x[2]), x[6] - x[3], x[2] - x[0]) +
                triple_product((x[4] - x[3]) + (x[5] - x[7]), x[6] - x[4], x[7] - x[0]) +
                triple_product((x[1] - x[4]) + (x[2] - x[5]), x[6] - x[1], x[5] - x[0]);
  return sum * (1.0 / 12.0);
}

}  // namespace lulesh
