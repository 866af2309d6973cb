#include "Reference.h"

#include <algorithm>
#include <utility>

namespace triangles {

KnownGraph count_serially(std::uint64_t vertices, const ForEdges& for_edges) {
  KnownGraph graph{{}, 0};
  GraphStatistics& statistics = graph.statistics;
  // Each edge once, as one number with the smaller end in the upper half.
  std::vector<std::uint64_t> edges;
  for_edges([&](Edge edge) {
    if (edge.from == edge.to) {
      ++statistics.self_loops;
    } else {
      const auto [low, high] = std::minmax(edge.from, edge.to);
      edges.push_back(std::uint64_t{low} << 32 | high);
    }
  });
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  const auto high_end = [](std::uint64_t edge) { return static_cast<Vertex>(edge); };

  std::vector<std::uint64_t> degrees(vertices, 0);
  std::vector<std::size_t> begins(vertices + 1,
                                  0);  // begin of each vertex's edges to larger vertices
  for (const std::uint64_t edge : edges) {
    ++degrees[edge >> 32];
    ++degrees[high_end(edge)];
    ++begins[(edge >> 32) + 1];
  }
  for (std::size_t v = 0; v < vertices; ++v)
    begins[v + 1] += begins[v];
  statistics.edges = edges.size();
  for (const std::uint64_t d : degrees) {
    statistics.max_degree = std::max(statistics.max_degree, d);
    if (d == 0) ++statistics.isolated;
    if (d > 0) statistics.wedges += d * (d - 1) / 2;
  }

  std::vector<bool> is_neighbour(vertices, false);
  for (std::size_t u = 0; u < vertices; ++u) {
    const auto mark = [&](bool value) {
      for (std::size_t i = begins[u]; i < begins[u + 1]; ++i)
        is_neighbour[high_end(edges[i])] = value;
    };
    mark(true);
    for (std::size_t i = begins[u]; i < begins[u + 1]; ++i) {
      const Vertex v = high_end(edges[i]);
      for (std::size_t j = begins[v]; j < begins[v + 1]; ++j)
        graph.triangles += is_neighbour[high_end(edges[j])] ? 1U : 0U;
    }
    mark(false);
  }
  return graph;
}

}  // namespace triangles
