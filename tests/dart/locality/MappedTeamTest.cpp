// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,poll

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "dart/teams/Teams.h"
#include "dash/Exception.h"
#include "dash/dart/Mapping.h"
#include "dash/dart/Mpi.h"
#include "dash/dart/if/dart_locality.h"
#include "support/Catch.h"
#include "support/Runner.h"

using namespace dash::test;

namespace {

using Extents = std::vector<std::size_t>;

/// Grids of n units in one to three dimensions.
std::vector<Extents> grids_of(std::size_t n) {
  std::vector<Extents> grids{{n}, {1, n}, {n, 1, 1}};
  for (std::size_t rows = 2; rows <= n / 2; ++rows) {
    if (n % rows == 0) grids.push_back({rows, n / rows});
    if (n % (2 * rows) == 0) grids.push_back({2, rows, n / rows / 2});
  }
  return grids;
}

class MappedTeam {
 public:
  MappedTeam(dart_team_t parent, const Extents& extents) {
    REQUIRE(dart_team_create_mapped(parent, extents.size(), extents.data(), nullptr, nullptr,
                                    &_id) == DART_OK);
  }
  ~MappedTeam() { dart_team_destroy(&_id); }
  MappedTeam(const MappedTeam&) = delete;
  MappedTeam& operator=(const MappedTeam&) = delete;

  dart_team_t id() const { return _id; }

 private:
  dart_team_t _id = DART_TEAM_NULL;
};

/// Checks that all units have the error, and that collectives work afterwards.
void check_error_on_all(dart_ret_t got, const char* text) {
  CHECK(got == DART_ERR_INVAL);
  INFO("expected: " << text << "; got: " << dart_last_error());
  CHECK(last_error_has(text));
  int one = 1;
  int sum = 0;
  REQUIRE(dart_allreduce(&one, &sum, 1, DART_TYPE_INT, DART_OP_SUM, DART_TEAM_ALL) == DART_OK);
  REQUIRE(sum == num_units());
}

/// Checks that each unit of a team receives a put of its left neighbour.
void check_ring(dart_team_t team) {
  const int n = size_of(team);
  const int me = id_in(team);
  dart_gptr_t memory = DART_GPTR_NULL;
  REQUIRE(dart_team_memalloc_aligned(team, 1, DART_TYPE_INT, &memory) == DART_OK);
  dart_gptr_t right = memory;
  right.unitid = (me + 1) % n;
  REQUIRE(dart_put_blocking(right, &me, 1, DART_TYPE_INT, DART_TYPE_INT) == DART_OK);
  REQUIRE(dart_barrier(team) == DART_OK);
  dart_gptr_t own = memory;
  own.unitid = me;
  void* address = nullptr;
  REQUIRE(dart_gptr_getaddr(own, &address) == DART_OK);
  CHECK(*static_cast<int*>(address) == (me + n - 1) % n);
  REQUIRE(dart_team_memfree(memory) == DART_OK);
}

/// Checks collectives whose results depend on the order of the units.
void check_collectives(dart_team_t team) {
  const int n = size_of(team);
  const int me = id_in(team);
  const std::vector<int> globals = globals_of(team);
  std::vector<int> all(static_cast<std::size_t>(n));
  const int mine = my_id();
  REQUIRE(dart_allgather(&mine, all.data(), 1, DART_TYPE_INT, team) == DART_OK);
  CHECK(all == globals);
  for (int root = 0; root < n; ++root) {
    int value = me == root ? 100 + root : -1;
    REQUIRE(dart_bcast(&value, 1, DART_TYPE_INT, root, team) == DART_OK);
    CHECK(value == 100 + root);
    int part = -1;
    REQUIRE(dart_scatter(me == root ? all.data() : nullptr, &part, 1, DART_TYPE_INT, root, team) ==
            DART_OK);
    CHECK(part == mine);
    std::vector<int> gathered(static_cast<std::size_t>(n), -1);
    REQUIRE(dart_gather(&mine, gathered.data(), 1, DART_TYPE_INT, root, team) == DART_OK);
    if (me == root) CHECK(gathered == globals);
  }
  std::vector<int> to_all;
  std::vector<int> expected;
  for (int unit = 0; unit < n; ++unit) {
    to_all.push_back(100 * me + unit);
    expected.push_back(100 * unit + me);
  }
  std::vector<int> from_all(static_cast<std::size_t>(n));
  REQUIRE(dart_alltoall(to_all.data(), from_all.data(), 1, DART_TYPE_INT, team) == DART_OK);
  CHECK(from_all == expected);
  REQUIRE(dart_allreduce(&me, &all[0], 1, DART_TYPE_INT, DART_OP_SUM, team) == DART_OK);
  CHECK(all[0] == n * (n - 1) / 2);
}

void check_mapped(dart_team_t parent, dart_team_t team, const Extents& extents) {
  std::vector<int> before = globals_of(parent);
  std::vector<int> units = globals_of(team);
  // The order of the units is a bijection and equal on all units.
  std::vector<int> units_of_first = units;
  REQUIRE(dart_bcast(units_of_first.data(), units_of_first.size(), DART_TYPE_INT, 0, team) ==
          DART_OK);
  CHECK(units_of_first == units);
  CHECK(units[static_cast<std::size_t>(id_in(team))] == my_id());
  for (std::size_t id = 0; id < units.size(); ++id) {
    dart_team_unit_t local;
    REQUIRE(dart_team_unit_g2l(team, units[id], &local) == DART_OK);
    CHECK(local.id == static_cast<int>(id));
  }
  std::sort(units.begin(), units.end());
  std::sort(before.begin(), before.end());
  CHECK(units == before);

  std::size_t ndim = 0;
  Extents grid(DART_GRID_MAX_NDIM);
  std::vector<std::int32_t> periodic(DART_GRID_MAX_NDIM, -1);
  REQUIRE(dart_team_grid(team, &ndim, grid.data(), periodic.data()) == DART_OK);
  grid.resize(ndim);
  CHECK(grid == extents);
  CHECK(std::all_of(periodic.begin(), periodic.begin() + static_cast<std::ptrdiff_t>(ndim),
                    [](int each) { return each == 0; }));
  const auto report = dash::dart::mapping_report(team);
  CHECK(report.after.cost <= report.before.cost);
  CHECK(report.after.bytes == report.before.bytes);
}

}  // namespace

TEST_CASE("A mapped team has the units of its parent, in an order that is equal on all units",
          "[Mapped]") {
  for_each_team([](dart_team_t parent) {
    for (const Extents& extents : grids_of(static_cast<std::size_t>(size_of(parent)))) {
      const MappedTeam team(parent, extents);
      check_mapped(parent, team.id(), extents);
      check_ring(team.id());
      check_collectives(team.id());
    }
  });
  CHECK(globals_of(DART_TEAM_ALL).back() == num_units() - 1);
}

TEST_CASE("Neighbours are on one node if that is possible", "[Mapped]") {
  if (num_units() < 4 || std::getenv("MPIR_CVAR_ODD_EVEN_CLIQUES") == nullptr) {
    DASH_SKIP("needs four units on two nodes");
  }
  // The units alternate between two nodes; the mapped row visits each node once.
  const MappedTeam team(DART_TEAM_ALL, {static_cast<std::size_t>(num_units())});
  const std::vector<int> units = globals_of(team.id());
  int changes = 0;
  for (std::size_t id = 1; id < units.size(); ++id)
    changes += units[id] % 2 != units[id - 1] % 2 ? 1 : 0;
  CHECK(changes == 1);
  const auto report = dash::dart::mapping_report(team.id());
  CHECK(report.after.network_hop_bytes < report.before.network_hop_bytes);
}

TEST_CASE("Teams of a mapped team keep its order", "[Mapped]") {
  const auto n = static_cast<std::size_t>(num_units());
  const MappedTeam team(DART_TEAM_ALL, {n});
  const std::vector<int> units = globals_of(team.id());
  dart_team_t clone = DART_TEAM_NULL;
  REQUIRE(dart_team_clone(team.id(), &clone) == DART_OK);
  CHECK(globals_of(clone) == units);
  std::size_t ndim = 0;
  REQUIRE(dart_team_grid(clone, &ndim, nullptr, nullptr) == DART_OK);
  CHECK(ndim == 1);
  REQUIRE(dart_team_destroy(&clone) == DART_OK);
  const std::vector<int> half(units.begin(),
                              units.begin() + static_cast<std::ptrdiff_t>((n + 1) / 2));
  {
    const SubTeam sub(team.id(), half);
    if (sub.is_member()) {
      CHECK(globals_of(sub.id()) == half);
      REQUIRE(dart_team_grid(sub.id(), &ndim, nullptr, nullptr) == DART_OK);
      CHECK(ndim == 0);
      check_ring(sub.id());
      const MappedTeam again(sub.id(), {1, half.size()});
      check_mapped(sub.id(), again.id(), {1, half.size()});
      check_collectives(again.id());
    }
  }
  REQUIRE(dart_team_grid(DART_TEAM_ALL, &ndim, nullptr, nullptr) == DART_OK);
  CHECK(ndim == 0);
}

TEST_CASE("A communicator of a mapped team has its order", "[Mapped]") {
  const MappedTeam team(DART_TEAM_ALL, {static_cast<std::size_t>(num_units())});
  MPI_Comm communicator = MPI_COMM_NULL;
  REQUIRE(dart_team_communicator(team.id(), &communicator) == DART_OK);
  int rank = -1;
  REQUIRE(MPI_Comm_rank(communicator, &rank) == MPI_SUCCESS);
  CHECK(rank == id_in(team.id()));
}

TEST_CASE("A mapped team has the hierarchy of its units", "[Mapped]") {
  const MappedTeam team(DART_TEAM_ALL, {1, static_cast<std::size_t>(num_units())});
  dart_domain_locality_t* root = nullptr;
  REQUIRE(dart_domain_team_locality(team.id(), ".", &root) == DART_OK);
  CHECK(root->num_units == num_units());
  for (int unit = 0; unit < num_units(); ++unit) {
    const int global = globals_of(team.id())[static_cast<std::size_t>(unit)];
    dart_unit_locality_t* in_team = nullptr;
    dart_unit_locality_t* in_all = nullptr;
    REQUIRE(dart_unit_locality(team.id(), unit, &in_team) == DART_OK);
    REQUIRE(dart_unit_locality(DART_TEAM_ALL, global, &in_all) == DART_OK);
    CHECK(in_team->unit.id == unit);
    CHECK(in_team->hwinfo.cpu_id == in_all->hwinfo.cpu_id);
    CHECK(std::string(in_team->domain_tag) == in_all->domain_tag);
  }
}

TEST_CASE("Dimensions may be periodic and have different weights", "[Mapped]") {
  const std::size_t extents[] = {static_cast<std::size_t>(num_units()), 1};
  const std::int32_t periodic[] = {1, 0};
  const double weights[] = {800, 0.5};
  dart_team_t team = DART_TEAM_NULL;
  REQUIRE(dart_team_create_mapped(DART_TEAM_ALL, 2, extents, periodic, weights, &team) == DART_OK);
  std::size_t ndim = 0;
  std::int32_t found[DART_GRID_MAX_NDIM] = {-1, -1};
  REQUIRE(dart_team_grid(team, &ndim, nullptr, found) == DART_OK);
  CHECK(ndim == 2);
  CHECK(found[0] == 1);
  CHECK(found[1] == 0);
  const auto report = dash::dart::mapping_report(team);
  // A single unit has no neighbour; two units are neighbours of each other on both sides.
  const double messages = num_units() == 1 ? 0 : 2.0 * num_units();
  CHECK(report.after.bytes == Approx(800 * messages));
  check_ring(team);
  REQUIRE(dart_team_destroy(&team) == DART_OK);
}

TEST_CASE("Extents that are no grid of the units are an error on all units", "[Mapped]") {
  const auto n = static_cast<std::size_t>(num_units());
  dart_team_t team = 42;
  const std::size_t one[] = {n};
  const auto create = [&](const Extents& extents, const double* weights = nullptr) {
    return dart_team_create_mapped(DART_TEAM_ALL, extents.size(),
                                   extents.empty() ? one : extents.data(), nullptr, weights, &team);
  };
  check_error_on_all(create({n, 2}), (std::to_string(n) + " x 2 has " + std::to_string(2 * n) +
                                      " positions, but team 0 has " + std::to_string(n) + " unit")
                                         .c_str());
  CHECK(team == DART_TEAM_NULL);
  check_error_on_all(create({n + 1}), std::to_string(n + 1).c_str());
  check_error_on_all(create({n, 0}), "0 units in dimension 1");
  check_error_on_all(create({}), "0 dimensions");
  check_error_on_all(create(Extents(9, 1)), "9 dimensions");
  check_error_on_all(create({std::size_t{1} << 40, n}),
                     std::to_string(std::size_t{1} << 40).c_str());
  check_error_on_all(create(Extents(8, 1U << 30)), "too many");
  const double wrong[] = {-1};
  check_error_on_all(create({n}, wrong), "-1");
  const double no_number[] = {std::nan("")};
  check_error_on_all(create({n}, no_number), "nan");
  check_error_on_all(dart_team_create_mapped(DART_TEAM_ALL, 1, nullptr, nullptr, nullptr, &team),
                     "extents is NULL");
  check_error_on_all(dart_team_create_mapped(DART_TEAM_ALL, 1, one, nullptr, nullptr, nullptr),
                     "newteam is NULL");
  CHECK(dart_team_create_mapped(DART_TEAM_NULL, 1, one, nullptr, nullptr, &team) == DART_ERR_INVAL);
  CHECK(dart_team_create_mapped(12345, 1, one, nullptr, nullptr, &team) == DART_ERR_INVAL);
  CHECK(dart_team_grid(DART_TEAM_ALL, nullptr, nullptr, nullptr) == DART_ERR_INVAL);
  std::size_t ndim = 1;
  CHECK(dart_team_grid(DART_TEAM_NULL, &ndim, nullptr, nullptr) == DART_ERR_INVAL);
  CHECK_THROWS_AS(dash::dart::mapping_report(DART_TEAM_ALL), dash::exception::InvalidArgument);
}

TEST_CASE("Different grids on different units are an error on all units", "[Mapped]") {
  if (num_units() < 2) DASH_SKIP("needs two units");
  const auto n = static_cast<std::size_t>(num_units());
  const bool other = my_id() == num_units() - 1;
  dart_team_t team = 42;
  const std::size_t wide[] = {1, n};
  const std::size_t tall[] = {n, 1};
  check_error_on_all(
      dart_team_create_mapped(DART_TEAM_ALL, 2, other ? wide : tall, nullptr, nullptr, &team),
      "pass different grids");
  CHECK(team == DART_TEAM_NULL);
  const std::int32_t periodic[] = {0, 1};
  check_error_on_all(
      dart_team_create_mapped(DART_TEAM_ALL, 2, wide, other ? periodic : nullptr, nullptr, &team),
      "pass different grids");
  const std::size_t wrong[] = {n, 3};
  check_error_on_all(
      dart_team_create_mapped(DART_TEAM_ALL, 2, other ? wrong : tall, nullptr, nullptr, &team),
      other ? "3" : "another unit");
}
