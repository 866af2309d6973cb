#include <algorithm>
#include <random>
#include <vector>

#include "Counter.h"
#include "Edges.h"
#include "Graph.h"
#include "Reference.h"
#include "support/Catch.h"

using namespace triangles;

namespace {

class SingleUnitWorld final : public kernels::World {
 public:
  int unit() const override { return 0; }
  int units() const override { return 1; }
  void barrier() override {}
  void reduce(std::span<double>, Reduction) override {}
  void reduce(std::span<std::uint64_t>, Reduction) override {}
  bool is_one_node() const override { return true; }
};

/// All lists are on one unit, which fetches them nevertheless.
class FetchedLists final : public Lists {
 public:
  explicit FetchedLists(const Graph& graph) : _graph(graph) {}
  const Vertex* in_place(Vertex) const override { return nullptr; }
  void fetch(int unit, std::uint64_t offset, std::uint64_t n, Vertex* out) override {
    REQUIRE(unit == 0);
    REQUIRE(offset + n <= _graph.own_lists().size());
    std::fill(out, out + n, Vertex{0});
    _started.push_back({offset, n, out});
  }
  /// Copies the data only here, so that a test fails if the counter reads them before.
  void finish() override {
    for (const Get& get : _started)
      std::copy_n(_graph.own_lists().data() + get.offset, get.n, get.out);
    _started.clear();
  }
  std::uint64_t take_vertices(std::uint64_t n) override {
    _counter += n;
    return _counter - n;
  }
  void reset_counter() override { _counter = 0; }

 private:
  struct Get {
    std::uint64_t offset;
    std::uint64_t n;
    Vertex* out;
  };
  const Graph& _graph;
  std::vector<Get> _started;
  std::uint64_t _counter = 0;
};

ForEdges rmat(unsigned scale) {
  return [scale](const std::function<void(Edge)>& use) {
    for (std::uint64_t e = 0; e < rmat_edges(scale); ++e)
      use(rmat_edge(scale, e));
  };
}

}  // namespace

TEST_CASE("the generated edges are those of the reference") {
  const std::vector<std::pair<Vertex, Vertex>> expected = {{2, 6}, {0, 8}, {0, 0},
                                                           {9, 1}, {1, 0}, {3, 1}};
  for (std::size_t e = 0; e < expected.size(); ++e) {
    const Edge edge = rmat_edge(4, e);
    CHECK(edge.from == expected[e].first);
    CHECK(edge.to == expected[e].second);
  }
}

TEST_CASE(
    "the number of common elements equals that of std::set_intersection, for lists of any sizes") {
  std::mt19937 random(7);
  for (const std::size_t a_size : {0U, 1U, 2U, 17U, 300U}) {
    for (const std::size_t b_size : {0U, 1U, 5U, 40U, 3000U}) {
      for (const Vertex range : {10U, 400U, 100000U}) {
        const auto make = [&](std::size_t n) {
          std::vector<Vertex> list;
          for (std::size_t i = 0; i < n; ++i)
            list.push_back(random() % range);
          std::sort(list.begin(), list.end());
          list.erase(std::unique(list.begin(), list.end()), list.end());
          return list;
        };
        const auto a = make(a_size);
        const auto b = make(b_size);
        std::vector<Vertex> both;
        std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
        REQUIRE(common_elements(a, b) == both.size());
        REQUIRE(common_elements(b, a) == both.size());
      }
    }
  }
}

TEST_CASE("graphs and their triangles equal the known ones, for any cache and chunk size") {
  SingleUnitWorld world;
  for (const unsigned scale : {4U, 6U, 8U}) {
    for (const Order order : {Order::id, Order::degree}) {
      const Graph graph(world, {std::uint64_t{1} << scale, 1, 0, true}, order, rmat(scale));
      const auto known = known_graph(scale);
      REQUIRE(known);
      CHECK(graph.statistics() == known->statistics);
      for (const std::uint64_t cache : {0U, 100U, 100000U}) {
        for (const std::uint64_t chunk : {0U, 1U, 7U, 1000U}) {
          FetchedLists lists(graph);
          Counter counter(graph, lists, {cache, chunk});
          kernels::Stopwatch communication;
          REQUIRE(counter.count(communication) == known->triangles);
          CHECK(communication.was_used());
          lists.reset_counter();
          REQUIRE(counter.count(communication) == known->triangles);
        }
      }
    }
  }
}

TEST_CASE("the serial count equals the known results") {
  for (const unsigned scale : {4U, 6U, 8U, 10U}) {
    const KnownGraph graph = count_serially(std::uint64_t{1} << scale, rmat(scale));
    CHECK(graph.statistics == known_graph(scale)->statistics);
    CHECK(graph.triangles == known_graph(scale)->triangles);
  }
}

TEST_CASE("cached lists are fetched once, adjacent lists by one get") {
  SingleUnitWorld world;
  const Graph graph(world, {256, 1, 0, true}, Order::id, rmat(8));
  FetchedLists lists(graph);
  kernels::Stopwatch communication;
  Counter kept(graph, lists, {1U << 20U, 0});
  kept.count(communication);
  Counter dropped(graph, lists, {0, 0});
  dropped.count(communication);
  CHECK(kept.traffic().gets < 64);
  CHECK(kept.traffic().nbytes < dropped.traffic().nbytes);
}

TEST_CASE("each vertex has one owner") {
  for (const bool is_cyclic : {false, true}) {
    for (int units = 1; units <= 5; ++units) {
      for (Vertex v = 0; v < 64; ++v) {
        int owners = 0;
        for (int unit = 0; unit < units; ++unit)
          owners += Distribution{64, units, unit, is_cyclic}.is_own(v) ? 1 : 0;
        REQUIRE(owners == 1);
      }
    }
  }
}
