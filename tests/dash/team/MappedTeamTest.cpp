// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll

// Containers and halos on teams whose units are mapped to the machine.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "dash/Algorithm.h"
#include "dash/Array.h"
#include "dash/Coarray.h"
#include "dash/Collectives.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/Team.h"
#include "dash/TeamSpec.h"
#include "dash/dart/Mapping.h"
#include "dash/halo/HaloMatrixWrapper.h"
#include "support/Catch.h"
#include "support/Runner.h"

namespace {

using dash::Team;
using dash::TeamSpec;
using index_t = dash::default_index_t;

/// A network of two switches to which this host's nodes are connected alternately. Each process
/// writes its own file before dash::init, since it does not know its unit id yet.
class Network {
 public:
  Network() : _path("/tmp/dash_mapped_" + std::to_string(::getpid()) + ".conf") {
    char host[256] = "";
    ::gethostname(host, sizeof host - 1);
    std::ofstream file(_path);
    for (const int first : {0, 1}) {
      file << "SwitchName=s" << first << " Nodes=";
      for (int node = first; node < 8; node += 2)
        file << (node == first ? "" : ",") << host << (node == 0 ? "" : ":" + std::to_string(node));
      file << '\n';
    }
    file << "SwitchName=top Switches=s[0-1]\n";
    ::setenv("DART_TOPOLOGY", _path.c_str(), 1);
  }
  ~Network() { ::unlink(_path.c_str()); }
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

 private:
  std::string _path;
};
const Network network;

/// A copy of Team::All(), so that sub-teams of a case are destroyed at its end.
Team copy_of_all() {
  return std::move(Team::All().split(1));
}

/// All two-dimensional grids of n units.
std::vector<std::array<std::size_t, 2>> grids_of(std::size_t n) {
  std::vector<std::array<std::size_t, 2>> grids;
  for (std::size_t rows = 1; rows <= n; ++rows) {
    if (n % rows == 0) grids.push_back({rows, n / rows});
  }
  return grids;
}

std::vector<int> globals_of(const Team& team) {
  std::vector<int> units;
  for (const int unit : team)
    units.push_back(team.global_id(dash::team_unit_t(unit)).id);
  return units;
}

int value_at(index_t row, index_t col) {
  return static_cast<int>(1000 * row + col);
}

template <class Matrix>
void fill_by_coordinates(Matrix& matrix) {
  const auto first = matrix.pattern().global({0, 0});
  for (index_t row = 0; row < static_cast<index_t>(matrix.local.extent(0)); ++row) {
    for (index_t col = 0; col < static_cast<index_t>(matrix.local.extent(1)); ++col)
      matrix.local(row, col) = value_at(first[0] + row, first[1] + col);
  }
  matrix.barrier();
}

}  // namespace

TEST_CASE("Team::mapped: a sub-team of all units whose TeamSpec has the grid") {
  Team team = copy_of_all();
  if (dash::size() < 2) DASH_SKIP("needs two units");
  for (const auto& extents : grids_of(team.size())) {
    Team& mapped = team.mapped(TeamSpec<2>(extents, team));
    CHECK(mapped.size() == team.size());
    CHECK(&mapped.parent() == &team.sub(0));
    CHECK(&team.sub() == &mapped);
    CHECK(&Team::Get(mapped.dart_id()) == &mapped);
    CHECK(mapped.position() == 0);
    CHECK(mapped.num_siblings() == 1);
    CHECK(mapped.grid() == std::vector<std::size_t>{extents[0], extents[1]});
    CHECK(team.grid().empty());
    std::vector<int> units = globals_of(mapped);
    CHECK(dash::allgather_async(static_cast<int>(dash::myid()), mapped).get() == units);
    std::sort(units.begin(), units.end());
    CHECK(units == globals_of(team));

    TeamSpec<2> spec(mapped);
    CHECK(spec.extents() == extents);
    CHECK(spec.is_mapped());
    spec.balance_extents();
    CHECK(spec.extents() == extents);
    CHECK(spec.at(spec.coords(mapped.myid().id)) == mapped.myid().id);
    // In another number of dimensions, the team behaves like any other.
    CHECK(TeamSpec<1>(mapped).extent(0) == team.size());
    CHECK(TeamSpec<3>(mapped).is_linear());
    spec.resize(team.size(), std::size_t{1});
    CHECK_FALSE(spec.is_mapped());
  }
  CHECK(TeamSpec<2>(team).is_linear());
  CHECK(globals_of(Team::All()).back() == static_cast<int>(dash::size()) - 1);
}

TEST_CASE("Team::mapped: takes specs, arrays and lists, and periodic dimensions") {
  const std::size_t n = Team::All().size();
  Team one = std::move(Team::All().mapped({n, 1}));
  Team two =
      std::move(Team::All().mapped(std::array<int, 2>{1, static_cast<int>(n)}, {true, true}));
  Team three = std::move(Team::All().mapped(dash::SizeSpec<3>(1, n, 1), {}, {1.0, 2.0, 8.0}));
  CHECK(one.grid() == std::vector<std::size_t>{n, 1});
  CHECK(two.grid() == std::vector<std::size_t>{1, n});
  CHECK(three.grid() == std::vector<std::size_t>{1, n, 1});
  // Nodes are connected alternately to two switches.
  for (const Team* team : {&one, &two, &three}) {
    const auto report = dash::dart::mapping_report(team->dart_id());
    CHECK(report.after.cost <= report.before.cost);
    if (n == 7 && std::getenv("MPIR_CVAR_NOLOCAL") != nullptr)
      CHECK(report.after.network_hop_bytes < report.before.network_hop_bytes);
  }
}

TEST_CASE("Team::mapped: a grid that does not match the team: an error on all units") {
  const std::size_t n = dash::size();
  const auto message = [](auto f) -> std::string {
    try {
      f();
    } catch (const dash::exception::InvalidArgument& error) {
      return error.what();
    }
    return {};
  };
  const std::string wrong = message([&] { Team::All().mapped({n, 3}); });
  CHECK(wrong.find("dash::Team::mapped") != std::string::npos);
  CHECK(wrong.find(std::to_string(n) + " x 3 has " + std::to_string(3 * n)) != std::string::npos);
  CHECK(wrong.find("has " + std::to_string(n) + " unit") != std::string::npos);
  CHECK(message([&] {
          Team::All().mapped({n}, {true, false});
        }).find("periodic") != std::string::npos);
  if (n > 1) {
    const bool other = dash::myid() == 0;
    CHECK_FALSE(message([&] { Team::All().mapped({n}, {other, other}); }).empty());
    CHECK_FALSE(message([&] { Team::All().mapped({other ? n : n + 1}); }).empty());
  }
  CHECK_THROWS_AS(Team::Null().mapped({1}), dash::exception::InvalidArgument);
  Team::All().barrier();
}

TEST_CASE("Containers on a mapped team: keep their values") {
  Team& team = Team::All().mapped({dash::size()});
  dash::Array<int> array(10 * team.size() + 3, team);
  for (std::size_t i = 0; i < array.lsize(); ++i)
    array.local[i] = static_cast<int>(array.pattern().global(static_cast<index_t>(i)));
  array.barrier();
  std::vector<int> expected(array.size());
  std::iota(expected.begin(), expected.end(), 0);
  std::vector<int> copied(array.size());
  dash::copy(array.begin(), array.end(), copied.data());
  CHECK(copied == expected);
  CHECK(*dash::min_element(array.begin(), array.end()) == 0);
  array.barrier();
  for (const int root : team) {
    const int value = team.myid() == root ? 7 * root : -1;
    CHECK(dash::bcast_async(value, dash::team_unit_t(root), team).get() == 7 * root);
  }
  dash::Coarray<int[3]> coarray(team);
  coarray[0] = team.myid().id;
  team.barrier();
  const auto right = (team.myid().id + 1) % static_cast<int>(team.size());
  CHECK(static_cast<int>(coarray(dash::team_unit_t(right))[0]) == right);
  team.barrier();
}

TEST_CASE("Matrices on a mapped team: have its grid, and the same elements as any other") {
  for (const auto& extents : grids_of(Team::All().size())) {
    Team mapped = std::move(Team::All().mapped(extents));
    const std::size_t rows = 3 * extents[0] + 1;
    const std::size_t cols = 2 * extents[1] + 1;
    dash::NArray<int, 2> matrix(rows, cols, dash::BLOCKED, dash::BLOCKED, mapped);
    CHECK(matrix.pattern().teamspec().extents() == extents);
    fill_by_coordinates(matrix);
    for (index_t row = 0; row < static_cast<index_t>(rows); ++row)
      CHECK(static_cast<int>(matrix(row, 1)) == value_at(row, 1));
    std::vector<int> copied(matrix.size());
    dash::copy(matrix.begin(), matrix.end(), copied.data());
    for (std::size_t i = 0; i < copied.size(); ++i)
      CHECK(copied[i] == value_at(static_cast<index_t>(i / cols), static_cast<index_t>(i % cols)));
    // With a spec, and with a dimension that is not distributed.
    dash::Matrix<int, 2> by_spec(dash::SizeSpec<2>(rows, cols),
                                 dash::DistributionSpec<2>(dash::BLOCKED, dash::CYCLIC), mapped,
                                 TeamSpec<2>(mapped));
    CHECK(by_spec.pattern().teamspec().extents() == extents);
    dash::Matrix<int, 2> of_rows(4 * mapped.size(), cols, dash::BLOCKED, dash::NONE, mapped);
    CHECK(of_rows.local.extent(0) == 4);
    CHECK(of_rows.local.extent(1) == cols);
    matrix.barrier();
  }
}

TEST_CASE("A halo on a mapped team: receives the neighbours' elements") {
  using Matrix = dash::NArray<int, 2>;
  using StencilPoint = dash::halo::StencilPoint<2>;
  using StencilSpec = dash::halo::StencilSpec<StencilPoint, 4>;
  using Bounds = dash::halo::GlobalBoundarySpec<2>;
  const StencilSpec stencil(StencilPoint(-1, 0), StencilPoint(1, 0), StencilPoint(0, -1),
                            StencilPoint(0, 1));
  for (const auto& grid : grids_of(Team::All().size())) {
    Team team = std::move(Team::All().mapped(TeamSpec<2>(grid)));
    const auto rows = static_cast<index_t>(3 * grid[0]);
    const auto cols = static_cast<index_t>(4 * grid[1]);
    Matrix matrix(dash::SizeSpec<2>(static_cast<std::size_t>(rows), static_cast<std::size_t>(cols)),
                  dash::DistributionSpec<2>(dash::BLOCKED, dash::BLOCKED), team);
    fill_by_coordinates(matrix);
    const Bounds cyclic(dash::halo::BoundaryProp::CYCLIC, dash::halo::BoundaryProp::CYCLIC);
    dash::halo::HaloMatrixWrapper<Matrix> halo(matrix, cyclic, stencil);
    halo.update();
    const auto first = matrix.pattern().global({0, 0});
    for (index_t col = 0; col < 4; ++col) {
      const int* above = halo.halo_element_at_global({first[0] - 1, first[1] + col});
      const int* below = halo.halo_element_at_global({first[0] + 3, first[1] + col});
      REQUIRE(above != nullptr);
      REQUIRE(below != nullptr);
      CHECK(*above == value_at((first[0] - 1 + rows) % rows, first[1] + col));
      CHECK(*below == value_at((first[0] + 3) % rows, first[1] + col));
    }
    for (index_t row = 0; row < 3; ++row) {
      const int* left = halo.halo_element_at_global({first[0] + row, first[1] - 1});
      REQUIRE(left != nullptr);
      CHECK(*left == value_at(first[0] + row, (first[1] - 1 + cols) % cols));
    }
    matrix.barrier();
  }
}

TEST_CASE("Team::split of a mapped team: divides its grid; sub-teams are destroyed with it") {
  if (dash::size() < 2) DASH_SKIP("needs two units");
  Team mapped = std::move(Team::All().mapped({dash::size()}));
  const std::vector<int> units = globals_of(mapped);
  Team& half = mapped.split(2);
  const auto longest = (mapped.size() + 1) / 2;
  const auto begin = half.position() * longest;
  for (const int unit : half)
    CHECK(half.global_id(dash::team_unit_t(unit)).id ==
          units[begin + static_cast<std::size_t>(unit)]);
  CHECK(half.grid().empty());
  dash::Array<int> array(7 * half.size(), half);
  dash::fill(array.begin(), array.end(), 3);
  array.barrier();
  CHECK(dash::reduce(array.begin(), array.end(), 0) == 21 * static_cast<int>(half.size()));
  array.barrier();
  // Maps a sub-team, and a sub-team of that.
  Team& again = half.mapped({1, half.size()});
  CHECK(again.parent() == half);
  CHECK(TeamSpec<2>(again).extent(1) == half.size());
  Team& part = again.locality_split(dash::util::Locality::Node, 2);
  if (again.size() > 1) CHECK(part.size() <= again.size());
}
