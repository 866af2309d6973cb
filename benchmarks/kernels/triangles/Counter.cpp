#include "Counter.h"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace triangles {

namespace {

constexpr std::size_t batch_size = 16384;
/// Edges that are counted between two calls that let go on what is under way.
constexpr std::size_t edges_at_once = 256;
/// Elements between two lists that are fetched along with them rather than by one more get.
constexpr std::uint64_t largest_gap = 256;

/// Vertices of the caller between which lists may be dropped.
constexpr std::size_t own_chunk = 64;

/// As many elements as a register of any processor of 64 bits takes.
using Four = Vertex __attribute__((vector_size(16)));
constexpr std::size_t four = 4;

Four four_from(const Vertex* from) {
  Four elements;
  std::memcpy(&elements, from, sizeof elements);
  return elements;
}

/// What a step of a merge does with the places in both lists. Nobody can predict which element is
/// smaller: the sign of a difference needs no branch, and compilers make none of it.
struct Step {
  std::uint64_t in_a;  // 0 or 1
  std::uint64_t in_b;

  Step(Vertex a, Vertex b) {
    const std::int64_t difference = std::int64_t{a} - std::int64_t{b};
    in_a = 1 - (static_cast<std::uint64_t>(-difference) >> 63);
    in_b = 1 - (static_cast<std::uint64_t>(difference) >> 63);
  }
};

/// By a merge: four elements of each list at once, each compared with each, as long as there are so many.
std::uint64_t common_of_similar(std::span<const Vertex> a, std::span<const Vertex> b) {
  std::size_t i = 0;
  std::size_t j = 0;
  Four matches{};
  while (i + four <= a.size() && j + four <= b.size()) {
    const Four x = four_from(&a[i]);
    const Four y = four_from(&b[j]);
    // A comparison that holds is -1.
    matches -= static_cast<Four>((x == y[0]) | (x == y[1]) | (x == y[2]) | (x == y[3]));
    const Step step(a[i + four - 1], b[j + four - 1]);
    i += four * step.in_a;
    j += four * step.in_b;
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
  // A few elements are looked for, many are met on the way.
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
    : _graph(graph), _lists(lists), _options(options), _known(graph.distribution().vertices) {}

std::uint64_t Counter::count(kernels::Stopwatch& communication) {
  _triangles = 0;
  _traffic = {};
  forget();
  std::fill(_known.begin(), _known.end(), nullptr);
  communication.time([&] { _lists.begin(); });
  if (_options.chunk == 0) {
    std::span<const Vertex> own(_graph.own_vertices());
    for (; !own.empty(); own = own.subspan(std::min(own.size(), own_chunk)))
      count_vertices(own.first(std::min(own.size(), own_chunk)), communication);
  } else {
    const std::uint64_t all = _graph.distribution().vertices;
    std::vector<Vertex> chunk;
    while (true) {
      const std::uint64_t first = communication.time([&] { return _lists.take(_options.chunk); });
      if (first >= all) break;
      chunk.clear();
      for (std::uint64_t v = first; v < std::min(all, first + _options.chunk); ++v)
        chunk.push_back(static_cast<Vertex>(v));
      count_vertices(chunk, communication);
    }
  }
  turn_over(communication);
  turn_over(communication);
  communication.time([&] { _lists.finish(); });
  return _triangles;
}

void Counter::count_vertices(std::span<const Vertex> vertices, kernels::Stopwatch& communication) {
  make_room(communication);
  fetch_own(vertices, communication);
  for (const Vertex u : vertices) {
    if (_graph.length(u) < 2) continue;
    for (std::size_t i = 0; i < _graph.length(u); ++i) {
      const Vertex v = _known[u][i];
      if (_graph.length(v) == 0) continue;
      if (is_here(v)) {
        count({u, v}, communication);
      } else {
        add({u, v}, communication);
      }
    }
  }
}

void Counter::fetch_own(std::span<const Vertex> vertices, kernels::Stopwatch& communication) {
  bool are_in_place = true;
  for (const Vertex u : vertices) {
    need(u);
    are_in_place = are_in_place && (_graph.length(u) == 0 || _lists.in_place(u) != nullptr);
  }
  if (are_in_place) return;
  // They say what else is needed. Some may be on their way already.
  communication.time([&] {
    fetch_needed();
    _lists.finish();
  });
}

bool Counter::is_here(Vertex v) {
  if (_lists.in_place(v) == nullptr || !_lists.has_arrived(v)) return false;
  need(v);
  return true;
}

void Counter::count(Pair pair, kernels::Stopwatch& communication) {
  _triangles += common_elements(list(pair.from), list(pair.to));
  if (++_until_progress < edges_at_once) return;
  _until_progress = 0;
  communication.time([&] { _lists.progress(); });
}

void Counter::add(Pair pair, kernels::Stopwatch& communication) {
  need(pair.to);
  _next.push_back(pair);
  if (_next.size() == batch_size) turn_over(communication);
}

void Counter::turn_over(kernels::Stopwatch& communication) {
  // What the current batch needs was started before, and what the next one needs is started now.
  communication.time([&] {
    if (!_current.empty()) _lists.finish();
    fetch_needed();
  });
  for (const Pair& pair : _current)
    count(pair, communication);
  std::swap(_current, _next);
  _next.clear();
}

void Counter::make_room(kernels::Stopwatch& communication) {
  if (_cached <= _options.cache) return;
  turn_over(communication);
  turn_over(communication);
  forget();
}

void Counter::need(Vertex v) {
  if (_known[v] != nullptr || _graph.length(v) == 0) return;
  _known[v] = _lists.in_place(v);
  if (_known[v] != nullptr) return;
  static constexpr Vertex on_its_way = 0;
  _known[v] = &on_its_way;
  _needed.push_back(v);
}

void Counter::fetch_needed() {
  const auto key = [&](Vertex v) {
    return std::tuple(_graph.distribution().owner(v), _graph.place(v));
  };
  std::sort(_needed.begin(), _needed.end(), [&](Vertex a, Vertex b) { return key(a) < key(b); });
  for (std::size_t i = 0; i < _needed.size();) {
    const auto [owner, begin] = key(_needed[i]);
    std::uint64_t end = begin + _graph.length(_needed[i]);
    std::size_t next = i + 1;
    for (; next < _needed.size(); ++next) {
      const auto [other, place] = key(_needed[next]);
      if (other != owner || place > end + largest_gap) break;
      end = place + _graph.length(_needed[next]);
    }
    auto& buffer = _buffers.emplace_back(new Vertex[end - begin]);
    _lists.fetch(owner, begin, end - begin, buffer.get());
    for (; i < next; ++i)
      _known[_needed[i]] = buffer.get() + (_graph.place(_needed[i]) - begin);
    _cached += end - begin;
    ++_traffic.gets;
    _traffic.nbytes += (end - begin) * sizeof(Vertex);
  }
  _kept.insert(_kept.end(), _needed.begin(), _needed.end());
  _needed.clear();
}

void Counter::forget() {
  for (const Vertex v : _kept)
    _known[v] = nullptr;
  _kept.clear();
  _buffers.clear();
  _cached = 0;
}

}  // namespace triangles
