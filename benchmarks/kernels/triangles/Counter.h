#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "Lists.h"
#include "support/Stopwatch.h"

namespace triangles {

/// How many elements two ascending lists have in common.
std::uint64_t common_elements(std::span<const Vertex> a, std::span<const Vertex> b);

/// Counts the triangles of a unit's share of the vertices.
///
/// Edges whose lists are here are counted at once, the others are taken by the batch. What lists a batch
/// needs and nobody has fetched are fetched together, neighbours in memory at once, while edges are
/// counted whose lists are here. Lists stay for later batches.
class Counter {
 public:
  struct Options {
    /// Elements of fetched lists that are kept.
    std::uint64_t cache = 0;
    /// Vertices are taken from all, so many at a time; 0: each unit counts its own.
    std::uint64_t chunk = 0;
  };
  struct Traffic {
    std::uint64_t gets = 0;
    std::uint64_t nbytes = 0;
  };

  Counter(const Graph& graph, Lists& lists, const Options& options);

  /// \returns the triangles of the caller's share
  std::uint64_t count(kernels::Stopwatch& communication);
  /// Of the last count.
  const Traffic& traffic() const { return _traffic; }

 private:
  struct Pair {
    Vertex from;
    Vertex to;
  };
  /// Edges whose lists are there, or on their way.
  using Batch = std::vector<Pair>;

  void count_vertices(std::span<const Vertex> vertices, kernels::Stopwatch& communication);
  /// The lists of the vertices whose triangles are counted.
  void fetch_own(std::span<const Vertex> vertices, kernels::Stopwatch& communication);
  void add(Pair pair, kernels::Stopwatch& communication);
  /// Whether the list of a vertex can be read now.
  bool is_here(Vertex v);
  void count(Pair pair, kernels::Stopwatch& communication);
  void turn_over(kernels::Stopwatch& communication);
  /// Drops what was fetched if there is too much; nothing may be in use.
  void make_room(kernels::Stopwatch& communication);
  void need(Vertex v);
  void fetch_needed();
  void forget();
  std::span<const Vertex> list(Vertex v) const { return {_known[v], _graph.length(v)}; }

  const Graph& _graph;
  Lists& _lists;
  Options _options;
  std::vector<const Vertex*> _known;  // where a list is; null: not here
  std::vector<Vertex> _kept;          // of _known: what was fetched
  std::vector<Vertex> _needed;
  std::vector<std::unique_ptr<Vertex[]>> _buffers;
  std::uint64_t _cached = 0;
  Batch _next;
  Batch _current;
  std::uint64_t _triangles = 0;
  Traffic _traffic;
  std::size_t _until_progress = 0;  // edges
};

}  // namespace triangles
