// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,poll

#include <array>
#include <cstddef>
#include <list>
#include <numeric>
#include <string>
#include <vector>

#include "dash/Atomic.h"
#include "dash/Coarray.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Pair.h"
#include "dash/Shared.h"
#include "dash/Team.h"
#include "dash/algorithm/Bcast.h"
#include "support/Catch.h"
#include "support/Runner.h"

namespace {

/// A type that is not default constructible.
struct Point {
  explicit Point(int at) : x(at), y(2 * at) {}
  int x;
  int y;
  friend bool operator==(const Point&, const Point&) = default;
};

int me() {
  return static_cast<int>(dash::myid());
}

/// Calls f(root) for each unit.
template <class F>
void for_each_root(F f, const dash::Team& team = dash::Team::All()) {
  for (int root = 0; root < static_cast<int>(team.size()); ++root)
    f(dash::team_unit_t(root));
}

template <class Container>
Container numbered(std::size_t size, int first) {
  Container result(size);
  std::iota(result.begin(), result.end(), first);
  return result;
}

}  // namespace

TEST_CASE("broadcast of native ranges of any kind copies the root's elements to all units") {
  for_each_root([](dash::team_unit_t root) {
    for (const std::size_t size : {0, 1, 10, 100000}) {
      auto values = numbered<std::vector<int>>(size, 1000 * me());
      dash::broadcast(values.begin(), values.end(), root);
      CHECK(values == numbered<std::vector<int>>(size, 1000 * root.id));
    }
    auto nodes = numbered<std::list<long>>(300, me());
    dash::broadcast(nodes.begin(), nodes.end(), root);
    CHECK(nodes == numbered<std::list<long>>(300, root.id));

    std::vector<bool> bits(77, me() % 2 == 0);
    dash::broadcast(bits.begin(), bits.end(), root);
    CHECK(bits == std::vector<bool>(77, root.id % 2 == 0));

    std::vector<Point> points(5, Point(me()));
    dash::broadcast(points.rbegin(), points.rend(), root);
    CHECK(points == std::vector<Point>(5, Point(root.id)));

    double plain[3] = {1.0 * me(), 2.0 * me(), 3.0};
    dash::broadcast(plain, plain + 2, root);
    CHECK(plain[1] == 2.0 * root.id);
    CHECK(plain[2] == 3.0);
  });
}

TEST_CASE("broadcast_async: several broadcasts in flight complete by their futures") {
  for_each_root([](dash::team_unit_t root) {
    auto values = numbered<std::vector<int>>(50000, me());
    auto nodes = numbered<std::list<int>>(100, 10 * me());
    auto first = dash::broadcast_async(values.begin(), values.end(), root);
    auto second = dash::broadcast_async(nodes.begin(), nodes.end(), root);
    second.get();
    first.get();
    CHECK(values == numbered<std::vector<int>>(50000, root.id));
    CHECK(nodes == numbered<std::list<int>>(100, 10 * root.id));
  });
}

TEST_CASE("broadcast of a shared object returns its owner's value") {
  for_each_root([](dash::team_unit_t owner) {
    dash::Shared<Point> shared(Point(me()), owner);
    CHECK(dash::broadcast(shared) == Point(owner.id));
    if (dash::Team::All().myid() == owner) shared.set(Point(50));
    CHECK(dash::broadcast(shared) == Point(50));
    CHECK(dash::broadcast_async(shared).get() == Point(50));

    dash::Shared<dash::Atomic<int>> counter(owner);
    counter.barrier();
    counter.get().add(1);
    counter.barrier();
    CHECK(dash::broadcast(counter) == static_cast<int>(dash::size()));
    counter.barrier();
  });
}

TEST_CASE("broadcast of a coarray copies the elements of the root") {
  for_each_root([](dash::team_unit_t root) {
    dash::Coarray<int[20]> coarray;
    std::iota(coarray.lbegin(), coarray.lend(), 100 * me());
    dash::broadcast(coarray, root);
    CHECK(coarray[7] == 100 * root.id + 7);
    std::iota(coarray.lbegin(), coarray.lend(), -100 * me());
    dash::broadcast_async(coarray, root).get();
    CHECK(coarray[7] == -100 * root.id + 7);
    dash::Coarray<long> scalar(me() + 1L);
    dash::broadcast(scalar, root);
    CHECK(*scalar.lbegin() == root.id + 1);
    dash::barrier();
  });
}

TEST_CASE("broadcast in a sub-team uses the unit ids of the sub-team") {
  dash::Team& team = dash::Team::All().split(2);
  for_each_root(
      [&](dash::team_unit_t root) {
        std::array<int, 4> values{};
        values.fill(me());
        dash::broadcast(values.begin(), values.end(), root, team);
        CHECK(values[3] == team.global_id(root).id);
        dash::Shared<int> shared(me(), root, team);
        CHECK(dash::broadcast(shared) == team.global_id(root).id);
      },
      team);
  dash::barrier();
}

TEST_CASE("broadcast from a unit that is not in the team throws") {
  std::vector<int> values(3);
  const dash::team_unit_t missing_unit(static_cast<int>(dash::size()));
  CHECK_THROWS_AS(dash::broadcast(values.begin(), values.end(), missing_unit),
                  dash::exception::InvalidArgument);
  std::list<int> nodes(3);
  CHECK_THROWS_AS(dash::broadcast(nodes.begin(), nodes.end(), missing_unit),
                  dash::exception::InvalidArgument);
  CHECK_THROWS_AS(dash::broadcast_async(values.begin(), values.end(), missing_unit),
                  dash::exception::InvalidArgument);
  dash::barrier();
}

#ifdef DASH_ENABLE_ASSERTIONS
TEST_CASE("broadcast of ranges of different lengths throws on all units") {
  if (dash::size() < 2) DASH_SKIP("needs two units");
  const auto last = static_cast<int>(dash::size()) - 1;
  std::vector<int> values(me() == last ? 4 : 3);
  std::list<int> nodes(me() == 0 ? 7 : 5);
  CHECK_THROWS_WITH(
      dash::broadcast(values.begin(), values.end(), dash::team_unit_t(0)),
      Catch::Matchers::ContainsSubstring("dash::broadcast: unit " + std::to_string(last) +
                                         " passes 4 elements, and unit 0 passes 3"));
  CHECK_THROWS_AS(dash::broadcast(nodes.begin(), nodes.end(), dash::team_unit_t(last)),
                  dash::exception::InvalidArgument);
  dash::barrier();
}
#endif
