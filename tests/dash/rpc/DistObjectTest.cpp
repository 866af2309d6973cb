// dash-test: parallel units=1,2,3,4 full-units=7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include "dash/DistObject.h"

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dash/Array.h"
#include "dash/GlobalFunction.h"
#include "dash/Init.h"
#include "support/Catch.h"
#include "support/Runner.h"
#include "support/Units.h"

namespace {

using dash::test::me;
using dash::test::nunits;

double half(double x) {
  return x / 2;
}

}  // namespace

TEST_CASE("DistObject: fetch: a copy of the object of each unit") {
  const dash::DistObject<std::string> name("unit " + std::to_string(me()));
  CHECK(*name == "unit " + std::to_string(me()));
  for (int other = 0; other < nunits(); ++other)
    CHECK(name.fetch(other).get() == "unit " + std::to_string(other));
  dash::barrier();
}

TEST_CASE("DistObject: as an argument: the object of the target") {
  using Counts = std::map<std::string, int>;
  dash::DistObject<Counts> counts;
  for (int other = 0; other < nunits(); ++other) {
    for (int i = 0; i < 3; ++i) {
      // Tasks of a unit may run at the same time on its workers.
      dash::am_ff(
          other, [](dash::DistObject<Counts>& own, std::string word) { ++(*own)[word]; }, counts,
          "word " + std::to_string(i));
    }
  }
  dash::quiesce();
  CHECK(counts->size() == 3);
  CHECK((*counts)["word 1"] == nunits());
  dash::barrier();
}

TEST_CASE("DistObject: calls that arrive before its construction: wait for it") {
  // Unit 0 constructs it, and calls the others, before they do.
  std::optional<dash::DistObject<int>> object;
  std::vector<dash::Future<int>> values;
  if (me() == 0) {
    object.emplace(0);
    for (int to = 0; to < nunits(); ++to) {
      values.push_back(object->fetch(to));
      values.push_back(dash::rpc(
          to, [](const dash::DistObject<int>& own, std::span<const int> n) { return *own + n[0]; },
          *object, std::span<const int>(std::array{3})));
    }
  }
  dash::barrier();
  if (me() != 0) object.emplace(10 * me());
  for (int i = 0; i < static_cast<int>(values.size()); ++i)
    CHECK(values[static_cast<std::size_t>(i)].get() == 10 * (i / 2) + (i % 2) * 3);
  dash::quiesce();
}

TEST_CASE("DistObject: of a type that cannot be moved: constructed in place") {
  struct Fixed {
    Fixed(int a, int b) : sum(a + b) {}
    Fixed(const Fixed&) = delete;
    Fixed& operator=(const Fixed&) = delete;
    int sum;
  };
  dash::DistObject<Fixed> object(std::in_place, dash::Team::All(), me(), 5);
  const int next = (me() + 1) % nunits();
  CHECK(dash::am(
            next, [](dash::DistObject<Fixed>& own) { return own->sum; }, object)
            .get() == next + 5);
  dash::quiesce();
}

TEST_CASE("DistObject: after its destruction: calls fail") {
  if (nunits() == 1) DASH_SKIP("needs another unit");
  std::optional<dash::DistObject<int>> object;
  object.emplace(1);
  dash::barrier();
  const dash::DistObject<int>& first = *object;
  if (me() == 0) {
    auto before = first.fetch(nunits() - 1);
    CHECK(before.get() == 1);
  }
  dash::barrier();
  if (me() == nunits() - 1) object.reset();
  dash::barrier();
  if (me() == 0) CHECK_THROWS_AS(first.fetch(nunits() - 1).get(), dash::exception::RuntimeError);
  dash::barrier();
}

TEST_CASE("DistObject: of a team: units are relative to it") {
  dash::Team& half_team = dash::Team::All().split(2);
  if (!half_team.is_null()) {
    const dash::DistObject<int> id(me(), half_team);
    const dash::DistObject<double> other(0.5 + me(), half_team);
    for (int i = 0; i < static_cast<int>(half_team.size()); ++i) {
      const int global = half_team.global_id(dash::team_unit_t(i)).id;
      CHECK(id.fetch(i).get() == global);
      CHECK(other.fetch(dash::global_unit_t(global)).get() == global + 0.5);
    }
    dash::quiesce(half_team);
  }
  dash::barrier();
  CHECK_THROWS_AS(dash::DistObject<int>(1, dash::Team::Null()), dash::exception::InvalidArgument);
}

TEST_CASE("DistObject: calls of am that arrive before its construction: wait for it") {
  dash::barrier();
  // Unit 0 constructs it, and calls the last unit, before that unit does.
  std::optional<dash::DistObject<int>> object;
  dash::Future<int> value;
  if (me() == 0) {
    object.emplace(me());
    value = dash::am(
        nunits() - 1, [](dash::DistObject<int>& own) { return *own + 1; }, *object);
  }
  dash::barrier();
  if (me() != 0) object.emplace(me());
  if (me() == 0) CHECK(value.get() == nunits());
  dash::quiesce();
}

TEST_CASE("GlobalFunction: as a value, an argument and an element: the same function everywhere") {
  using Function = dash::GlobalFunction<double(double)>;
  const Function f = half;
  const Function g = [](double x) { return 3 * x; };
  CHECK(f(5) == 2.5);
  CHECK(g(5) == 15);
  CHECK(f == Function(half));
  CHECK(f != g);
  CHECK_FALSE(Function());
  CHECK_THROWS_AS(Function()(1.0), dash::exception::RuntimeError);
  const int next = (me() + 1) % nunits();
  CHECK(dash::rpc(
            next, [](Function first, Function second) { return first(second(2.0)); }, f, g)
            .get() == 3);
  dash::Array<Function> functions(static_cast<std::size_t>(nunits()));
  functions.local[0] = me() % 2 == 0 ? f : g;
  dash::barrier();
  const Function of_next = functions[next];
  CHECK(of_next(8) == (next % 2 == 0 ? 4 : 24));
  dash::barrier();
}
