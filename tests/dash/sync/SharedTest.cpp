// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include "dash/Shared.h"

#include <mutex>
#include <sstream>
#include <utility>
#include <vector>

#include "dash/Array.h"
#include "dash/Atomic.h"
#include "dash/Collectives.h"
#include "dash/Deferred.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Mutex.h"
#include "dash/Pair.h"
#include "dash/SharedCounter.h"
#include "dash/algorithm/Operation.h"
#include "support/Catch.h"
#include "support/Runner.h"

namespace {

struct Point {
  double x;
  int y[5];
};

dash::team_unit_t unit(std::size_t id) {
  return dash::team_unit_t(static_cast<int>(id));
}

}  // namespace

TEST_CASE("Shared: constructed: all units see the owner's value") {
  for (std::size_t owner = 0; owner < dash::size(); ++owner) {
    dash::Shared<int> value(100 + dash::myid().id, unit(owner));
    CHECK(value.get() == 100 + static_cast<int>(owner));
    CHECK(value.owner() == owner);
    CHECK((value.local() != nullptr) == (dash::myid() == owner));
    if (value.local() != nullptr) CHECK(*value.local() == 100 + static_cast<int>(owner));
    CHECK_FALSE(value.init(5));
    value.barrier();
  }
  const dash::Shared<Point> zero;
  CHECK(static_cast<Point>(zero.get()).x == 0.0);
  CHECK(zero.team() == dash::Team::All());
}

TEST_CASE("Shared: set by one unit: visible to the others after a barrier") {
  dash::Shared<Point> value(unit(dash::size() - 1));
  for (std::size_t writer = 0; writer < dash::size(); ++writer) {
    if (dash::myid() == writer) value.set(Point{0.5 + dash::myid().id, {1, 2, 3, 4, 5}});
    value.barrier();
    const Point seen = value.get();
    CHECK(seen.x == 0.5 + static_cast<double>(writer));
    CHECK(seen.y[4] == 5);
    value.barrier();
  }
}

TEST_CASE("Shared: moved and swapped: keeps its value") {
  dash::Shared<int> a(1);
  dash::Shared<int> b(2);
  swap(a, b);
  CHECK(a.get() == 2);
  CHECK(b.get() == 1);
  dash::swap(a, b);
  std::swap(a, b);
  CHECK(a.get() == 2);
  dash::Shared<int> c(std::move(a));
  CHECK(c.get() == 2);
  CHECK(DART_GPTR_ISNULL(a.dart_gptr()));
  CHECK_THROWS_AS(a.get(), dash::exception::RuntimeError);
  a = std::move(b);
  CHECK(a.get() == 1);
  std::vector<dash::Shared<int>> several;
  for (int i = 0; i < 3; ++i)
    several.emplace_back(10 * i);
  for (int i = 0; i < 3; ++i)
    CHECK(several[static_cast<std::size_t>(i)].get() == 10 * i);
}

TEST_CASE("Shared: of a sub-team: has a value in each sub-team") {
  dash::Team part(std::move(dash::Team::All().split(2)));
  if (part.is_null()) DASH_SKIP("needs two units");
  dash::Shared<int> of_part(static_cast<int>(part.position()), unit(part.size() - 1), part);
  CHECK(of_part.get() == static_cast<int>(part.position()));
  of_part.barrier();
}

TEST_CASE("Shared: of an Atomic: modified by all units concurrently") {
  dash::Shared<dash::Atomic<int>> value(dash::Atomic<int>(5), unit(dash::size() / 2));
  CHECK(value.get().load() == 5);
  dash::barrier();
  for (int i = 0; i < 100; ++i)
    value.get().add(dash::myid().id + 1);
  value.barrier();
  const int n = static_cast<int>(dash::size());
  CHECK(value.get().load() == 5 + 100 * n * (n + 1) / 2);
  value.barrier();
  if (dash::myid() == 0) value.set(dash::Atomic<int>(7));
  value.barrier();
  CHECK(value.get().load() == 7);
  value.barrier();
}

TEST_CASE("Shared: wrong owner or team: is an error") {
  CHECK_THROWS_AS(dash::Shared<int>(1, unit(dash::size())), dash::exception::InvalidArgument);
  CHECK_THROWS_AS(dash::Shared<int>(1, dash::team_unit_t(-1)), dash::exception::InvalidArgument);
  dash::Shared<int> none(1, dash::team_unit_t(0), dash::Team::Null());
  CHECK_THROWS_AS(none.init(3), dash::exception::RuntimeError);
  CHECK_THROWS_AS(none.get(), dash::exception::RuntimeError);
}

TEST_CASE("SharedCounter: counts of all units: add up") {
  dash::SharedCounter<int> counter;
  dash::SharedCounter<double> real(dash::Team::All());
  for (int i = 0; i < 10; ++i) {
    counter.inc(dash::myid().id + 1);
    counter.dec(1);
    real.inc(0.5);
  }
  dash::barrier();
  const int n = static_cast<int>(dash::size());
  CHECK(counter.get() == 10 * n * (n - 1) / 2);
  CHECK(real.get() == 5.0 * n);
  dash::SharedCounter<int> moved(std::move(counter));
  CHECK(moved.get() == 10 * n * (n - 1) / 2);
  CHECK_THROWS_AS(counter.get(), dash::exception::RuntimeError);
}

static_assert(dash::SharedCounter<unsigned char>::has_tickets);
static_assert(!dash::SharedCounter<double>::has_tickets);
static_assert(!dash::SharedCounter<bool>::has_tickets);

TEST_CASE("SharedCounter: tickets: each is taken once, in any mixture of calls") {
  constexpr long rounds = 30;
  dash::SharedCounter<long> counter;
  std::vector<long> mine;
  dash::Future<long> ahead = counter.take_async(2);
  for (long i = 0; i < rounds; ++i) {
    const long first = ahead.get();
    mine.insert(mine.end(), {first, first + 1});
    ahead = counter.take_async(2);
    mine.push_back(counter.take());
  }
  const long unused = ahead.get();
  mine.insert(mine.end(), {unused, unused + 1});
  CHECK(counter.get() == 0);
  const long per_unit = 3 * rounds + 2;
  const auto all = static_cast<std::size_t>(per_unit) * dash::size();
  dash::Array<dash::Atomic<int>> taken(all);
  for (const long ticket : mine)
    taken[ticket].add(1);
  taken.barrier();
  for (std::size_t i = 0; i < taken.lsize(); ++i)
    CHECK(taken[static_cast<long>(taken.pattern().global(static_cast<long>(i)))].load() == 1);
  dash::barrier();
  if (dash::myid() == 0) counter.reset_tickets();
  dash::barrier();
  const long n = static_cast<long>(dash::size());
  CHECK(dash::allreduce_async(counter.take(), dash::plus<long>()).get() == n * (n - 1) / 2);
  CHECK(counter.take(0) == n);
  dash::barrier();
}

TEST_CASE("SharedCounter: tickets of a part of the units") {
  dash::Team& half = dash::Team::All().split(2);
  if (half.is_null()) DASH_SKIP("needs two units");
  dash::SharedCounter<int> counter(half);
  int last = counter.take();
  for (int i = 0; i < 3; ++i) {
    const int next = counter.take_async().get();
    CHECK(next > last);
    last = next;
  }
  half.barrier();
  CHECK(counter.take(0) == 4 * static_cast<int>(half.size()));
  dash::barrier();
}

TEST_CASE("SharedCounter: tickets of a counter that is not initialized: is an error") {
  dash::SharedCounter<int> counter(dash::Team::Null());
  CHECK_THROWS_AS(counter.take(), dash::exception::RuntimeError);
  CHECK_THROWS_AS(counter.take_async(), dash::exception::RuntimeError);
}

TEST_CASE("Mutex: critical sections of all units: do not overlap") {
  dash::Mutex mutex;
  dash::Shared<long> value(unit(dash::size() - 1));
  constexpr int rounds = 20;
  for (int i = 0; i < rounds; ++i) {
    const std::lock_guard lock(mutex);
    const long seen = value.get();
    value.set(seen + 1);
  }
  value.barrier();
  CHECK(value.get() == rounds * static_cast<long>(dash::size()));
  dash::barrier();
  int held = 0;
  while (held < 3) {
    if (!mutex.try_lock()) continue;
    ++held;
    value.get() += 1;
    mutex.unlock();
  }
  value.barrier();
  CHECK(value.get() == (rounds + 3) * static_cast<long>(dash::size()));
}

TEST_CASE("Mutex: moved within a vector: protect the same data") {
  std::vector<dash::Mutex> several;
  for (int i = 0; i < 3; ++i)
    several.emplace_back();
  dash::Array<int> values(3);
  for (std::size_t i = 0; i < several.size(); ++i) {
    const std::scoped_lock lock(several[i]);
    values[static_cast<dash::default_index_t>(i)] += 1;
  }
  values.barrier();
  for (int i = 0; i < 3; ++i)
    CHECK(values[i] == static_cast<int>(dash::size()));
  CHECK_FALSE(several[0].init());
  dash::Mutex moved(std::move(several[0]));
  moved.lock();
  CHECK_THROWS_AS(moved.lock(), dash::exception::InvalidArgument);
  moved.unlock();
  CHECK_THROWS_AS(moved.unlock(), dash::exception::InvalidArgument);
  CHECK_THROWS_AS(several[0].lock(), dash::exception::RuntimeError);
  dash::barrier();
}

TEST_CASE("Pair: compares like std::pair, and can be an element") {
  using IntPair = dash::Pair<int, double>;
  static_assert(dash::is_container_compatible<IntPair>::value);
  const std::vector<IntPair> pairs{{1, 0.5}, {1, 1.5}, {2, 0.0}};
  for (const auto& a : pairs) {
    for (const auto& b : pairs) {
      const std::pair<int, double> x(a.first, a.second);
      const std::pair<int, double> y(b.first, b.second);
      CHECK((a == b) == (x == y));
      CHECK((a != b) == (x != y));
      CHECK((a < b) == (x < y));
      CHECK((a > b) == (x > y));
      CHECK((a <= b) == (x <= y));
      CHECK((a >= b) == (x >= y));
    }
  }
  dash::Array<IntPair> values(dash::size());
  values.local[0] = dash::make_pair(dash::myid().id, 0.5);
  values.barrier();
  const auto last = static_cast<dash::default_index_t>(dash::size()) - 1;
  const IntPair seen = values[last];
  CHECK(seen == IntPair(static_cast<int>(last), 0.5));
  IntPair a(1, 2.0);
  IntPair b;
  swap(a, b);
  dash::swap(b, a);
  std::swap(a, b);
  CHECK(b == IntPair(1, 2.0));
  std::ostringstream text;
  text << b;
  CHECK(text.str() == "dash::Pair(1, 2)");
}

TEST_CASE("Deferred: accessed several times: computed once") {
  int calls = 0;
  const dash::Deferred<int> value([&calls] { return ++calls * 42; });
  CHECK(calls == 0);
  CHECK(*value == 42);
  CHECK(value.get() + value == 84);
  CHECK(calls == 1);
}
