// Breadth-first search and PageRank on a graph. Each unit owns vertices with about as many edges.
// dash-example: units=1,2,3,4,7 layouts=node,nolocal
#include <libdash.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace {

using Pattern = dash::CSRPattern<1>;
using Ranks = dash::Array<double, long, Pattern>;
using Distances = dash::Array<dash::Atomic<int>, long, Pattern>;

constexpr int unreached = std::numeric_limits<int>::max();
constexpr double damping = 0.85;
constexpr double max_change = 1e-12;

std::size_t to_size(long i) {
  return static_cast<std::size_t>(i);
}

/// Lists of vertices, one for each vertex of a range, in one vector.
struct Lists {
  std::vector<long> all;
  std::vector<std::size_t> begin{0};  // of each list in `all`, and the end of the last one

  std::size_t size() const { return begin.size() - 1; }
  std::span<const long> operator[](std::size_t i) const {
    return std::span(all).subspan(begin[i], begin[i + 1] - begin[i]);
  }
  void add(std::span<const long> list) {
    all.insert(all.end(), list.begin(), list.end());
    begin.push_back(all.size());
  }
};

struct Graph {
  std::vector<std::string> names;
  Lists targets;  // the edges of each vertex
  Lists sources;  // the edges that end at each vertex
};

/// Reads a graph. Each line has the name of a vertex and the names of those to which it has edges.
Graph read_graph(const char* name) {
  Graph graph;
  std::map<std::string, long> numbers;
  std::vector<std::vector<std::string>> lines;
  std::ifstream file(name);
  for (std::string line; std::getline(file, line);) {
    std::istringstream stream(line);
    const std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
    if (words.empty()) continue;
    numbers.emplace(words[0], static_cast<long>(graph.names.size()));
    graph.names.push_back(words[0]);
    lines.push_back(words);
  }
  std::vector<std::vector<long>> sources(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::vector<long> targets;
    for (std::size_t k = 1; k < lines[i].size(); ++k) {
      const auto target = numbers.find(lines[i][k]);
      if (target == numbers.end()) continue;  // it has no line
      targets.push_back(target->second);
      sources[to_size(target->second)].push_back(static_cast<long>(i));
    }
    graph.targets.add(targets);
  }
  for (const auto& list : sources)
    graph.sources.add(list);
  return graph;
}

// --8<-- [start:pattern]
/// Ranges of vertices for the units, with about the same number of edges for each.
Pattern distribute(const Graph& graph) {
  const std::size_t units = dash::size();
  const std::size_t total = graph.targets.all.size() + graph.sources.all.size();
  std::vector<std::size_t> sizes(units);
  std::size_t unit = 0;
  for (std::size_t vertex = 0; vertex < graph.names.size(); ++vertex) {
    const std::size_t edges = graph.targets.begin[vertex] + graph.sources.begin[vertex];
    while (unit + 1 < units && edges * units >= total * (unit + 1))
      ++unit;
    ++sizes[unit];
  }
  return Pattern(sizes);
}

/// The lists of the caller's vertices.
Lists own_lists(const Lists& all, const Pattern& pattern) {
  Lists own;
  for (std::size_t i = 0; i < pattern.local_size(); ++i)
    own.add(all[to_size(pattern.global(static_cast<long>(i)))]);
  return own;
}
// --8<-- [end:pattern]

// --8<-- [start:search]
/// Computes the distances from one vertex. Returns the number of vertices at each distance.
std::vector<long> search(Distances& distance, const Lists& targets, long start) {
  const Pattern& pattern = distance.pattern();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const long vertex = pattern.global(static_cast<long>(i));
    distance[vertex].store(vertex == start ? 0 : unreached);
  }
  distance.barrier();

  std::vector<long> reached;
  for (int level = 0;; ++level) {
    long count = 0;
    std::vector<long> next;  // the vertices after those of this level
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (distance[pattern.global(static_cast<long>(i))].load() != level) continue;
      ++count;
      next.insert(next.end(), targets[i].begin(), targets[i].end());
    }
    count = dash::allreduce_async(count, dash::plus<long>()).get();
    if (count == 0) return reached;
    reached.push_back(count);

    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    for (const long vertex : next)
      distance.async[vertex].op(dash::min<int>(), level + 1);
    distance.barrier();  // the operations of all units are complete
  }
}
// --8<-- [end:search]

// --8<-- [start:gather]
/// Copies the elements of an array that the caller needs, each once, to local memory.
class Gather {
 public:
  /// Replaces the indices of a list by the positions of the copies.
  explicit Gather(std::vector<long>& list) : _indices(list) {
    std::sort(_indices.begin(), _indices.end());
    _indices.erase(std::unique(_indices.begin(), _indices.end()), _indices.end());
    for (long& index : list)
      index = std::lower_bound(_indices.begin(), _indices.end(), index) - _indices.begin();
    _values.resize(_indices.size());
  }

  /// Starts one copy for each group of adjacent elements.
  void start(Ranks& from) {
    for (std::size_t i = 0, end = 0; i < _indices.size(); i = end) {
      for (end = i + 1; end < _indices.size() && _indices[end] == _indices[end - 1] + 1;)
        ++end;
      const auto first = from.begin() + _indices[i];
      const auto last = first + static_cast<long>(end - i);
      _copies.push_back(dash::copy_async(first, last, _values.data() + i));
    }
  }
  const std::vector<double>& wait() {
    for (auto& copy : _copies)
      copy.get();
    _copies.clear();
    return _values;
  }

 private:
  std::vector<long> _indices;
  std::vector<double> _values;
  std::vector<dash::Future<double*>> _copies;
};
// --8<-- [end:gather]

// --8<-- [start:rank]
/// Computes the rank of each vertex. Returns the number of iterations.
int compute_ranks(Ranks& rank, const Lists& targets, Lists sources) {
  const auto num_vertices = static_cast<double>(rank.size());
  Ranks share(rank.pattern());  // the part of its rank that a vertex gives to each of its targets
  Gather shares(sources.all);
  std::fill(rank.lbegin(), rank.lend(), 1 / num_vertices);

  for (int iteration = 1;; ++iteration) {
    double lost = 0;  // vertices without edges give their rank to all vertices
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const std::size_t degree = targets[i].size();
      if (degree == 0) lost += rank.lbegin()[i];
      share.lbegin()[i] = degree == 0 ? 0 : rank.lbegin()[i] / static_cast<double>(degree);
    }
    share.barrier();  // the shares of all units are written
    shares.start(share);
    lost = dash::allreduce_async(lost, dash::plus<double>()).get();
    const std::vector<double>& values = shares.wait();

    double change = 0;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      double sum = lost / num_vertices;
      for (const long source : sources[i])
        sum += values[to_size(source)];
      const double updated = (1 - damping) / num_vertices + damping * sum;
      change += std::abs(updated - rank.lbegin()[i]);
      rank.lbegin()[i] = updated;
    }
    // When the sum is known, all units have read the shares, which may be changed again.
    change = dash::allreduce_async(change, dash::plus<double>()).get();
    if (change < max_change) return iteration;
  }
}
// --8<-- [end:rank]

/// The same without DASH.
std::vector<int> serial_distances(const Graph& graph, long start) {
  std::vector<int> distance(graph.names.size(), unreached);
  std::vector<long> queue{start};
  distance[to_size(start)] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const long vertex = queue[i];
    for (const long target : graph.targets[to_size(vertex)]) {
      if (distance[to_size(target)] != unreached) continue;
      distance[to_size(target)] = distance[to_size(vertex)] + 1;
      queue.push_back(target);
    }
  }
  return distance;
}

std::vector<double> serial_ranks(const Graph& graph, int iterations) {
  const std::size_t n = graph.names.size();
  std::vector<double> rank(n, 1 / static_cast<double>(n));
  for (int iteration = 0; iteration < iterations; ++iteration) {
    std::vector<double> received(n, 0);
    for (std::size_t vertex = 0; vertex < n; ++vertex) {
      const auto targets = graph.targets[vertex];
      for (const long target : targets)
        received[to_size(target)] += rank[vertex] / static_cast<double>(targets.size());
      if (targets.empty())
        for (double& each : received)
          each += rank[vertex] / static_cast<double>(n);
    }
    for (std::size_t vertex = 0; vertex < n; ++vertex)
      rank[vertex] = (1 - damping) / static_cast<double>(n) + damping * received[vertex];
  }
  return rank;
}

int run(const char* file, const char* start_name) {
  const bool is_first = dash::myid() == 0;
  // All units read the whole graph, to number the names and to check the results. The distributed
  // computation uses the edges of the caller's own vertices only.
  const Graph graph = read_graph(file);
  const auto named = std::find(graph.names.begin(), graph.names.end(), start_name);
  const long start = named == graph.names.end() ? -1 : named - graph.names.begin();
  if (dash::allreduce_async(start, dash::min<long>()).get() < 0) {
    if (is_first)
      std::fprintf(stderr, "page_rank: cannot find '%s' in the file '%s'\n", start_name, file);
    return 1;
  }
  const Pattern pattern = distribute(graph);
  const Lists targets = own_lists(graph.targets, pattern);
  Distances distance(pattern);
  const std::vector<long> reached = search(distance, targets, start);
  Ranks rank(pattern);
  const int iterations = compute_ranks(rank, targets, own_lists(graph.sources, pattern));

  int wrong = 0;
  const std::vector<int> right_distances = serial_distances(graph, start);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const long vertex = pattern.global(static_cast<long>(i));
    wrong += distance[vertex].load() == right_distances[to_size(vertex)] ? 0 : 1;
  }
  if (is_first) {
    std::printf("%zu vertices, %zu edges\n", graph.names.size(), graph.targets.all.size());
    for (std::size_t level = 0; level < reached.size(); ++level)
      std::printf("%4ld at distance %zu from %s\n", reached[level], level, start_name);

    std::vector<double> ranks(rank.size());
    dash::copy(rank.begin(), rank.end(), ranks.data());
    const std::vector<double> right_ranks = serial_ranks(graph, iterations);
    for (std::size_t i = 0; i < ranks.size(); ++i)
      wrong += std::abs(ranks[i] - right_ranks[i]) < 1e-12 ? 0 : 1;
    wrong += std::abs(std::accumulate(ranks.begin(), ranks.end(), 0.0) - 1) < 1e-9 ? 0 : 1;

    std::vector<std::size_t> order(ranks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return ranks[a] > ranks[b]; });
    std::printf("the highest ranks after %d iterations:\n", iterations);
    for (std::size_t i = 0; i < std::min<std::size_t>(order.size(), 8); ++i)
      std::printf("%.5f %s\n", ranks[order[i]], graph.names[order[i]].c_str());
  }
  if (wrong != 0) std::fprintf(stderr, "page_rank: %d values are wrong\n", wrong);
  rank.barrier();  // no unit frees its part before unit 0 has read it
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  const char* const file = argc > 1 ? argv[1] : DASH_EXAMPLE_DATA "/debian-12.txt";
  const char* const start = argc > 2 ? argv[2] : "gnome";
  const int wrong = run(file, start);
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
