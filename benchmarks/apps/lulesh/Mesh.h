#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace lulesh {

/// In x, y, z.
using Int3 = std::array<int, 3>;

/// Edge of the cube that the mesh fills.
inline constexpr double domain_edge = 1.125;

/// Coordinates from begin to end - 1, of elements or of nodes.
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

/// What a box has beyond another one inside of it, as boxes.
std::vector<Box> shell_of(const Box& outer, const Box& inner);

/// A unit's part of the mesh of hexahedra: a box of elements, and their nodes, of which those
/// between two units are on both.
///
/// Arrays of elements and of nodes are boxes in memory, x fastest. All units have boxes of the size
/// of the largest part, so that strides are the same everywhere.
struct Mesh {
  Int3 units{1, 1, 1};     ///< grid of units
  Int3 place{0, 0, 0};     ///< this unit's in it
  Int3 elements{1, 1, 1};  ///< of the whole mesh
  Int3 first{0, 0, 0};     ///< own elements in the whole mesh
  Int3 count{1, 1, 1};     ///< own elements
  Int3 block{1, 1, 1};     ///< own elements of the largest part, by which arrays are laid out

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
  /// In an array of elements with one layer more on both sides in dimension d, coordinates from -1.
  std::ptrdiff_t gradient(int d, int i, int j, int k) const {
    const Int3 extra{d == 0 ? 1 : 0, d == 1 ? 1 : 0, d == 2 ? 1 : 0};
    return (i + extra[0]) +
           (block[0] + std::ptrdiff_t{2} * extra[0]) *
               ((j + extra[1]) + (block[1] + std::ptrdiff_t{2} * extra[1]) * (k + extra[2]));
  }
  /// Lengths of arrays.
  std::size_t element_capacity() const;
  std::size_t node_capacity() const;
  std::size_t gradient_capacity(int d) const;

  bool has_neighbour(std::size_t d, int side) const {
    return side < 0 ? place[d] > 0 : place[d] + 1 < units[d];
  }
  /// The unit at a distance of -1, 0, 1 in each direction; -1 if there is none.
  int neighbour(const Int3& direction) const;
  Box all_elements() const { return {{0, 0, 0}, count}; }
  Box all_nodes() const { return {{0, 0, 0}, {nodes(0), nodes(1), nodes(2)}}; }
  /// Without the layers next to neighbours on one side (-1, 1) or on both (0).
  Box inner_elements(int side) const;
  /// Nodes that are on no other unit.
  Box inner_nodes() const;
  /// This unit's number: x counts least.
  int unit() const { return place[0] + units[0] * (place[1] + units[1] * place[2]); }
  bool is_origin() const { return place == Int3{0, 0, 0}; }
};

/// The grid of units with the least communication for a mesh.
Int3 choose_grid(int units, const Int3& elements);

}  // namespace lulesh
