// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll process=own

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "dash/Array.h"
#include "dash/Collectives.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/Team.h"
#include "dash/TeamSpec.h"
#include "dash/dart/if/dart_locality.h"
#include "dash/util/UnitLocality.h"
#include "support/Catch.h"
#include "support/Runner.h"

namespace {

using dash::Team;

/// A copy of Team::All(), so that sub-teams of a case are destroyed at its end.
Team copy_of_all() {
  return std::move(Team::All().split(1));
}

/// The values of all units of a team, in the order of the units.
template <class T>
std::vector<T> from_all(const T& value, const Team& team = Team::All()) {
  return dash::allgather_async(value, team).get();
}

/// The sub-team of each unit; checks that all units agree about the sub-teams.
std::vector<std::size_t> parts_of_units(const Team& team, const Team& part) {
  for (const std::size_t n : from_all(part.num_siblings(), team))
    CHECK(n == part.num_siblings());
  return from_all(part.position(), team);
}

void check_part(Team& team, Team& part, const std::vector<std::size_t>& parts) {
  CHECK(&part.parent() == &team.sub(0));
  CHECK(&team.sub() == &part);
  CHECK(&Team::Get(part.dart_id()) == &part);
  CHECK_FALSE(part.is_root());
  CHECK(part.position() < part.num_siblings());
  std::vector<int> members;
  for (const int unit : team) {
    const auto global = team.global_id(dash::team_unit_t(unit));
    const bool member = parts[static_cast<std::size_t>(unit)] == part.position();
    CHECK(part.is_member(global) == member);
    CHECK((part.relative_id(global) >= 0) == member);
    if (member) members.push_back(global.id);
  }
  REQUIRE(members.size() == part.size());
  for (const int unit : part)
    CHECK(part.global_id(dash::team_unit_t(unit)) == members[static_cast<std::size_t>(unit)]);
  CHECK(part.global_id(part.myid()) == dash::myid());
  part.barrier();
}

}  // namespace

TEST_CASE("Team::split: of a single unit: Team::Null()") {
  if (dash::size() != 1) DASH_SKIP("needs exactly one unit");
  CHECK(Team::All().split(2).is_null());
  CHECK(Team::All().is_leaf());
}

TEST_CASE("Team::split: into any number of parts: contiguous parts of equal size") {
  if (dash::size() < 2) DASH_SKIP("needs two units");
  Team all = copy_of_all();
  for (unsigned num_requested = 1; num_requested < all.size() + 3; ++num_requested) {
    Team& part = all.split(num_requested);
    const std::size_t length = (all.size() + num_requested - 1) / num_requested;
    CHECK(part.num_siblings() == (all.size() + length - 1) / length);
    const auto parts = parts_of_units(all, part);
    for (std::size_t unit = 0; unit < parts.size(); ++unit)
      CHECK(parts[unit] == unit / length);
    check_part(all, part, parts);
  }
  CHECK(all.num_siblings() == 1);
  CHECK_FALSE(all.is_leaf());
}

TEST_CASE("Team::split: into no parts, or of no units: an error") {
  CHECK_THROWS_AS(Team::All().split(0), dash::exception::InvalidArgument);
  CHECK_THROWS_AS(Team::Null().split(2), dash::exception::InvalidArgument);
  CHECK_THROWS_AS(Team::All().locality_split(dash::util::Locality::Scope::Node, 0),
                  dash::exception::InvalidArgument);
  CHECK_THROWS_AS(Team::Get(12345), dash::exception::InvalidArgument);
  CHECK(Team::Get(DART_TEAM_ALL).is_all());
  CHECK(Team::Get(DART_TEAM_NULL).is_null());
}

TEST_CASE("Team: hierarchy: leads down to the latest sub-teams and up to the root") {
  if (dash::size() < 2) DASH_SKIP("needs two units");
  Team all = copy_of_all();
  Team& first = all.split(2);
  Team& second = all.split(2);  // another split of the same team
  CHECK(first != second);
  CHECK(&all.sub() == &second);
  Team& below = second.split(2);
  if (below.is_null()) {
    CHECK(second.size() == 1);
    CHECK(&all.bottom() == &second);
    CHECK(&all.sub(5) == &second);
    CHECK(second.is_leaf());
    CHECK(second.num_siblings() == 2);
  } else {
    CHECK(&all.bottom() == &below);
    CHECK(&all.sub(2) == &below);
    CHECK(&all.sub(1) == &second);
    CHECK(&below.parent().parent() == &all.sub(0));
    CHECK(below.bottom().is_leaf());
  }
  CHECK(&first.bottom() == &first);
  CHECK(Team::All().is_root());
  CHECK(Team::All().parent().is_null());
  std::ostringstream text;
  text << first;
  CHECK(text.str().find("of 2 of team") != std::string::npos);
}

TEST_CASE("Team: two splits of one team: both can be used concurrently") {
  if (dash::size() < 2) DASH_SKIP("needs two units");
  Team all = copy_of_all();
  Team& halves = all.split(2);
  Team& thirds = all.split(3);
  dash::Array<int> of_half(5 * halves.size(), dash::CYCLIC, halves);
  dash::Array<int> of_third(3 * thirds.size(), thirds);
  std::fill(of_half.lbegin(), of_half.lend(), 100 + dash::myid().id);
  std::fill(of_third.lbegin(), of_third.lend(), 200 + dash::myid().id);
  of_half.barrier();
  of_third.barrier();
  for (std::size_t i = 0; i < of_half.size(); ++i) {
    const auto owner = halves.global_id(dash::team_unit_t(static_cast<int>(i % halves.size())));
    CHECK(of_half[static_cast<dash::default_index_t>(i)] == 100 + owner.id);
  }
  for (std::size_t i = 0; i < of_third.size(); ++i) {
    const auto owner = thirds.global_id(dash::team_unit_t(static_cast<int>(i / 3)));
    CHECK(of_third[static_cast<dash::default_index_t>(i)] == 200 + owner.id);
  }
  all.barrier();
}

TEST_CASE("Matrix: of a sub-team: distributed to that team only") {
  if (dash::size() < 2) DASH_SKIP("needs two units");
  Team all = copy_of_all();
  Team& part = all.split(2);
  dash::TeamSpec<2> grid(part);
  grid.balance_extents();
  dash::Matrix<int, 2> matrix(dash::SizeSpec<2>(7, 5),
                              dash::DistributionSpec<2>(dash::BLOCKED, dash::BLOCKED), part, grid);
  CHECK(matrix.team() == part);
  if (part.myid() == 0) {
    for (int i = 0; i < 7; ++i) {
      for (int j = 0; j < 5; ++j)
        matrix[i][j] = static_cast<int>(1000 * part.position()) + 10 * i + j;
    }
  }
  matrix.barrier();
  for (int i = 0; i < 7; ++i) {
    for (int j = 0; j < 5; ++j)
      CHECK(matrix(i, j) == static_cast<int>(1000 * part.position()) + 10 * i + j);
  }
  const auto local = from_all(matrix.local_size(), part);
  std::size_t sum = 0;
  for (const auto n : local)
    sum += n;
  CHECK(sum == 35);
  matrix.barrier();
}

TEST_CASE("Team: moved: destroyed by the object that it was moved to") {
  if (dash::size() < 2) DASH_SKIP("needs two units");
  Team all = copy_of_all();
  Team& returned_reference = all.split(2);
  const dart_team_t id = returned_reference.dart_id();
  {
    Team mine(std::move(returned_reference));
    CHECK(mine.dart_id() == id);
    CHECK(returned_reference == mine);  // keeps referring to the same team
    CHECK(&all.sub() == &mine);
    CHECK(&Team::Get(id) == &mine);
    std::vector<Team> several;
    several.push_back(std::move(mine));
    several.push_back(std::move(all.split(3)));
    several.push_back(std::move(Team::Null()));
    CHECK(&all.sub() == &several[1]);
    several[1] = std::move(several[0]);
    CHECK(&all.sub() == &several[1]);
    CHECK(several[1].dart_id() == id);
    several[1].barrier();
  }
  CHECK(all.is_leaf());
  CHECK(returned_reference.is_null());
  CHECK(returned_reference.size() == 0);
  returned_reference.barrier();
  CHECK_THROWS_AS(returned_reference.split(2), dash::exception::InvalidArgument);
}

TEST_CASE("Team: destroyed: frees the memory of existing containers, the lowest team's first") {
  if (dash::size() < 2) DASH_SKIP("needs two units");
  std::vector<int> order;
  dash::Array<int> survivor;
  {
    Team all = copy_of_all();
    Team& part = all.split(2);
    all.register_deallocator(&order, [&order] { order.push_back(0); });
    part.register_deallocator(&order, [&order] { order.push_back(1); });
    part.register_deallocator(&survivor, [&order] { order.push_back(2); });
    survivor.allocate(4 * part.size(), part);
    CHECK(survivor.lsize() == 4);
  }
  CHECK(order == std::vector<int>{2, 1, 0});
  CHECK(survivor.lbegin() == nullptr);
}

namespace {

/// The domain that contains a unit's first processor, as text; locality_split must not divide it.
std::string domain_of(const Team& team, int unit, dart_locality_scope_t scope) {
  dart_unit_locality_t* locality = nullptr;
  REQUIRE(dart_unit_locality(team.dart_id(), dash::team_unit_t(unit), &locality) == DART_OK);
  // ".0.1.0": the first level below the root are the nodes, which contain all hardware.
  const std::string tag = locality->domain_tag;
  const std::string node = tag.substr(0, tag.find('.', 1));
  const auto& hardware = locality->hwinfo;
  for (int i = hardware.num_scopes; i-- > 0;) {  // the last level of caches comes after the others
    if (hardware.scopes[i].scope == scope)
      return node + "/" + std::to_string(hardware.scopes[i].index);
  }
  REQUIRE((scope == DART_LOCALITY_SCOPE_NODE || scope == DART_LOCALITY_SCOPE_MODULE));
  return node;
}

}  // namespace

TEST_CASE(
    "Team::locality_split: along any scope: divides no domain, and distributes domains evenly") {
  if (dash::size() < 2) DASH_SKIP("needs two units");
  using dash::util::Locality;
  Team all = copy_of_all();
  for (const auto scope : {Locality::Node, Locality::Module, Locality::NUMA, Locality::Package,
                           Locality::Cache, Locality::Core, Locality::CPU}) {
    const auto raw = static_cast<dart_locality_scope_t>(scope);
    if (scope == Locality::Cache && dash::util::UnitLocality().hwinfo().cache_ids[0] < 0) continue;
    std::map<std::string, std::set<std::size_t>> parts_of_domain;
    for (unsigned num_requested = 1; num_requested <= all.size() + 1; ++num_requested) {
      Team& part = all.locality_split(scope, num_requested);
      const auto parts = parts_of_units(all, part);
      check_part(all, part, parts);
      parts_of_domain.clear();
      for (const int unit : all)
        parts_of_domain[domain_of(all, unit, raw)].insert(parts[static_cast<std::size_t>(unit)]);
      CHECK(part.num_siblings() == std::min<std::size_t>(num_requested, parts_of_domain.size()));
      std::map<std::size_t, std::size_t> domains_in_part;
      for (const auto& [domain, in] : parts_of_domain) {
        INFO("scope " << scope << ", domain " << domain);
        CHECK(in.size() == 1);
        ++domains_in_part[*in.begin()];
      }
      for (const auto& [position, n] : domains_in_part) {
        CHECK(n >= parts_of_domain.size() / part.num_siblings());
        CHECK(n <= (parts_of_domain.size() - 1) / part.num_siblings() + 1);
      }
    }
  }
  CHECK_THROWS_AS(all.locality_split(Locality::Uncore, 2), dash::exception::RuntimeError);
  // A split by units yields teams of single units.
  CHECK(all.locality_split(DART_LOCALITY_SCOPE_UNIT, static_cast<unsigned>(all.size())).size() ==
        1);
}

TEST_CASE("Locality: nodes and names of scopes") {
  std::set<std::string> nodes;
  for (const int unit : Team::All())
    nodes.insert(domain_of(Team::All(), unit, DART_LOCALITY_SCOPE_NODE));
  CHECK(dash::util::Locality::NumNodes() == nodes.size());
  std::ostringstream text;
  text << dash::util::Locality::NUMA << ' ' << DART_LOCALITY_SCOPE_CORE;
  CHECK(text.str() == "NUMA Core");
}
