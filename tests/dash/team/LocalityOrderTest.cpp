// dash-test: serial link=objects

#include "support/Catch.h"
#include "team/LocalityOrder.h"

#include <utility>
#include <vector>

using dash::internal::locality_order;

namespace {

/// \param domains  node and NUMA domain of each unit
std::vector<int> order_of(int myid, const std::vector<std::pair<int, int>>& domains) {
  std::vector<dash::dart::UnitPlacement> placements;
  for (const auto& [node, numa] : domains) {
    placements.emplace_back();
    placements.back().node = node;
    placements.back().numa = numa;
  }
  std::vector<int> ids;
  for (const dash::team_unit_t unit : locality_order(placements, dash::team_unit_t(myid)))
    ids.push_back(unit.id);
  return ids;
}

}  // namespace

TEST_CASE("units of one NUMA domain: each starts with its successor, cyclically") {
  const std::vector<std::pair<int, int>> domains(4, {0, 0});
  CHECK(order_of(0, domains) == std::vector{1, 2, 3});
  CHECK(order_of(2, domains) == std::vector{3, 0, 1});
  CHECK(order_of(3, domains) == std::vector{0, 1, 2});
}

TEST_CASE("units of two NUMA domains: the caller's domain comes first") {
  const std::vector<std::pair<int, int>> blocks{{0, 0}, {0, 0}, {0, 0}, {0, 1}, {0, 1}, {0, 1}};
  CHECK(order_of(0, blocks) == std::vector{1, 2, 3, 4, 5});
  CHECK(order_of(2, blocks) == std::vector{0, 1, 3, 4, 5});
  CHECK(order_of(4, blocks) == std::vector{5, 3, 0, 1, 2});
  const std::vector<std::pair<int, int>> alternating{{0, 0}, {0, 1}, {0, 0}, {0, 1}, {0, 0}};
  CHECK(order_of(0, alternating) == std::vector{2, 4, 1, 3});
  CHECK(order_of(1, alternating) == std::vector{3, 2, 4, 0});
  CHECK(order_of(4, alternating) == std::vector{0, 2, 1, 3});
}

TEST_CASE("units of several nodes: only units of its node, even if domain numbers are equal") {
  // Domains are numbered per node.
  const std::vector<std::pair<int, int>> domains{{0, 0}, {1, 0}, {0, 1}, {1, 1},
                                                 {0, 0}, {1, 0}, {2, 0}};
  CHECK(order_of(0, domains) == std::vector{4, 2});
  CHECK(order_of(2, domains) == std::vector{4, 0});
  CHECK(order_of(1, domains) == std::vector{5, 3});
  CHECK(order_of(6, domains).empty());
}

TEST_CASE("units with unknown domains: equally near; a single unit: empty order") {
  CHECK(order_of(1, {{0, -1}, {0, -1}, {0, -1}}) == std::vector{2, 0});
  CHECK(order_of(1, {{0, 0}, {0, -1}, {0, -1}}) == std::vector{2, 0});
  CHECK(order_of(0, {{0, 0}}).empty());
}
