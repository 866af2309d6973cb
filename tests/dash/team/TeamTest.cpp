// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include "dash/Team.h"

#include <sstream>
#include <stdexcept>
#include <vector>

#include "dash/Array.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/TeamSpec.h"
#include "dash/dart/Placement.h"
#include "support/Catch.h"

TEST_CASE("Team::All: after init: has all units") {
  dash::Team& all = dash::Team::All();
  CHECK(dash::is_initialized());
  CHECK(all.size() == dash::size());
  CHECK(all.myid().id == dash::myid().id);
  CHECK(all.is_all());
  CHECK_FALSE(all.is_null());
  CHECK(all.dart_id() == DART_TEAM_ALL);
  CHECK(dash::Team::GlobalUnitID() == dash::myid());
  CHECK(&dash::Team::Get(DART_TEAM_ALL) == &all);
  CHECK(all.is_root());
  CHECK(all.relative_id() == all.position());
  CHECK((&all.bottom() == &all) == all.is_leaf());  // other tests of this program may have split it
  const int last = all.end();
  CHECK(last == static_cast<int>(all.size()));
  CHECK(dash::myid() >= 0);
  CHECK(dash::myid() < dash::size());
  int expected = 0;
  for (const int unit : all) {
    CHECK(unit == expected++);
    CHECK(all.global_id(dash::team_unit_t(unit)) == unit);
    CHECK(all.relative_id(dash::global_unit_t(unit)) == unit);
    CHECK(all.is_member(dash::global_unit_t(unit)));
  }
  CHECK(expected == static_cast<int>(all.size()));
  CHECK_FALSE(all.is_member(dash::global_unit_t(static_cast<int>(dash::size()))));
  CHECK_THROWS_AS(all.global_id(dash::team_unit_t(static_cast<int>(dash::size()))),
                  dash::exception::InvalidArgument);
}

TEST_CASE("Team::Null: no units, operations without effect") {
  dash::Team& null = dash::Team::Null();
  CHECK(null.size() == 0);
  CHECK(null.myid() == -1);
  CHECK(null.is_null());
  CHECK_FALSE(null == dash::Team::All());
  null.barrier();
  CHECK(null.begin() == null.end());
  CHECK_FALSE(null.is_member(dash::myid()));
}

TEST_CASE("Team::is_on_node: each unit: whether it shares memory with the caller") {
  dash::Team& all = dash::Team::All();
  const auto placements = dash::dart::unit_placements();
  const auto node_of = [&](dash::Team& team, int unit) {
    const dash::global_unit_t global = team.global_id(dash::team_unit_t(unit));
    return placements[static_cast<std::size_t>(global.id)].node;
  };
  dash::Team& half = all.split(2);
  for (dash::Team* const team : {&all, &half}) {
    for (const int unit : *team) {
      CHECK(team->is_on_node(dash::team_unit_t(unit)) ==
            (node_of(*team, unit) == node_of(*team, team->myid().id)));
    }
    CHECK_THROWS_AS(team->is_on_node(dash::team_unit_t(static_cast<int>(team->size()))),
                    dash::exception::InvalidArgument);
    CHECK_THROWS_AS(team->is_on_node(dash::team_unit_t(-1)), dash::exception::InvalidArgument);
  }
}

TEST_CASE("Team::barrier: after a put: visible to the others") {
  dash::Array<int> values(dash::size(), dash::BLOCKED);
  const auto next = (dash::myid() + 1) % dash::size();
  for (int round = 1; round <= 20; ++round) {
    values.async[static_cast<dash::default_index_t>(next)] = round * 100 + dash::myid();
    dash::barrier();
    const auto before = (dash::myid() + dash::size() - 1) % dash::size();
    CHECK(values.local[0] == round * 100 + static_cast<int>(before));
    dash::barrier();
  }
}

TEST_CASE("Team: deallocators: run in reverse order of registration, unless unregistered") {
  dash::Team& all = dash::Team::All();
  std::vector<int> order;
  int objects[3];
  for (int i = 0; i < 3; ++i) {
    all.register_deallocator(&objects[i], [&order, i] { order.push_back(i); });
  }
  all.unregister_deallocator(&objects[1]);
  all.free();
  CHECK(order == std::vector<int>{2, 0});
}

TEST_CASE("Team: a deallocator that throws on one unit: the others run, no unit hangs") {
  dash::Team& all = dash::Team::All();
  int ran = 0;
  int objects[3];
  for (int i = 0; i < 3; ++i) {
    all.register_deallocator(&objects[i], [&ran, i] {
      ++ran;
      if (i == 1 && dash::myid() == 0) throw std::runtime_error("not freed");
    });
  }
  if (dash::myid() == 0) {
    CHECK_THROWS_WITH(all.free(), "not freed");
  } else {
    all.free();
  }
  CHECK(ran == 3);
  all.barrier();
}

TEST_CASE("TeamSpec: neighbours: as in the grid") {
  dash::TeamSpec<2> grid(dash::Team::All());
  grid.balance_extents();
  CHECK(grid.size() == dash::size());
  const int rows = static_cast<int>(grid.extent(0));
  const int cols = static_cast<int>(grid.extent(1));
  const int row = dash::myid() / cols;
  const int col = dash::myid() % cols;
  for (int dr = -2; dr <= 2; ++dr) {
    for (int dc = -2; dc <= 2; ++dc) {
      const bool inside = row + dr >= 0 && row + dr < rows && col + dc >= 0 && col + dc < cols;
      const int expected = inside ? (row + dr) * cols + col + dc : -1;
      CHECK(grid.neighbor({dr, dc}) == expected);
      const int wrapped_row = ((row + dr) % rows + rows) % rows;
      const int wrapped_col = ((col + dc) % cols + cols) % cols;
      CHECK(grid.periodic_neighbor(std::array<int, 2>{dr, dc}) == wrapped_row * cols + wrapped_col);
    }
  }
}

TEST_CASE("TeamSpec: default grid: adapted to the distributed dimensions") {
  using dash::BLOCKED;
  using dash::NONE;
  const dash::TeamSpec<3> all;
  CHECK(all.extent(0) == dash::size());
  const dash::TeamSpec<3> last(all, dash::DistributionSpec<3>(NONE, NONE, BLOCKED));
  CHECK(last.extent(2) == dash::size());
  CHECK(last.extent(0) == 1);
  const dash::TeamSpec<3> two(all, dash::DistributionSpec<3>(BLOCKED, NONE, BLOCKED));
  CHECK(two.extent(0) * two.extent(2) == dash::size());
  CHECK(two.extent(1) == 1);
  CHECK(two.extent(0) >= two.extent(2));
  const dash::TeamSpec<3> tiled(all, dash::DistributionSpec<3>(NONE, dash::TILE(2), dash::TILE(2)));
  CHECK(tiled.extent(1) == dash::size());
  CHECK(tiled.extent(2) == 1);
}
