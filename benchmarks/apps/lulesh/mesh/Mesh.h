#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace lulesh {

/// Values in x, y, z.
using Int3 = std::array<int, 3>;

/// Edge of the cube that the mesh fills.
inline constexpr double domain_edge = 1.125;

/// A box of elements or of nodes: coordinates from begin to end - 1.
struct Box {
  Int3 begin{};
  Int3 end{};

  bool empty() const { return begin[0] >= end[0] || begin[1] >= end[1] || begin[2] >= end[2]; }
  std::size_t size() const {
    return empty() ? 0
                   : static_cast<std::size_t>(end[0] - begin[0]) *
                         static_cast<std::size_t>(end[1] - begin[1]) *
                         static_cast<std::size_t>(end[2] - begin[2]);
  }
};

/// Decomposes `outer` without `inner`, a box inside of it, into disjoint boxes.
std::vector<Box> shell_of(const Box& outer, const Box& inner);

/// The subdomain of a unit in the mesh of hexahedra: a box of elements and their nodes. Nodes on
/// the border between subdomains exist on all units that share them.
///
/// Arrays of elements and of nodes are boxes in memory, x fastest. All units allocate boxes of the
/// size of the largest subdomain, so that strides are equal on all units.
struct Mesh {
  Int3 units{1, 1, 1};          ///< grid of units
  Int3 grid_position{0, 0, 0};  ///< coordinates of this unit in the grid
  Int3 elements{1, 1, 1};       ///< elements of the whole mesh
  Int3 first{0, 0, 0};          ///< first own element, in coordinates of the whole mesh
  Int3 count{1, 1, 1};          ///< number of own elements
  Int3 block{1, 1, 1};  ///< elements of the largest subdomain, which determine the array strides

  /// \pre no dimension has more units than elements
  Mesh(const Int3& units, const Int3& elements, int unit);

  int nodes(int d) const { return count[static_cast<std::size_t>(d)] + 1; }
  std::ptrdiff_t element(int i, int j, int k) const {
    return i +
           static_cast<std::ptrdiff_t>(block[0]) * (j + static_cast<std::ptrdiff_t>(block[1]) * k);
  }
  std::ptrdiff_t node(int i, int j, int k) const {
    return i + (block[0] + std::ptrdiff_t{1}) * (j + (block[1] + std::ptrdiff_t{1}) * k);
  }
  /// Index in an array of elements that has an additional layer on both sides in dimension d;
  /// coordinates start at -1.
  std::ptrdiff_t gradient(int d, int i, int j, int k) const {
    const Int3 extra{d == 0 ? 1 : 0, d == 1 ? 1 : 0, d == 2 ? 1 : 0};
    return (i + extra[0]) +
           (block[0] + std::ptrdiff_t{2} * extra[0]) *
               ((j + extra[1]) + (block[1] + std::ptrdiff_t{2} * extra[1]) * (k + extra[2]));
  }
  /// Lengths of the arrays.
  std::size_t element_capacity() const;
  std::size_t node_capacity() const;
  std::size_t gradient_capacity(int d) const;

  bool has_neighbour(std::size_t d, int side) const {
    return side < 0 ? grid_position[d] > 0 : grid_position[d] + 1 < units[d];
  }
  /// The neighbouring unit at a distance of -1, 0 or 1 in each dimension; -1 if there is none.
  int neighbour(const Int3& direction) const;
  Box all_elements() const { return {{0, 0, 0}, count}; }
  Box all_nodes() const { return {{0, 0, 0}, {nodes(0), nodes(1), nodes(2)}}; }
  /// Own elements without the layers next to neighbours on the lower side (-1), the upper side (1),
  /// or both (0).
  Box inner_elements(int side) const;
  /// Own nodes that no other unit shares.
  Box inner_nodes() const;
  /// The number of this unit; x varies fastest.
  int unit() const {
    return grid_position[0] + units[0] * (grid_position[1] + units[1] * grid_position[2]);
  }
  bool is_origin() const { return grid_position == Int3{0, 0, 0}; }
};

/// The grid of units with the smallest total area of faces between subdomains; {0, 0, 0} if no grid
/// fits the mesh.
Int3 choose_grid(int units, const Int3& elements);

}  // namespace lulesh
