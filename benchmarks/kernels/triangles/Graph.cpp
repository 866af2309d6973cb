#include "Graph.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace triangles {

Graph::Graph(kernels::World& world, const Distribution& distribution, Order order,
             const ForEdges& for_edges)
    : _distribution(distribution) {
  for (std::uint64_t v = 0; v < distribution.vertices; ++v) {
    if (distribution.is_own(static_cast<Vertex>(v))) _vertices.push_back(static_cast<Vertex>(v));
  }
  const Neighbours all = neighbours(world, for_edges);
  std::vector<std::uint64_t> degrees(distribution.vertices);
  for (std::size_t i = 0; i < _vertices.size(); ++i)
    degrees[_vertices[i]] = all[i].size();
  world.reduce(degrees, kernels::World::Reduction::sum);
  for (const std::uint64_t d : degrees) {
    _statistics.edges += d;
    _statistics.max_degree = std::max(_statistics.max_degree, d);
    if (d == 0) {
      ++_statistics.isolated;
    } else {
      _statistics.wedges += d * (d - 1) / 2;
    }
  }
  _statistics.edges /= 2;
  keep_lists(all, degrees, order);
  exchange_offsets(world);
}

Graph::Neighbours Graph::neighbours(kernels::World& world, const ForEdges& for_edges) {
  std::vector<std::uint32_t> number(_distribution.vertices);
  for (std::size_t i = 0; i < _vertices.size(); ++i)
    number[_vertices[i]] = static_cast<std::uint32_t>(i);
  Neighbours all(_vertices.size());
  std::uint64_t loops = 0;
  for_edges([&](Edge edge) {
    if (edge.from == edge.to) {
      if (_distribution.is_own(edge.from)) ++loops;
      return;
    }
    if (_distribution.is_own(edge.from)) all[number[edge.from]].push_back(edge.to);
    if (_distribution.is_own(edge.to)) all[number[edge.to]].push_back(edge.from);
  });
  for (auto& list : all) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  _statistics.self_loops = world.sum(loops);
  return all;
}

void Graph::keep_lists(const Neighbours& all, const std::vector<std::uint64_t>& degrees,
                       Order order) {
  const auto is_before = [&](Vertex a, Vertex b) {
    if (order == Order::degree && degrees[a] != degrees[b]) return degrees[a] < degrees[b];
    return a < b;
  };
  _offsets.assign(_distribution.vertices, 0);
  _lengths.assign(_distribution.vertices, 0);
  for (std::size_t i = 0; i < _vertices.size(); ++i) {
    const Vertex u = _vertices[i];
    _offsets[u] = _lists.size();
    for (const Vertex v : all[i]) {
      if (is_before(u, v)) _lists.push_back(v);
    }
    _lengths[u] = _lists.size() - _offsets[u];
  }
}

void Graph::exchange_offsets(kernels::World& world) {
  world.reduce(_offsets, kernels::World::Reduction::sum);
  world.reduce(_lengths, kernels::World::Reduction::sum);
  _largest_block = world.max<std::uint64_t>(_lists.size());
}

std::optional<KnownGraph> known_graph(unsigned scale) {
  switch (scale) {
    case 4:
      return KnownGraph{{40, 59, 15, 0, 486}, 97};
    case 6:
      return KnownGraph{{63, 389, 52, 1, 8142}, 1194};
    case 8:
      return KnownGraph{{75, 2153, 163, 19, 101026}, 11183};
    case 10:
      return KnownGraph{{127, 10560, 477, 124, 1015022}, 75321};
    case 12:
      return KnownGraph{{171, 48356, 1345, 712, 9181302}, 484058};
    case 14:
      return KnownGraph{{306, 212952, 3631, 3796, 77558742}, 2806311};
    default:
      return std::nullopt;
  }
}

std::string text_of(const GraphStatistics& statistics) {
  return fmt::format("{} edges, {} self loops, largest degree {}, {} isolated, {} wedges",
                     statistics.edges, statistics.self_loops, statistics.max_degree,
                     statistics.isolated, statistics.wedges);
}

}  // namespace triangles
