#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "Edges.h"
#include "support/World.h"

namespace triangles {

/// Which unit has the list of a vertex: blocks of vertices, or every so-manieth.
struct Distribution {
  std::uint64_t vertices = 0;
  int units = 1;
  int unit = 0;
  bool is_cyclic = true;

  int owner(Vertex v) const {
    const auto parts = static_cast<std::uint64_t>(units);
    return static_cast<int>(is_cyclic ? v % parts : kernels::block_of(vertices, parts, v));
  }
  bool is_own(Vertex v) const { return owner(v) == unit; }
};

/// How vertices are ordered. A triangle is counted at its first one.
enum class Order { id, degree };

/// Calls a function for each generated edge.
using ForEdges = std::function<void(const std::function<void(Edge)>&)>;

/// What a graph is told by.
struct GraphFigures {
  std::uint64_t self_loops = 0;
  std::uint64_t edges = 0;  // undirected, none twice
  std::uint64_t max_degree = 0;
  std::uint64_t isolated = 0;
  std::uint64_t wedges = 0;  // of each vertex: d (d - 1) / 2

  bool operator==(const GraphFigures&) const = default;
};

/// A simple graph, of which a unit has the neighbours of its vertices that come after them. Where each
/// list is, all units know.
class Graph {
 public:
  /// Each unit goes through all edges, and keeps those of its vertices. \collective
  Graph(kernels::World& world, const Distribution& distribution, Order order,
        const ForEdges& for_edges);

  const Distribution& distribution() const { return _distribution; }
  const GraphFigures& figures() const { return _figures; }

  /// The lists of the caller's vertices, one behind the other, each in ascending order.
  const std::vector<Vertex>& own_lists() const { return _lists; }
  /// Of a vertex's list: where it begins among its owner's, and its length.
  std::uint64_t place(Vertex v) const { return _places[v]; }
  std::uint64_t length(Vertex v) const { return _lengths[v]; }
  /// Elements of all lists of the unit that has most.
  std::uint64_t largest_part() const { return _largest_part; }

  const std::vector<Vertex>& own_vertices() const { return _vertices; }

 private:
  using Neighbours = std::vector<std::vector<Vertex>>;

  Neighbours neighbours(kernels::World& world, const ForEdges& for_edges);
  void keep_lists(const Neighbours& all, const std::vector<std::uint64_t>& degrees, Order order);
  void tell_places(kernels::World& world);

  Distribution _distribution;
  GraphFigures _figures;
  std::vector<Vertex> _vertices;
  std::vector<Vertex> _lists;
  std::vector<std::uint64_t> _places;
  std::vector<std::uint64_t> _lengths;
  std::uint64_t _largest_part = 0;
};

/// Of the R-MAT graphs that somebody has computed.
struct KnownGraph {
  GraphFigures figures;
  std::uint64_t triangles;
};
std::optional<KnownGraph> known_graph(unsigned scale);

std::string text_of(const GraphFigures& figures);

}  // namespace triangles
