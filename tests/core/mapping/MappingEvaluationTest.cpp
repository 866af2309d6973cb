// dash-test: serial
// Loads of links against a reference implementation that follows every message link by link, by names only.

#include "dash/core/mapping/Evaluation.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "dash/Exception.h"
#include "dash/core/mapping/Links.h"
#include "dash/core/mapping/MachineFile.h"
#include "support/Catch.h"
#include "support/Runner.h"

using namespace dash::core::mapping;

namespace {

using Numbers = std::vector<std::uint32_t>;

Numbers coordinates(std::uint32_t index, const Numbers& extents) {
  Numbers at(extents.size());
  for (std::size_t d = extents.size(); d-- > 0;) {
    at[d] = index % extents[d];
    index /= extents[d];
  }
  return at;
}

std::uint32_t index_of(const Numbers& at, const Numbers& extents) {
  std::uint32_t index = 0;
  for (std::size_t d = 0; d < at.size(); ++d)
    index = index * extents[d] + at[d];
  return index;
}

/// Loads of a step, by level and then by link.
struct ReferenceLoads {
  std::map<std::string, std::map<std::string, double>> loads;
  double bytes = 0;

  double hop_bytes(const std::string& level) const {
    double sum = 0;
    for (const auto& [link, load] : of(level))
      sum += load;
    return sum;
  }
  double largest(const std::string& level) const {
    double most = 0;
    for (const auto& [link, load] : of(level))
      most = std::max(most, load);
    return most;
  }

 private:
  std::map<std::string, double> of(const std::string& level) const {
    const auto found = loads.find(level);
    return found == loads.end() ? std::map<std::string, double>() : found->second;
  }
};

class Counter {
 public:
  Counter(const Machine& machine, const std::vector<UnitLocation>& locations)
      : _machine(machine), _locations(locations) {}

  ReferenceLoads count(const Grid& grid, const GridMapping& mapping) {
    _counted = {};
    for (std::uint32_t position = 0; position < grid.size(); ++position) {
      const Numbers at = coordinates(position, grid.extents);
      for (std::size_t d = 0; d < at.size(); ++d) {
        for (const int step : {1, -1}) {
          Numbers next = at;
          const auto extent = static_cast<int>(grid.extents[d]);
          int x = static_cast<int>(at[d]) + step;
          if (extent == 1) continue;
          if (!grid.is_periodic(d) && (x < 0 || x == extent)) continue;
          x = (x + extent) % extent;
          next[d] = static_cast<std::uint32_t>(x);
          send(mapping.unit_at[position], mapping.unit_at[index_of(next, grid.extents)],
               grid.weight(d));
        }
      }
    }
    return _counted;
  }

 private:
  void load(const std::string& level, const std::string& link, double bytes) {
    _counted.loads[level][link] += bytes;
  }

  void send(std::uint32_t from, std::uint32_t to, double bytes) {
    _counted.bytes += bytes;
    const UnitLocation& a = _locations[from];
    const UnitLocation& b = _locations[to];
    const std::string na = _machine.node(a.node).name;
    const std::string nb = _machine.node(b.node).name;
    if (a.node == b.node && a.numa == b.numa) return;
    load("NUMA", na + std::to_string(a.numa) + ">", bytes);
    load("NUMA", nb + std::to_string(b.numa) + "<", bytes);
    if (a.node == b.node) return;
    load("node", na + ">", bytes);
    load("node", nb + "<", bytes);
    const std::uint32_t pa = _machine.node(a.node).attachment;
    const std::uint32_t pb = _machine.node(b.node).attachment;
    _machine.is_torus() ? torus(pa, pb, bytes) : tree(pa, pb, bytes);
  }

  std::vector<std::uint32_t> ancestors(std::uint32_t at) const {
    std::vector<std::uint32_t> line;
    for (; at != Switch::none; at = _machine.switches()[at].parent)
      line.push_back(at);
    return line;
  }

  void tree(std::uint32_t a, std::uint32_t b, double bytes) {
    auto up = ancestors(a);
    auto down = ancestors(b);
    while (!up.empty() && !down.empty() && up.back() == down.back()) {
      up.pop_back();
      down.pop_back();
    }
    const auto& switches = _machine.switches();
    for (const std::uint32_t each : up)
      load(_machine.level_name(switches[each].level), switches[each].name + ">", bytes);
    for (const std::uint32_t each : down)
      load(_machine.level_name(switches[each].level), switches[each].name + "<", bytes);
  }

  void torus(std::uint32_t a, std::uint32_t b, double bytes) {
    const Torus& torus = _machine.torus();
    Numbers at = coordinates(a, torus.extents);
    const Numbers end = coordinates(b, torus.extents);
    for (std::size_t d = 0; d < at.size(); ++d) {
      const auto extent = static_cast<int>(torus.extents[d]);
      const int plain = static_cast<int>(end[d]) - static_cast<int>(at[d]);
      int way = plain;
      if (torus.periodic[d]) {
        const int other = plain > 0 ? plain - extent : plain + extent;
        if (plain != 0 && std::pair(std::abs(other), -other) < std::pair(std::abs(plain), -plain))
          way = other;
      }
      for (const int step = way > 0 ? 1 : -1; way != 0; way -= step) {
        load("torus " + std::to_string(d + 1),
             std::to_string(index_of(at, torus.extents)) + (step > 0 ? "+" : "-"), bytes);
        at[d] = static_cast<std::uint32_t>((static_cast<int>(at[d]) + step + extent) % extent);
      }
    }
    REQUIRE(at == end);
  }

  const Machine& _machine;
  const std::vector<UnitLocation>& _locations;
  ReferenceLoads _counted;
};

Machine random_tree(std::mt19937& random) {
  Machine machine;
  const auto switches = static_cast<std::uint32_t>(1 + random() % 12);
  for (std::uint32_t i = 0; i < switches; ++i) {
    // All links of a level have equal bandwidth: the reference implementation ignores bandwidths.
    const std::uint32_t index = machine.add_switch("s" + std::to_string(i), 5);
    if (i > 0) machine.set_parent(index, static_cast<std::uint32_t>(random() % i));
  }
  for (std::uint32_t i = 0; i < 10; ++i)
    machine.add_node(
        {"n" + std::to_string(i), "", static_cast<std::uint32_t>(random() % switches), 0, 1});
  machine.finish();
  return machine;
}

Machine random_torus(std::mt19937& random) {
  Machine machine;
  Torus torus;
  std::uint32_t routers = 1;
  for (std::size_t d = 0; d < 1 + random() % 3; ++d) {
    torus.extents.push_back(static_cast<std::uint32_t>(1 + random() % 6));
    torus.periodic.push_back(random() % 2 == 0);
    routers *= torus.extents.back();
  }
  torus.periodic.resize(torus.extents.size());
  machine.set_torus(std::move(torus));
  for (std::uint32_t i = 0; i < 10; ++i)
    machine.add_node(
        {"n" + std::to_string(i), "", static_cast<std::uint32_t>(random() % routers), 0, 1});
  machine.finish();
  return machine;
}

}  // namespace

TEST_CASE("Loads equal those of the reference implementation", "[Evaluation]") {
  std::mt19937 random(dash::test::seed());
  for (int round = 0; round < 80; ++round) {
    const Machine machine = round % 2 == 0 ? random_tree(random) : random_torus(random);
    Grid grid;
    for (std::size_t d = 0; d < 1 + random() % 3; ++d) {
      grid.extents.push_back(static_cast<std::uint32_t>(1 + random() % 5));
      grid.periodic.push_back(random() % 2 == 0);
      grid.weights.push_back(static_cast<double>(random() % 3));
    }
    grid.periodic.resize(grid.extents.size());
    grid.weights.resize(grid.extents.size(), 1);
    std::vector<UnitLocation> locations;
    for (std::size_t unit = 0; unit < grid.size(); ++unit)
      locations.push_back(
          {static_cast<std::uint32_t>(random() % 10), static_cast<std::uint32_t>(random() % 3), 0});
    const GridMapping mapping = random_order(grid.size(), random());
    CAPTURE(round, grid.extents, grid.periodic, grid.weights);

    const ReferenceLoads counted = Counter(machine, locations).count(grid, mapping);
    const Evaluation evaluation = evaluate(machine, locations, grid, mapping);
    CHECK(evaluation.bytes == Approx(counted.bytes));
    double all = 0;
    for (const LevelLoad& level : evaluation.levels) {
      CAPTURE(level.name);
      CHECK(level.hop_bytes == Approx(counted.hop_bytes(level.name)));
      CHECK(level.largest_load == Approx(counted.largest(level.name)));
      CHECK(level.largest_link.empty() == (level.largest_load == 0));
      all += counted.hop_bytes(level.name);
    }
    CHECK(evaluation.hop_bytes == Approx(all));
    CHECK(evaluation.network_hop_bytes == Approx(all - counted.hop_bytes("NUMA")));
  }
}

TEST_CASE("The loads of a small example equal values computed manually", "[Evaluation]") {
  const Machine machine = parse_machine(
      "dash-topology 1\nlevels edge core\nbandwidth numa=8 node=4\nswitch top\n"
      "switch e[0-1] in=top bandwidth=2\nnode n[0-1] in=e[0-1] cores=4 numa=2\n",
      "paper");
  const auto locations = fill_nodes(machine, Numbers{0, 1});
  const Grid grid{{2, 4}, {}, {3, 1}};
  const Evaluation rows = evaluate(machine, locations, grid, unit_order(8));
  REQUIRE(rows.levels.size() == 4);
  CHECK(rows.levels[0].name == "core");
  CHECK(rows.levels[0].bytes == 2 * 4);  // units 0-1, 2-3, 4-5, 6-7
  CHECK(rows.levels[1].bytes == 2 * 2);  // units 1-2, 5-6
  CHECK(rows.levels[2].bytes == 0);
  CHECK(rows.levels[3].bytes == 2 * 12);
  CHECK(rows.levels[1].num_links == 4);
  CHECK(rows.levels[1].hop_bytes == 2 * 4 + 2 * 24);
  CHECK(rows.levels[1].largest_load == 7);
  CHECK(rows.levels[2].num_links == 2);
  CHECK(rows.levels[2].largest_load == 12);
  CHECK(rows.levels[3].name == "edge");
  CHECK(rows.levels[3].num_links == 2);
  CHECK(rows.levels[3].hop_bytes == 48);
  CHECK(rows.levels[3].bandwidth == 2);
  CHECK(rows.levels[3].largest_link == "e0 out");
  CHECK(rows.bytes == 36);
  CHECK(rows.hop_bytes == 56 + 48 + 48);
  CHECK(rows.bottleneck == 6);
  CHECK(rows.cost == 56.0 / 8 + 48.0 / 4 + 48.0 / 2);
  CHECK(rows.cost == total_cost(machine, locations, grid, unit_order(8)));
  CHECK_THROWS_WITH(evaluate(machine, locations, grid, unit_order(7)),
                    Catch::Matchers::ContainsSubstring("the mapping has 7 units, but there are 8"));
}

TEST_CASE("A route consists of its links", "[Links]") {
  const Machine machine =
      parse_machine("dash-topology 1\ntorus 4x3 bandwidth=9,4\nnode n[0-11]\n", "torus");
  std::vector<UnitLocation> locations{{0, 0, 0}, {11, 1, 0}, {0, 0, 1}, {0, 2, 2}};
  const Links links(machine, locations);
  const auto names = [&](std::uint32_t from, std::uint32_t to) {
    std::vector<std::string> result;
    for (const std::size_t link : links.route(from, to))
      result.push_back(links.name(link));
    std::sort(result.begin(), result.end());
    return result;
  };
  CHECK(names(0, 2).empty());
  CHECK(names(0, 3) == std::vector<std::string>{"n0 NUMA 0 out", "n0 NUMA 2 in"});
  CHECK(names(0, 1) == std::vector<std::string>{"0,0 down in 1", "3,0 down in 2", "n0 NUMA 0 out",
                                                "n0 out", "n11 NUMA 1 in", "n11 in"});
  for (const std::size_t link : links.route(0, 1)) {
    const std::string name = links.name(link);
    CHECK(links.bandwidth(link) == (name == "0,0 down in 1"                  ? 9
                                    : name == "3,0 down in 2"                ? 4
                                    : name.find("NUMA") != std::string::npos ? Bandwidth::numa
                                                                             : Bandwidth::network));
  }
  CHECK(links.home(0) == links.home(2));
  CHECK(links.home(0) != links.home(3));
}
