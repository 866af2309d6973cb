#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "Lists.h"
#include "support/Stopwatch.h"

namespace triangles {

/// The number of common elements of two ascending lists.
std::uint64_t common_elements(std::span<const Vertex> a, std::span<const Vertex> b);

/// Counts the triangles of a unit's share of the vertices.
///
/// Edges whose lists are available are counted immediately, other edges are collected in batches.
/// The missing lists of a batch are fetched together, and adjacent lists by one transfer, while
/// edges with available lists are counted. Fetched lists are cached for later batches.
class Counter {
 public:
  struct Options {
    /// Maximum number of elements in the cache of fetched lists.
    std::uint64_t cache = 0;
    /// Number of vertices that a unit takes from the shared counter at a time; 0: each unit counts
    /// its own vertices.
    std::uint64_t chunk = 0;
  };
  struct Traffic {
    std::uint64_t gets = 0;
    std::uint64_t nbytes = 0;
  };

  Counter(const Graph& graph, Lists& lists, const Options& options);

  /// \returns the number of triangles of the caller's vertices
  std::uint64_t count(kernels::Stopwatch& communication);
  /// The transfers of the last count.
  const Traffic& traffic() const { return _traffic; }

 private:
  struct Pair {
    Vertex from;
    Vertex to;
  };
  /// Edges whose lists are available or being fetched.
  using Batch = std::vector<Pair>;

  void count_vertices(std::span<const Vertex> vertices, kernels::Stopwatch& communication);
  /// Fetches the lists of the vertices whose triangles are counted.
  void fetch_own(std::span<const Vertex> vertices, kernels::Stopwatch& communication);
  void add(Pair pair, kernels::Stopwatch& communication);
  /// Whether the list of a vertex can be read without fetching.
  bool is_available(Vertex v);
  void count(Pair pair, kernels::Stopwatch& communication);
  void process_batch(kernels::Stopwatch& communication);
  /// Clears the cache if it is too large. Completes the current batches before.
  void trim_cache(kernels::Stopwatch& communication);
  void require_list(Vertex v);
  void start_fetches();
  void clear_cache();
  std::span<const Vertex> list(Vertex v) const { return {_addresses[v], _graph.length(v)}; }

  const Graph& _graph;
  Lists& _lists;
  Options _options;
  std::vector<const Vertex*> _addresses;  // by vertex: address of its list; null: not available
  std::vector<Vertex> _fetched;           // vertices whose lists are in the cache
  std::vector<Vertex> _to_fetch;
  std::vector<std::unique_ptr<Vertex[]>> _buffers;
  std::uint64_t _cached = 0;
  Batch _next;
  Batch _current;
  std::uint64_t _triangles = 0;
  Traffic _traffic;
  std::size_t _until_progress = 0;  // edges counted since the last call of progress()
};

}  // namespace triangles
