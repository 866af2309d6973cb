// dash-test: serial
// Mappings of units to grids are bijections for any input, and reduce the distance of neighbours.

#include "dash/core/mapping/GridMapping.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "dash/Exception.h"
#include "dash/core/mapping/Evaluation.h"
#include "dash/core/mapping/HilbertCurve.h"
#include "dash/core/mapping/Machine.h"
#include "dash/core/mapping/MachineFile.h"
#include "support/Catch.h"
#include "support/Runner.h"

using namespace dash::core::mapping;
using dash::exception::InvalidArgument;

namespace {

using Numbers = std::vector<std::uint32_t>;

bool is_permutation(Numbers numbers) {
  std::sort(numbers.begin(), numbers.end());
  for (std::uint32_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] != i) return false;
  }
  return true;
}

void check_bijection(const GridMapping& mapping, std::size_t units) {
  REQUIRE(mapping.unit_at.size() == units);
  REQUIRE(mapping.position_of.size() == units);
  REQUIRE(is_permutation(mapping.unit_at));
  std::size_t wrong = 0;
  for (std::uint32_t position = 0; position < units; ++position)
    wrong += mapping.position_of[mapping.unit_at[position]] == position ? 0 : 1;
  CHECK(wrong == 0);
}

/// Dragonfly groups of two cabinets of three chassis of 16 slots of four nodes of 24 cores.
Machine cray_like() {
  return parse_machine(R"(dash-topology 1
levels slot chassis cabinet group
switch system
switch group[0-9] in=system
switch cabinet[00-19] in=group[0-9]
switch chassis[00-59] in=cabinet[00-19]
switch slot[000-959] in=chassis[00-59]
node nid[00000-03839] in=slot[000-959] cores=24 numa=2
)",
                       "cray_like");
}

/// A random selection of nodes, in machine order.
Numbers random_nodes(const Machine& machine, std::size_t count, std::uint64_t seed) {
  Numbers nodes = random_order(machine.num_nodes(), seed).unit_at;
  nodes.resize(count);
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

struct Comparison {
  GridMapping mapping;
  Evaluation before;
  Evaluation after;
  Evaluation random;
};

Comparison compare(const Machine& machine, const std::vector<UnitLocation>& locations,
                   const Grid& grid) {
  Comparison result;
  result.mapping = map_grid(machine, locations, grid);
  check_bijection(result.mapping, locations.size());
  result.before = evaluate(machine, locations, grid, unit_order(locations.size()));
  result.after = evaluate(machine, locations, grid, result.mapping);
  result.random = evaluate(machine, locations, grid, random_order(locations.size(), 1));
  return result;
}

std::uint32_t distance(std::uint32_t a, std::uint32_t b, const Numbers& extents) {
  std::uint32_t sum = 0;
  for (std::size_t d = extents.size(); d-- > 0;) {
    sum += static_cast<std::uint32_t>(
        std::abs(static_cast<int>(a % extents[d]) - static_cast<int>(b % extents[d])));
    a /= extents[d];
    b /= extents[d];
  }
  return sum;
}

Numbers random_extents(std::mt19937& random, std::size_t max_cells) {
  Numbers extents(1 + random() % 4);
  std::size_t left = max_cells;
  for (std::uint32_t& extent : extents) {
    extent = static_cast<std::uint32_t>(1 + random() % std::min<std::size_t>(left, 20));
    left /= extent;
  }
  std::shuffle(extents.begin(), extents.end(), random);
  return extents;
}

}  // namespace

TEST_CASE("A curve visits every cell of any box once", "[HilbertCurve]") {
  const std::vector<Numbers> boxes{
      {1},       {7},       {1, 1, 1}, {1, 9}, {2, 3},       {5, 1},     {13, 7},
      {2, 2, 2}, {3, 5, 7}, {1, 6, 4}, {9, 9}, {2, 3, 4, 5}, {40, 2, 3}, {2, 2, 2, 2, 2, 2, 2, 2}};
  for (const Numbers& box : boxes) {
    const Numbers curve = hilbert_curve(box);
    CHECK(curve.size() == Grid{box, {}, {}}.size());
    CHECK(is_permutation(curve));
  }
  CHECK_THROWS_AS(hilbert_curve(Numbers{}), InvalidArgument);
  CHECK_THROWS_AS(hilbert_curve(Numbers{3, 0}), InvalidArgument);
  CHECK_THROWS_AS(hilbert_curve(Numbers(9, 2)), InvalidArgument);
}

TEST_CASE("Successive cells of a curve are neighbours if extents are even", "[HilbertCurve]") {
  for (const Numbers& box : std::vector<Numbers>{
           {8, 8}, {4, 6}, {16, 10}, {2, 30}, {8, 8, 8}, {6, 8, 8}, {4, 10, 6}, {2, 2, 50}}) {
    const Numbers curve = hilbert_curve(box);
    std::uint32_t farthest = 0;
    for (std::size_t i = 1; i < curve.size(); ++i)
      farthest = std::max(farthest, distance(curve[i - 1], curve[i], box));
    CAPTURE(box);
    CHECK(farthest == 1);
  }
}

TEST_CASE("A segment of the curve is nearly as compact as a cube", "[HilbertCurve]") {
  const Numbers box{16, 16, 16};
  const Numbers curve = hilbert_curve(box);
  // The mean extent of 64 successive cells; in row-major order it would be 64 cells in a plane.
  double mean = 0;
  for (std::size_t begin = 0; begin < curve.size(); begin += 64) {
    std::uint32_t widest = 0;
    for (std::size_t i = begin; i < begin + 64; ++i)
      widest = std::max(widest, distance(curve[begin], curve[i], box));
    mean += widest * 64.0 / static_cast<double>(curve.size());
  }
  CHECK(mean <= 9);  // the diagonal of 4 x 4 x 4
}

TEST_CASE(
    "Mappings of random machines and grids are bijections, and never worse than the unit order",
    "[GridMapping]") {
  std::mt19937 random(dash::test::seed());
  for (int round = 0; round < 60; ++round) {
    Grid grid{random_extents(random, 2000), {}, {}};
    for (std::size_t d = 0; d < grid.extents.size(); ++d) {
      grid.periodic.push_back(random() % 2 == 0);
      grid.weights.push_back(static_cast<double>(random() % 4));
    }
    // Nodes with any number of units, in any order, in several domains; or a torus.
    Machine machine;
    if (round % 3 == 0) {
      machine.set_torus({{4, 3, 5}, {true, false, true}, {}});
    } else {
      const std::uint32_t top = machine.add_switch("top");
      for (std::uint32_t i = 0; i < 60; ++i)
        machine.set_parent(machine.add_switch("s" + std::to_string(i)), i < 6 ? top : 1 + i % 6);
    }
    for (std::uint32_t i = 0; i < 200; ++i)
      machine.add_node(
          {"n" + std::to_string(i), "", static_cast<std::uint32_t>(random() % 60), 0, 1});
    machine.finish();
    std::vector<UnitLocation> locations;
    const auto typical = static_cast<std::uint32_t>(1 + random() % 30);
    while (locations.size() < grid.size()) {
      const auto node = static_cast<std::uint32_t>(random() % 200);
      const std::uint32_t units = random() % 4 == 0 ? 1 + random() % 30 : typical;
      for (std::uint32_t core = 0; core < units && locations.size() < grid.size(); ++core)
        locations.push_back({node, core % 3, core});
    }
    CAPTURE(grid.extents, grid.periodic, grid.weights, typical);
    const Comparison compared = compare(machine, locations, grid);
    CHECK(compared.after.cost <= compared.before.cost);
    CHECK(compared.after.cost == Approx(total_cost(machine, locations, grid, compared.mapping)));
    CHECK(compared.after.bytes == Approx(compared.before.bytes));
    CHECK(map_grid(machine, locations, grid).unit_at == compared.mapping.unit_at);
  }
}

TEST_CASE("9,216 units on 384 sparse nodes of 24 cores get blocks of 4 x 3 x 2", "[GridMapping]") {
  const Machine machine = cray_like();
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const auto locations = fill_nodes(machine, random_nodes(machine, 384, seed));
    REQUIRE(locations.size() == 9216);
    const Comparison compared = compare(machine, locations, {{24, 24, 16}, {}, {}});
    Numbers block = compared.mapping.node_block;
    std::sort(block.begin(), block.end());
    CHECK(block == Numbers{2, 3, 4});
    // Traffic between blocks: in both directions through the links of two nodes.
    const double boundaries = 7 * 24 * 16 + 5 * 24 * 16 + 7 * 24 * 24;
    CHECK(compared.after.levels[2].hop_bytes == 4 * boundaries);
    CHECK(compared.before.levels[2].hop_bytes >= 1.7 * compared.after.levels[2].hop_bytes);
    CHECK(compared.before.network_hop_bytes >= 1.75 * compared.after.network_hop_bytes);
    CHECK(compared.before.cost >= 1.65 * compared.after.cost);
    CHECK(compared.before.bottleneck >= 1.3 * compared.after.bottleneck);
    CHECK(compared.random.network_hop_bytes >= 4.5 * compared.after.network_hop_bytes);
    for (std::size_t i = 1; i < compared.after.levels.size(); ++i)
      CHECK(compared.after.levels[i].hop_bytes < compared.before.levels[i].hop_bytes);
  }
}

TEST_CASE("Units of a NUMA domain get a block within that of their node", "[GridMapping]") {
  const Machine machine = Machine::flat({"a", "b", "c", "d"}, 16, 2);
  const auto locations = fill_nodes(machine, Numbers{0, 1, 2, 3});
  const Comparison compared = compare(machine, locations, {{8, 8}, {}, {}});
  CHECK(compared.mapping.node_block == Numbers{4, 4});
  CHECK(compared.after.levels[2].hop_bytes == 4 * 16);  // two lines of 8 between nodes
  CHECK(compared.after.levels[1].hop_bytes == 4 * (16 + 16));
  const Comparison alone = compare(machine, fill_nodes(machine, Numbers{2}), {{4, 4}, {}, {}});
  CHECK(alone.after.levels[1].hop_bytes == 4 * 4);
}

TEST_CASE("Weights change the blocks, and a periodic dimension within a node costs nothing",
          "[GridMapping]") {
  const Machine machine = Machine::flat({"a", "b", "c", "d"}, 4);
  const auto locations = fill_nodes(machine, Numbers{0, 1, 2, 3});
  // The unit order gives rows already.
  const Comparison rows = compare(machine, locations, {{4, 4}, {}, {1, 10}});
  CHECK(rows.mapping.unit_at == unit_order(16).unit_at);
  const Comparison columns = compare(machine, locations, {{4, 4}, {}, {10, 1}});
  CHECK(columns.mapping.node_block == Numbers{4, 1});
  CHECK(columns.after.levels[2].bytes == 2 * 12);
  const Comparison open = compare(machine, locations, {{4, 4}, {}, {1.1, 1}});
  CHECK(open.mapping.node_block == Numbers{2, 2});
  const Comparison ring = compare(machine, locations, {{4, 4}, {true, false}, {1.1, 1}});
  CHECK(ring.mapping.node_block == Numbers{4, 1});
}

TEST_CASE("Grids that blocks do not divide evenly are improved, too", "[GridMapping]") {
  const Machine machine = cray_like();
  const auto nodes = random_nodes(machine, 435, 5);
  struct Case {
    std::uint32_t units_per_node;
    Numbers extents;
    double better;
  };
  for (const Case& each :
       {Case{24, {25, 20, 20}, 1.8}, Case{23, {25, 20, 20}, 1.7}, Case{24, {100, 100}, 2.4},
        Case{23, {100, 100}, 2.2}, Case{24, {97, 103}, 2.2}, Case{24, {10, 10, 10, 10}, 1.5}}) {
    const Grid grid{each.extents, {}, {}};
    const auto locations = fill_nodes(machine, nodes, each.units_per_node, grid.size());
    CAPTURE(each.extents, each.units_per_node);
    const Comparison compared = compare(machine, locations, grid);
    CHECK(compared.before.network_hop_bytes >= each.better * compared.after.network_hop_bytes);
  }
}

TEST_CASE("A grid with the extents of the torus is mapped one to one", "[GridMapping]") {
  Machine machine;
  machine.set_torus({{4, 6, 8}, {}, {}});
  for (std::uint32_t i = 0; i < 192; ++i)
    machine.add_node({"n" + std::to_string(i), "", i, 1, 1});
  machine.finish();
  // Units in random order.
  std::vector<UnitLocation> locations;
  for (const std::uint32_t node : random_order(192, 3).unit_at)
    locations.push_back({node, 0, 0});
  const Comparison compared = compare(machine, locations, {{4, 6, 8}, {true, true, true}, {}});
  for (std::size_t d = 0; d < 3; ++d) {
    CHECK(compared.after.levels[3 + d].hop_bytes == 2 * 192);
    CHECK(compared.after.levels[3 + d].largest_load == 1);
  }
}

TEST_CASE("A million units can be mapped", "[GridMapping]") {
  const Machine machine = cray_like();
  Numbers nodes(machine.num_nodes());
  std::iota(nodes.begin(), nodes.end(), 0U);
  const auto locations = fill_nodes(machine, nodes, 261, 1'000'000);
  const Grid grid{{100, 100, 100}, {}, {}};
  const GridMapping mapping = map_grid(machine, locations, grid);
  check_bijection(mapping, locations.size());
  CHECK(total_cost(machine, locations, grid, unit_order(locations.size())) >
        1.8 * total_cost(machine, locations, grid, mapping));
}

TEST_CASE("Errors for invalid arguments contain the value", "[GridMapping]") {
  using Catch::Matchers::ContainsSubstring;
  const Machine machine = Machine::flat({"a", "b"}, 4);
  const auto locations = fill_nodes(machine, Numbers{0, 1});
  const auto refused = [&](const Grid& grid, const std::string& part) {
    CHECK_THROWS_WITH(map_grid(machine, locations, grid), ContainsSubstring(part));
    CHECK_THROWS_AS(map_grid(machine, locations, grid), InvalidArgument);
  };
  refused({{3, 3}, {}, {}}, "a grid of 3 x 3 has not as many positions as there are units: 8");
  refused({{}, {}, {}}, "1 to 8 dimensions, not 0");
  refused({{8, 0}, {}, {}}, "8 x 0");
  refused({{4, 2}, {true}, {}}, "'periodic' of a grid");
  refused({{4, 2}, {}, {1, 2, 3}}, "'weights' of a grid");
  refused({{4, 2}, {}, {1, -2}}, "not -2");
  refused({{4, 2}, {}, {1, std::numeric_limits<double>::quiet_NaN()}}, "not nan");
  refused({{4'000'000'000U, 4'000'000'000U, 4'000'000'000U}, {}, {}},
          "more positions than can be mapped");

  auto wrong = locations;
  wrong[3].node = 2;
  CHECK_THROWS_WITH(map_grid(machine, wrong, {{8}, {}, {}}),
                    ContainsSubstring("unit 3 is in NUMA domain 0"));
  CHECK_THROWS_WITH(mapping_of({0, 2}), ContainsSubstring("position 1 has unit 2 of 2"));
  CHECK_THROWS_WITH(mapping_of({1, 1}), ContainsSubstring("unit 1 is at positions 0 and 1"));
  CHECK_THROWS_WITH(fill_nodes(machine, Numbers{0}, 0, 5),
                    ContainsSubstring("5 units do not fit on 1"));
  CHECK_THROWS_WITH(fill_nodes(machine, Numbers{7}), ContainsSubstring("node 7 of a machine of 2"));
  CHECK_THROWS_WITH(fill_nodes(Machine::flat({"x"}), Numbers{0}),
                    ContainsSubstring("number of cores of node x"));
  CHECK_THROWS_WITH(Machine::flat({"x", "x"}), ContainsSubstring("node x exists twice"));
}

TEST_CASE("Random orders are the same on every machine", "[GridMapping]") {
  CHECK(random_order(8, 42).unit_at == random_order(8, 42).unit_at);
  CHECK(random_order(1000, 1).unit_at != random_order(1000, 2).unit_at);
  check_bijection(random_order(1000, 7), 1000);
  check_bijection(unit_order(5), 5);
  check_bijection(random_order(1, 7), 1);
}
