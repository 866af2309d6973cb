// NPB DT: graphs, streams and placement against the values of the specification.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "Graph.h"
#include "Placement.h"
#include "Problem.h"
#include "Streams.h"
#include "support/Catch.h"

using namespace npb_dt;

namespace {

using Stream = std::vector<double>;

double check_of(const Stream& stream) {
  double sum = 0;
  for (const double number : stream)
    sum += number * number / static_cast<double>(stream.size());
  return sum;
}

Stream source_stream(const Problem& problem, int id) {
  Stream stream(source_length(problem.size, id));
  fill_source(id, stream);
  return stream;
}

struct Result {
  std::vector<Stream> streams;
  double checksum = 0;
};

/// Computes all nodes sequentially.
Result compute(const Problem& problem) {
  Result result{std::vector<Stream>(static_cast<std::size_t>(problem.graph.size())), 0};
  const auto input = [&](int arc) -> const Stream& {
    return result.streams[static_cast<std::size_t>(problem.graph.arc(arc).from)];
  };
  for (int id = 0; id < problem.graph.size(); ++id) {
    const Node& node = problem.graph.node(id);
    Stream& stream = result.streams[static_cast<std::size_t>(id)];
    if (node.role == Role::source) {
      stream = source_stream(problem, id);
    } else if (node.role == Role::comparator) {
      stream.resize(problem.size.longest_stream());
      Comparator comparator(problem.size, id, stream);
      for (const int arc : node.in)
        comparator.add(input(arc));
      stream.resize(comparator.finish());
    } else {
      Sink sink(id);
      for (const int arc : node.in)
        sink.add(input(arc));
      result.checksum += sink.value();
    }
  }
  return result;
}

/// Resampling as the specification defines it: every number except the ends is spread over the
/// indices that it covers.
Stream resampled_by_definition(const Stream& from, std::size_t length) {
  const auto ratio = static_cast<double>(length / from.size());
  Stream to(length, 0.0);
  for (std::size_t i = 1; i + 1 < from.size(); ++i) {
    const auto low = static_cast<std::size_t>(0.5 * static_cast<double>(2 * i - 1) * ratio);
    const auto high = static_cast<std::size_t>(0.5 * static_cast<double>(2 * i + 1) * ratio);
    for (std::size_t k = low; k <= high; ++k)
      to[k] += from[i] / static_cast<double>(high - low + 1);
  }
  to.front() = from.front();
  to.back() = from.back();
  return to;
}

std::vector<int> sources_of(const Graph& graph, int id) {
  std::vector<int> result;
  for (const int arc : graph.node(id).in)
    result.push_back(graph.arc(arc).from);
  return result;
}

}  // namespace

TEST_CASE("a graph has the numbers of nodes and arcs of its class") {
  struct Expected {
    const char* size;
    int tree_nodes;
    std::size_t tree_arcs;
    int shuffle_nodes;
    std::size_t shuffle_arcs;
  };
  const Expected expected =
      GENERATE(Expected{"S", 5, 4, 12, 16}, Expected{"W", 11, 10, 32, 48},
               Expected{"A", 21, 20, 80, 128}, Expected{"B", 43, 42, 192, 320});
  CAPTURE(expected.size);
  for (const char* const tree : {"BH", "WH"}) {
    const Problem problem = Problem::named(tree, expected.size);
    CHECK(problem.graph.size() == expected.tree_nodes);
    CHECK(problem.graph.arcs().size() == expected.tree_arcs);
  }
  const Problem shuffle = Problem::named("SH", expected.size);
  CHECK(shuffle.graph.size() == expected.shuffle_nodes);
  CHECK(shuffle.graph.arcs().size() == expected.shuffle_arcs);
}

TEST_CASE("arcs lead from lower to higher nodes and layers, and both ends list them") {
  const Problem problem = Problem::named(GENERATE("BH", "WH", "SH"), GENERATE("S", "W", "A", "B"));
  const Graph& graph = problem.graph;
  int sources = 0;
  for (int id = 0; id < graph.size(); ++id) {
    const Node& node = graph.node(id);
    CHECK((node.role == Role::source) == node.in.empty());
    CHECK((node.role == Role::sink) == node.out.empty());
    sources += node.role == Role::source ? 1 : 0;
    for (const int arc : node.in) {
      CHECK(graph.arc(arc).to == id);
      CHECK(graph.arc(arc).from < id);
      CHECK(graph.node(graph.arc(arc).from).layer < node.layer);
    }
    for (const int arc : node.out)
      CHECK(graph.arc(arc).from == id);
  }
  CHECK(sources == (problem.shape == Shape::white_hole ? 1 : problem.size.sources));
}

TEST_CASE("incoming arcs have the order of the specification") {
  const Graph black = Problem::named("BH", "W").graph;
  CHECK(sources_of(black, 8) == std::vector<int>{0, 1, 2, 3});
  CHECK(sources_of(black, 9) == std::vector<int>{4, 5, 6, 7});
  CHECK(sources_of(black, 10) == std::vector<int>{8, 9});
  const Graph white = Problem::named("WH", "W").graph;
  CHECK(sources_of(white, 1) == std::vector<int>{0});
  CHECK(sources_of(white, 3) == std::vector<int>{1});
  CHECK(sources_of(white, 10) == std::vector<int>{2});
  const Graph shuffle = Problem::named("SH", "W").graph;
  CHECK(sources_of(shuffle, 8) == std::vector<int>{0, 1});
  CHECK(sources_of(shuffle, 9) == std::vector<int>{0, 1});
  CHECK(sources_of(shuffle, 16 + 5) == std::vector<int>{8 + 5, 8 + 7});
  CHECK(sources_of(shuffle, 24 + 3) == std::vector<int>{16 + 3, 16 + 7});
}

TEST_CASE("sources generate the numbers of the specification") {
  const Problem problem = Problem::named("SH", "S");
  const std::vector<std::pair<Stream, double>> expected{
      {{331, 396, 978, 2781, 241, 373, 529, 3324}, 1247217.834587513},
      {{136, 83, 780, 1853, 272, 166, 133, 2211}, 1253145.329352004},
      {{150, 94, 380, 966}, 1238460.657812498},
      {{221, 313, 1306, 2043}, 1204012.839265053}};
  const std::vector<std::size_t> lengths{7176, 7284, 7040, 6912};
  for (int id = 0; id < 4; ++id) {
    const Stream stream = source_stream(problem, id);
    const auto& [first, check] = expected[static_cast<std::size_t>(id)];
    CHECK(stream.size() == lengths[static_cast<std::size_t>(id)]);
    CHECK(std::equal(first.begin(), first.end(), stream.begin()));
    CHECK(check_of(stream) == Approx(check).epsilon(1e-12));
  }
}

TEST_CASE("no stream of a source is longer than its buffer") {
  const Problem problem = Problem::named("SH", GENERATE("S", "W", "A", "B"));
  std::vector<std::size_t> features;
  for (int id = 0; id < problem.size.sources; ++id) {
    const std::size_t length = source_length(problem.size, id);
    CHECK(length <= problem.size.longest_stream());
    features.push_back(length / feature_size);
  }
  if (problem.size.name == 'W') {
    CHECK(features ==
          std::vector<std::size_t>{14018, 13789, 13984, 13696, 13749, 13568, 13568, 13568});
  }
}

TEST_CASE("comparators generate the streams of the specification") {
  const auto shuffle = compute(Problem::named("SH", "S")).streams;
  const std::vector<std::pair<Stream, double>> expected{
      {{0, 0, 0, 12, 51, 138, 110, 197}, 133645.103514553},
      {{0, 0, 0, 13, 52, 142, 114, 203}, 144246.655271828},
      {{0, 0, 0, 0, 99, 296, 577, 389}, 121459.501846592},
      {{0, 0, 0, 0, 101, 301, 586, 395}, 127148.716193182}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Stream& stream = shuffle[4 + i];
    CHECK(stream.size() == (i < 2 ? 7284U : 7040U));
    CHECK(std::equal(expected[i].first.begin(), expected[i].first.end(), stream.begin()));
    CHECK(check_of(stream) == Approx(expected[i].second).epsilon(1e-12));
  }
  const auto tree = compute(Problem::named("BH", "W")).streams;
  CHECK(tree[8].size() == 56072);
  CHECK(check_of(tree[8]) == Approx(33250.952204307).epsilon(1e-12));
  CHECK(tree[9].size() == 55296);
  CHECK(check_of(tree[9]) == Approx(34558.427119508).epsilon(1e-12));
}

TEST_CASE("a graph computed node by node has the published checksum") {
  const Problem problem = Problem::named(GENERATE("BH", "WH", "SH"), GENERATE("S", "W"));
  const double checksum = compute(problem).checksum;
  CHECK(checksum == problem.known_checksum());
  CHECK_FALSE(problem.find_failure(checksum).has_value());
  CHECK(problem.find_failure(checksum + 1).has_value());
  CHECK(problem.find_failure(std::nan("")).has_value());
}

TEST_CASE("resampling follows the specification, even in place") {
  const auto [length, extra] = GENERATE(table<std::size_t, std::size_t>({{3, 0},
                                                                         {3, 1},
                                                                         {3, 2},
                                                                         {4, 0},
                                                                         {4, 1},
                                                                         {4, 2},
                                                                         {4, 3},
                                                                         {7, 0},
                                                                         {7, 1},
                                                                         {7, 2},
                                                                         {7, 3},
                                                                         {100, 0},
                                                                         {100, 1},
                                                                         {100, 2},
                                                                         {100, 3}}));
  Stream from(length);
  std::iota(from.begin(), from.end(), 5.0);
  const Stream expected = resampled_by_definition(from, length + extra);
  Stream to(length + extra, -1.0);
  resample(from, to);
  CHECK(to == expected);
  from.resize(length + extra, -1.0);
  resample(std::span<const double>(from).first(length), from);
  CHECK(from == expected);
}

TEST_CASE("every node and every arc is assigned to one unit and has a unique index there") {
  const Problem problem = Problem::named(GENERATE("BH", "WH", "SH"), GENERATE("S", "A"));
  const int units = GENERATE(1, 2, 3, 7, 16, 100);
  const std::string map = GENERATE("layers", "block", "cyclic");
  CAPTURE(units, map);
  const Placement placement(problem.graph, units, map);
  std::size_t nodes = 0;
  for (int unit = 0; unit < units; ++unit) {
    const auto& own = placement.nodes_of(unit);
    CHECK(std::is_sorted(own.begin(), own.end()));
    nodes += own.size();
    std::set<std::size_t> streams;
    for (const int id : own) {
      CHECK(placement.unit_of(id) == unit);
      if (problem.graph.node(id).role != Role::sink)
        CHECK(streams.insert(placement.stream_index(id)).second);
    }
    CHECK(streams.size() <= placement.max_streams());
    std::set<std::size_t> arc_indices;
    std::set<std::size_t> remote_arc_indices;
    for (const int arc : placement.arcs_to(unit)) {
      CHECK(arc_indices.insert(placement.arc_index(arc)).second);
      if (placement.is_within_unit(problem.graph.arc(arc))) continue;
      const std::size_t index = placement.remote_arc_index(arc);
      CHECK(index < placement.max_remote_arcs());
      CHECK(remote_arc_indices.insert(index).second);
    }
    CHECK(arc_indices.size() <= placement.max_arcs());
  }
  CHECK(nodes == static_cast<std::size_t>(problem.graph.size()));
}

TEST_CASE("an error about an unknown graph or class names the known ones") {
  CHECK_THROWS_WITH(Problem::named("XH", "S"), Catch::Matchers::ContainsSubstring("'XH'") &&
                                                   Catch::Matchers::ContainsSubstring("BH") &&
                                                   Catch::Matchers::ContainsSubstring("SH"));
  CHECK_THROWS_WITH(Problem::named("SH", "Q"), Catch::Matchers::ContainsSubstring("'Q'") &&
                                                   Catch::Matchers::ContainsSubstring("S, W, A"));
  CHECK_THROWS_AS(Problem::named("SH", ""), std::invalid_argument);
}
