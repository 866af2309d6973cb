// dash-test: parallel units=1,2,3,4 full-units=7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include "dash/DistObject.h"

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "dash/Array.h"
#include "dash/GlobalFunction.h"
#include "dash/Init.h"
#include "support/Catch.h"
#include "support/Runner.h"

namespace {

int unit() {
  return dash::myid().id;
}
int num_units() {
  return static_cast<int>(dash::size());
}

double half(double x) {
  return x / 2;
}

}  // namespace

TEST_CASE("DistObject: fetch: a copy of the object of each unit") {
  const dash::DistObject<std::string> name("unit " + std::to_string(unit()));
  CHECK(*name == "unit " + std::to_string(unit()));
  for (int other = 0; other < num_units(); ++other)
    CHECK(name.fetch(other).get() == "unit " + std::to_string(other));
  dash::barrier();
}

TEST_CASE("DistObject: as an argument: the object of the target") {
  using Counts = std::map<std::string, int>;
  dash::DistObject<Counts> counts;
  for (int other = 0; other < num_units(); ++other) {
    for (int i = 0; i < 3; ++i) {
      // Tasks of a unit may run at the same time on its workers.
      dash::am_ff(
          other, [](dash::DistObject<Counts>& own, std::string word) { ++(*own)[word]; }, counts,
          "word " + std::to_string(i));
    }
  }
  dash::quiesce();
  CHECK(counts->size() == 3);
  CHECK((*counts)["word 1"] == num_units());
  dash::barrier();
}

TEST_CASE("DistObject: calls that arrive before its construction: wait for it") {
  dash::barrier();
  // The units construct it at different times.
  std::this_thread::sleep_for(std::chrono::milliseconds(3 * (unit() % 3)));
  std::optional<dash::DistObject<int>> object;
  object.emplace(10 * unit());
  const int next = (unit() + 1) % num_units();
  CHECK(object->fetch(next).get() == 10 * next);
  CHECK(dash::rpc(
            next, [](const dash::DistObject<int>& own, int n) { return *own + n; }, *object, 3)
            .get() == 10 * next + 3);
  dash::barrier();
}

TEST_CASE("DistObject: after its destruction: calls fail") {
  std::optional<dash::DistObject<int>> object;
  object.emplace(1);
  dash::barrier();
  const dash::DistObject<int>& first = *object;
  if (unit() == 0) {
    auto before = first.fetch(num_units() - 1);
    CHECK(before.get() == 1);
  }
  dash::barrier();
  if (unit() == num_units() - 1 && num_units() > 1) object.reset();
  dash::barrier();
  if (unit() == 0 && num_units() > 1)
    CHECK_THROWS_AS(first.fetch(num_units() - 1).get(), dash::exception::RuntimeError);
  dash::barrier();
}

TEST_CASE("DistObject: of a team: units are relative to it") {
  dash::Team& half_team = dash::Team::All().split(2);
  if (!half_team.is_null()) {
    const dash::DistObject<int> id(unit(), half_team);
    const dash::DistObject<double> other(0.5 + unit(), half_team);
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
  if (unit() == 0) {
    object.emplace(unit());
    value = dash::am(
        num_units() - 1, [](dash::DistObject<int>& own) { return *own + 1; }, *object);
  }
  dash::barrier();
  if (unit() != 0) object.emplace(unit());
  if (unit() == 0) CHECK(value.get() == num_units());
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
  const int next = (unit() + 1) % num_units();
  CHECK(dash::rpc(
            next, [](Function first, Function second) { return first(second(2.0)); }, f, g)
            .get() == 3);
  dash::Array<Function> functions(static_cast<std::size_t>(num_units()));
  functions.local[0] = unit() % 2 == 0 ? f : g;
  dash::barrier();
  const Function of_next = functions[next];
  CHECK(of_next(8) == (next % 2 == 0 ? 4 : 24));
  dash::barrier();
}
