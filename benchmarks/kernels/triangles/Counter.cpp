#include "Counter.h"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace triangles {

namespace {

constexpr std::size_t batch_size = 16384;
/// Number of edges counted between two calls of progress().
constexpr std::size_t edges_per_progress_call = 256;
/// Maximum number of elements between two lists that are fetched along with them, which replaces a
/// second get.
constexpr std::uint64_t max_gap = 256;

/// Number of own vertices that are counted before the cache is checked.
constexpr std::size_t own_chunk = 64;

/// A vector of elements that fits into a SIMD register of any 64-bit processor.
using Pack = Vertex __attribute__((vector_size(16)));
constexpr std::size_t pack_size = 4;

Pack load_pack(const Vertex* from) {
  Pack elements;
  std::memcpy(&elements, from, sizeof elements);
  return elements;
}

/// The increments of both positions in a step of a merge. A branch on which element is smaller
/// would be unpredictable; the computation from the sign of the difference is branch-free.
struct Step {
  std::uint64_t in_a;  // 0 or 1
  std::uint64_t in_b;

  Step(Vertex a, Vertex b) {
    const std::int64_t difference = std::int64_t{a} - std::int64_t{b};
    in_a = 1 - (static_cast<std::uint64_t>(-difference) >> 63);
    in_b = 1 - (static_cast<std::uint64_t>(difference) >> 63);
  }
};

/// Merges two lists of similar length: compares four elements of each list at once, all with all,
/// and then the remaining elements.
std::uint64_t common_of_similar(std::span<const Vertex> a, std::span<const Vertex> b) {
  std::size_t i = 0;
  std::size_t j = 0;
  Pack matches{};
  while (i + pack_size <= a.size() && j + pack_size <= b.size()) {
    const Pack x = load_pack(&a[i]);
    const Pack y = load_pack(&b[j]);
    // A true comparison is -1.
    matches -= static_cast<Pack>((x == y[0]) | (x == y[1]) | (x == y[2]) | (x == y[3]));
    const Step step(a[i + pack_size - 1], b[j + pack_size - 1]);
    i += pack_size * step.in_a;
    j += pack_size * step.in_b;
  }
  std::uint64_t common = std::uint64_t{matches[0]} + matches[1] + matches[2] + matches[3];
  while (i < a.size() && j < b.size()) {
    const Step step(a[i], b[j]);
    common += step.in_a & step.in_b;
    i += step.in_a;
    j += step.in_b;
  }
  return common;
}

}  // namespace

std::uint64_t common_elements(std::span<const Vertex> a, std::span<const Vertex> b) {
  if (a.size() > b.size()) std::swap(a, b);
  std::uint64_t common = 0;
  // If one list is much shorter, search its elements in the other one; otherwise merge the lists.
  if (a.size() * 16 < b.size()) {
    const Vertex* from = b.data();
    const Vertex* const end = from + b.size();
    for (const Vertex v : a) {
      std::size_t step = 1;
      while (static_cast<std::size_t>(end - from) > step && from[step] < v)
        step *= 2;
      from = std::lower_bound(from, std::min(end, from + step + 1), v);
      if (from == end) break;
      if (*from == v) ++common;
    }
    return common;
  }
  return common_of_similar(a, b);
}

Counter::Counter(const Graph& graph, Lists& lists, const Options& options)
    : _graph(graph), _lists(lists), _options(options), _addresses(graph.distribution().vertices) {}

std::uint64_t Counter::count(kernels::Stopwatch& communication) {
  _triangles = 0;
  _traffic = {};
  clear_cache();
  std::fill(_addresses.begin(), _addresses.end(), nullptr);
  communication.time([&] { _lists.begin(); });
  if (_options.chunk == 0) {
    std::span<const Vertex> own(_graph.own_vertices());
    for (; !own.empty(); own = own.subspan(std::min(own.size(), own_chunk)))
      count_vertices(own.first(std::min(own.size(), own_chunk)), communication);
  } else {
    const std::uint64_t all = _graph.distribution().vertices;
    std::vector<Vertex> chunk;
    while (true) {
      const std::uint64_t first =
          communication.time([&] { return _lists.take_vertices(_options.chunk); });
      if (first >= all) break;
      chunk.clear();
      for (std::uint64_t v = first; v < std::min(all, first + _options.chunk); ++v)
        chunk.push_back(static_cast<Vertex>(v));
      count_vertices(chunk, communication);
    }
  }
  process_batch(communication);
  process_batch(communication);
  communication.time([&] { _lists.finish(); });
  return _triangles;
}

void Counter::count_vertices(std::span<const Vertex> vertices, kernels::Stopwatch& communication) {
  trim_cache(communication);
  fetch_own(vertices, communication);
  for (const Vertex u : vertices) {
    if (_graph.length(u) < 2) continue;
    for (std::size_t i = 0; i < _graph.length(u); ++i) {
      const Vertex v = _addresses[u][i];
      if (_graph.length(v) == 0) continue;
      if (is_available(v)) {
        count({u, v}, communication);
      } else {
        add({u, v}, communication);
      }
    }
  }
}

void Counter::fetch_own(std::span<const Vertex> vertices, kernels::Stopwatch& communication) {
  bool all_in_place = true;
  for (const Vertex u : vertices) {
    require_list(u);
    all_in_place = all_in_place && (_graph.length(u) == 0 || _lists.in_place(u) != nullptr);
  }
  if (all_in_place) return;
  // Wait for local lists, which determine the other lists that are needed. Some may already be in
  // flight.
  communication.time([&] {
    start_fetches();
    _lists.finish();
  });
}

bool Counter::is_available(Vertex v) {
  if (_lists.in_place(v) == nullptr || !_lists.has_arrived(v)) return false;
  require_list(v);
  return true;
}

void Counter::count(Pair pair, kernels::Stopwatch& communication) {
  _triangles += common_elements(list(pair.from), list(pair.to));
  if (++_until_progress < edges_per_progress_call) return;
  _until_progress = 0;
  communication.time([&] { _lists.progress(); });
}

void Counter::add(Pair pair, kernels::Stopwatch& communication) {
  require_list(pair.to);
  _next.push_back(pair);
  if (_next.size() == batch_size) process_batch(communication);
}

void Counter::process_batch(kernels::Stopwatch& communication) {
  // The fetches of the current batch have been started before; start those of the next one.
  communication.time([&] {
    if (!_current.empty()) _lists.finish();
    start_fetches();
  });
  for (const Pair& pair : _current)
    count(pair, communication);
  std::swap(_current, _next);
  _next.clear();
}

void Counter::trim_cache(kernels::Stopwatch& communication) {
  if (_cached <= _options.cache) return;
  process_batch(communication);
  process_batch(communication);
  clear_cache();
}

void Counter::require_list(Vertex v) {
  if (_addresses[v] != nullptr || _graph.length(v) == 0) return;
  _addresses[v] = _lists.in_place(v);
  if (_addresses[v] != nullptr) return;
  static constexpr Vertex in_flight = 0;
  _addresses[v] = &in_flight;
  _to_fetch.push_back(v);
}

void Counter::start_fetches() {
  const auto key = [&](Vertex v) {
    return std::tuple(_graph.distribution().owner(v), _graph.offset(v));
  };
  std::sort(_to_fetch.begin(), _to_fetch.end(),
            [&](Vertex a, Vertex b) { return key(a) < key(b); });
  for (std::size_t i = 0; i < _to_fetch.size();) {
    const auto [owner, begin] = key(_to_fetch[i]);
    std::uint64_t end = begin + _graph.length(_to_fetch[i]);
    std::size_t next = i + 1;
    for (; next < _to_fetch.size(); ++next) {
      const auto [other, offset] = key(_to_fetch[next]);
      if (other != owner || offset > end + max_gap) break;
      end = offset + _graph.length(_to_fetch[next]);
    }
    auto& buffer = _buffers.emplace_back(new Vertex[end - begin]);
    _lists.fetch(owner, begin, end - begin, buffer.get());
    for (; i < next; ++i)
      _addresses[_to_fetch[i]] = buffer.get() + (_graph.offset(_to_fetch[i]) - begin);
    _cached += end - begin;
    ++_traffic.gets;
    _traffic.nbytes += (end - begin) * sizeof(Vertex);
  }
  _fetched.insert(_fetched.end(), _to_fetch.begin(), _to_fetch.end());
  _to_fetch.clear();
}

void Counter::clear_cache() {
  for (const Vertex v : _fetched)
    _addresses[v] = nullptr;
  _fetched.clear();
  _buffers.clear();
  _cached = 0;
}

}  // namespace triangles
