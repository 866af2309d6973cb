#pragma once

#include <cstdint>

namespace triangles {

using Vertex = std::uint32_t;

struct Edge {
  Vertex from;
  Vertex to;
};

/// Edge `index` of the R-MAT graph of 2^scale vertices with a = 0.57, b = c = 0.19, d = 0.05. Edges
/// are generated independently, so that any unit can generate any edge.
/// \see Chakrabarti, Zhan, Faloutsos: R-MAT, a recursive model for graph mining (2004)
Edge rmat_edge(unsigned scale, std::uint64_t index);

/// The number of generated edges.
constexpr std::uint64_t rmat_edges(unsigned scale) {
  return std::uint64_t{16} << scale;
}

}  // namespace triangles
