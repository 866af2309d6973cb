#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "Edges.h"
#include "support/World.h"

namespace triangles {

/// Distribution of the vertices over units, in blocks or cyclic. The owner of a vertex has its
/// list.
struct Distribution {
  std::uint64_t vertices = 0;
  int units = 1;
  int unit = 0;
  bool is_cyclic = true;

  int owner(Vertex v) const {
    const auto count = static_cast<std::uint64_t>(units);
    return static_cast<int>(is_cyclic ? v % count : kernels::block_of(vertices, count, v));
  }
  bool is_own(Vertex v) const { return owner(v) == unit; }
};

/// The order of vertices. A triangle is counted at its first vertex.
enum class Order { id, degree };

/// Calls a function for each generated edge.
using ForEdges = std::function<void(const std::function<void(Edge)>&)>;

/// Characteristic values of a graph, which are compared with known ones.
struct GraphStatistics {
  std::uint64_t self_loops = 0;
  std::uint64_t edges = 0;  // undirected, without duplicates
  std::uint64_t max_degree = 0;
  std::uint64_t isolated = 0;
  std::uint64_t wedges = 0;  // sum of d (d - 1) / 2 over all vertices of degree d

  bool operator==(const GraphStatistics&) const = default;
};

/// A simple graph. A unit has the lists of its vertices: the neighbours that come after the vertex
/// in the order. All units know the offset and length of each list.
class Graph {
 public:
  /// Each unit generates all edges and keeps those of its vertices. \collective
  Graph(kernels::World& world, const Distribution& distribution, Order order,
        const ForEdges& for_edges);

  const Distribution& distribution() const { return _distribution; }
  const GraphStatistics& statistics() const { return _statistics; }

  /// The lists of the caller's vertices, concatenated; each is in ascending order.
  const std::vector<Vertex>& own_lists() const { return _lists; }
  /// Offset of a vertex's list in the lists of its owner, and its length.
  std::uint64_t offset(Vertex v) const { return _offsets[v]; }
  std::uint64_t length(Vertex v) const { return _lengths[v]; }
  /// Maximum total length of the lists of a unit.
  std::uint64_t largest_block() const { return _largest_block; }

  const std::vector<Vertex>& own_vertices() const { return _vertices; }

 private:
  using Neighbours = std::vector<std::vector<Vertex>>;

  Neighbours neighbours(kernels::World& world, const ForEdges& for_edges);
  void keep_lists(const Neighbours& all, const std::vector<std::uint64_t>& degrees, Order order);
  void exchange_offsets(kernels::World& world);

  Distribution _distribution;
  GraphStatistics _statistics;
  std::vector<Vertex> _vertices;
  std::vector<Vertex> _lists;
  std::vector<std::uint64_t> _offsets;
  std::vector<std::uint64_t> _lengths;
  std::uint64_t _largest_block = 0;
};

/// The known results of an R-MAT graph.
struct KnownGraph {
  GraphStatistics statistics;
  std::uint64_t triangles;
};
std::optional<KnownGraph> known_graph(unsigned scale);

std::string text_of(const GraphStatistics& statistics);

}  // namespace triangles
