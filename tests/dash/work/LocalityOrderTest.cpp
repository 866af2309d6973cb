// dash-test: serial link=objects

#include "work/LocalityOrder.h"

#include <catch2/catch.hpp>
#include <utility>
#include <vector>

using dash::internal::near_first;

namespace {

/// \param places  node and NUMA domain of each unit
std::vector<int> order_of(int myid, const std::vector<std::pair<int, int>>& places) {
  std::vector<dash::dart::UnitPlacement> placements;
  for (const auto& [node, numa] : places) {
    placements.emplace_back();
    placements.back().node = node;
    placements.back().numa = numa;
  }
  std::vector<int> ids;
  for (const dash::team_unit_t unit : near_first(placements, dash::team_unit_t(myid)))
    ids.push_back(unit.id);
  return ids;
}

}  // namespace

TEST_CASE("units of one NUMA domain: each begins with the next one, and goes round") {
  const std::vector<std::pair<int, int>> places(4, {0, 0});
  CHECK(order_of(0, places) == std::vector{1, 2, 3});
  CHECK(order_of(2, places) == std::vector{3, 0, 1});
  CHECK(order_of(3, places) == std::vector{0, 1, 2});
}

TEST_CASE("units of two NUMA domains: those of the own one come first, then the others") {
  const std::vector<std::pair<int, int>> blocks{{0, 0}, {0, 0}, {0, 0}, {0, 1}, {0, 1}, {0, 1}};
  CHECK(order_of(0, blocks) == std::vector{1, 2, 3, 4, 5});
  CHECK(order_of(2, blocks) == std::vector{0, 1, 3, 4, 5});
  CHECK(order_of(4, blocks) == std::vector{5, 3, 0, 1, 2});
  const std::vector<std::pair<int, int>> dealt{{0, 0}, {0, 1}, {0, 0}, {0, 1}, {0, 0}};
  CHECK(order_of(0, dealt) == std::vector{2, 4, 1, 3});
  CHECK(order_of(1, dealt) == std::vector{3, 2, 4, 0});
  CHECK(order_of(4, dealt) == std::vector{0, 2, 1, 3});
}

TEST_CASE("units of several nodes: only those of the own one, whatever the numbers of domains") {
  // Domains are counted on each machine.
  const std::vector<std::pair<int, int>> places{{0, 0}, {1, 0}, {0, 1}, {1, 1},
                                                {0, 0}, {1, 0}, {2, 0}};
  CHECK(order_of(0, places) == std::vector{4, 2});
  CHECK(order_of(2, places) == std::vector{4, 0});
  CHECK(order_of(1, places) == std::vector{5, 3});
  CHECK(order_of(6, places).empty());
}

TEST_CASE("units whose domains are not known: all equally near; alone: nobody") {
  CHECK(order_of(1, {{0, -1}, {0, -1}, {0, -1}}) == std::vector{2, 0});
  CHECK(order_of(1, {{0, 0}, {0, -1}, {0, -1}}) == std::vector{2, 0});
  CHECK(order_of(0, {{0, 0}}).empty());
}
