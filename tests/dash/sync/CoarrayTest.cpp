// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include "dash/Coarray.h"

#include <algorithm>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Atomic.h"
#include "dash/Coevent.h"
#include "dash/Comutex.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "support/Catch.h"
#include "support/Runner.h"
#include "support/Units.h"

using dash::test::me;

namespace {

using dash::Coarray;

struct Particle {
  int id;
  double mass;
};

int units() {
  return static_cast<int>(dash::size());
}

}  // namespace

TEST_CASE("Coarray: of a scalar: a variable of the caller, and one of each unit") {
  Coarray<int> x;
  CHECK(x.size() == dash::size());
  CHECK(x.local_size() == 1);
  CHECK(x == 0);
  x = me() + 1;
  x += 10;
  x *= 2;
  x -= 4;
  x /= 2;
  ++x;
  --x;
  const int expected = me() + 1 + 10 - 2;
  CHECK(static_cast<int>(x) == expected);
  CHECK(x++ == expected);
  CHECK(x-- == expected + 1);
  CHECK(x + 1 == expected + 1);
  CHECK(1 - x == 1 - expected);
  CHECK(x * x == expected * expected);
  CHECK((x + x) / 2 == expected);
  x.sync_all();
  for (int unit = 0; unit < units(); ++unit) {
    CHECK(x(unit) == unit + 9);
    CHECK(x(dash::team_unit_t(unit)).get() == unit + 9);
    CHECK(x.is_local(unit) == (unit == me()));
  }
  x.barrier();
  x((me() + 1) % units()) = 1000 + me();
  x.barrier();
  CHECK(x == 1000 + (me() + units() - 1) % units());
}

TEST_CASE("Coarray: of an array: indexed locally and by unit") {
  Coarray<int[10]> x;
  static_assert(Coarray<int[10]>::ndim() == 2);
  CHECK(x.local_size() == 10);
  CHECK(x.size() == 10 * dash::size());
  for (int i = 0; i < 10; ++i)
    x[i] = 100 * me() + i;
  x.barrier();
  for (int unit = 0; unit < units(); ++unit) {
    for (int i = 0; i < 10; ++i)
      CHECK(x(unit)[i] == 100 * unit + i);
  }
  int position = 0;
  for (auto it = x.cbegin(); it != x.cend(); ++it, ++position)
    CHECK(*it == 100 * (position / 10) + position % 10);
  x.barrier();
  x((me() + 1) % units())[3] = -me();
  x.barrier();
  CHECK(x[3] == -((me() + units() - 1) % units()));
  CHECK(x.lbegin()[3] == x[3]);
}

TEST_CASE("Coarray: with an open extent: specified at construction or allocation") {
  Coarray<int[][20]> x(5);
  CHECK(x.local_size() == 100);
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 20; ++j)
      x[i][j] = 1000 * me() + 20 * i + j;
  }
  x.barrier();
  const int next = (me() + 1) % units();
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 20; ++j)
      CHECK(x(next)[i][j] == 1000 * next + 20 * i + j);
  }
  x.barrier();
  Coarray<double[]> y;
  CHECK(y.empty());
  CHECK_THROWS_AS(y.allocate(), dash::exception::InvalidArgument);
  y.allocate(3);
  CHECK(y.local_size() == 3);
  y[2] = 0.5;
  y.barrier();
  CHECK(y(next)[2] == 0.5);
  y.barrier();
  y.deallocate();
  CHECK(y.empty());
  const std::vector<std::size_t> extents{4, 20};
  Coarray<int[][20]> z(extents);
  CHECK(z.local_size() == 80);
  using Fixed = Coarray<int[3][20]>;
  CHECK_THROWS_AS(Fixed(extents), dash::exception::InvalidArgument);
  CHECK_THROWS_AS(Fixed(std::vector<std::size_t>{3, 20, 1}), dash::exception::InvalidArgument);
}

TEST_CASE("Coarray: with a value, of structs, moved, swapped") {
  Coarray<double> x(0.5 + me());
  for (int unit = 0; unit < units(); ++unit)
    CHECK(x(unit) == 0.5 + unit);
  x.barrier();
  Coarray<double> y(std::move(x));
  CHECK(y == 0.5 + me());
  Coarray<double> z(-1.0);
  swap(y, z);
  CHECK(z == 0.5 + me());
  CHECK(y == -1.0);
  y = std::move(z);
  CHECK(y == 0.5 + me());
  Coarray<Particle> p;
  p = Particle{me(), 2.0};
  p.member(&Particle::mass) = 3.0;
  p.barrier();
  const Particle seen = p((me() + 1) % units());
  CHECK(seen.id == (me() + 1) % units());
  CHECK(seen.mass == 3.0);
  p.barrier();
}

TEST_CASE("Coarray: of a sub-team: has that team's units") {
  dash::Team part(std::move(dash::Team::All().split(2)));
  if (part.is_null()) DASH_SKIP("needs two units");
  Coarray<int[3]> x(part);
  CHECK(x.size() == 3 * part.size());
  CHECK(x.team() == part);
  for (int i = 0; i < 3; ++i)
    x[i] = 10 * me() + i;
  x.barrier();
  for (const int unit : part) {
    const auto global = part.global_id(dash::team_unit_t(unit));
    CHECK(x(unit)[2] == 10 * global.id + 2);
  }
  x.barrier();  // other units still read elements that the broadcast changes
  dash::coarray::cobroadcast(x, dash::team_unit_t(0));
  CHECK(x[1] == 10 * part.global_id(dash::team_unit_t(0)).id + 1);
  x.barrier();
}

TEST_CASE("Coarray: constructed without memory: allocate() uses the constructor's arguments") {
  Coarray<int[]> x(4, dash::Team::Null());
  CHECK(x.empty());
  x.allocate();
  CHECK(x.local_size() == 4);
  CHECK(x.team().is_all());
}

TEST_CASE("Coarray: constructed with a sub-team: allocate() uses that team by default") {
  dash::Team part(std::move(dash::Team::All().split(2)));
  if (part.is_null()) DASH_SKIP("needs two units");
  Coarray<int[]> y(part);
  CHECK(y.team() == part);
  y.allocate(3);
  CHECK(y.team() == part);
  CHECK(y.size() == 3 * part.size());
  y.allocate(2, dash::Team::All());
  CHECK(y.team().is_all());
  y.allocate();
  CHECK(y.team() == part);
  CHECK(y.local_size() == 2);
}

TEST_CASE("Coarray: of Atomics: modified by all units concurrently") {
  Coarray<dash::Atomic<int>> x;
  static_assert(std::is_same_v<Coarray<dash::Atomic<int>>::value_base_type, int>);
  x = 10;
  x += 5;
  CHECK(static_cast<int>(x) == 15);
  x.barrier();
  for (int unit = 0; unit < units(); ++unit) {
    for (int i = 0; i < 50; ++i)
      x(unit).add(me() + 1);
  }
  x.barrier();
  const int expected = 15 + 50 * units() * (units() + 1) / 2;
  CHECK(static_cast<int>(x) == expected);
  CHECK(x((me() + 1) % units()).load() == expected);
  x.barrier();  // other units may still read elements for the reduction
  dash::coarray::coreduce(x, dash::plus<int>());
  CHECK(static_cast<int>(x) == expected * units());
  x.barrier();
  Coarray<dash::Atomic<int>[5]> y;
  for (int i = 0; i < 5; ++i)
    y((me() + 1) % units())[i].add(i);
  y.barrier();
  CHECK(y(me())[4].load() == 4);
  y.barrier();
}

TEST_CASE("coarray: sync_images of any units: waits for these units only") {
  CHECK(dash::coarray::this_image() == dash::myid());
  CHECK(dash::coarray::num_images() == dash::size());
  Coarray<int> x;
  for (int round = 1; round <= 5; ++round) {
    for (int absent = 0; absent < units(); ++absent) {
      std::vector<int> images;
      for (int unit = units() - 1; unit >= 0; --unit) {
        if (unit != absent) images.push_back(unit);
      }
      if (me() != absent) x = 100 * round + absent;
      x.sync_images(images);
      if (me() != absent) {
        for (const int unit : images)
          CHECK(x(unit) == 100 * round + absent);
      }
      x.sync_images(images);
    }
  }
  dash::coarray::sync_images(std::vector<dash::global_unit_t>{dash::myid()});
  CHECK_THROWS_AS(dash::coarray::sync_images(std::vector<int>{units()}),
                  dash::exception::InvalidArgument);
  dash::coarray::sync_all();
}

TEST_CASE("coarray: cobroadcast and coreduce: as on plain values") {
  Coarray<int[4]> x;
  const int n = units();
  const auto fill = [&] {
    for (int i = 0; i < 4; ++i)
      x[i] = 10 * (me() + 1) + i;
    x.barrier();
  };
  for (int master = 0; master < n; ++master) {
    fill();
    dash::coarray::cobroadcast(x, dash::team_unit_t(master));
    CHECK(x[3] == 10 * (master + 1) + 3);
    fill();
    dash::coarray::coreduce(x, dash::plus<int>(), dash::team_unit_t(master));
    CHECK(x[1] == (me() == master ? 10 * n * (n + 1) / 2 + n : 10 * (me() + 1) + 1));
    fill();
    // A function that the runtime does not support: called in the order of the units.
    dash::coarray::coreduce(
        x, [](int a, int b) { return 2 * a + b; }, dash::team_unit_t(master));
    int expected = 10 + 2;
    for (int unit = 1; unit < n; ++unit)
      expected = 2 * expected + 10 * (unit + 1) + 2;
    CHECK(x[2] == (me() == master ? expected : 10 * (me() + 1) + 2));
  }
  fill();
  dash::coarray::coreduce(x, dash::max<int>());
  CHECK(x[0] == 10 * n);
  CHECK_THROWS_AS(dash::coarray::coreduce(x, dash::plus<int>(), dash::team_unit_t(n)),
                  dash::exception::InvalidArgument);
  CHECK_THROWS_AS(dash::coarray::cobroadcast(x, dash::team_unit_t(-5)),
                  dash::exception::InvalidArgument);
}

TEST_CASE("Coevent: posted: wakes its unit, which sees data put before") {
  dash::Coevent event;
  dash::Coevent taken;
  Coarray<int> x;
  const int next = (me() + 1) % units();
  const int before = (me() + units() - 1) % units();
  for (int round = 1; round <= 10; ++round) {
    x(next) = 100 * round + me();
    event(next).post();
    event.wait();
    CHECK(x == 100 * round + before);
    taken(before).post();
    taken.wait();
  }
  CHECK(event.test() == 0);
  dash::barrier();
  for (const auto& other : event)
    other.post();
  event.wait(units());
  CHECK(event.test() == 0);
  CHECK(event.size() == dash::size());
  CHECK(event.end() - event.begin() == units());
  dash::barrier();
  event(next).post();
  event(next).post();
  dash::barrier();
  CHECK(event.test() == 2);
  CHECK(event.begin()[next].test() == 2);
  dash::barrier();
  event.wait(2);
  CHECK_FALSE(event.initialize());
  CHECK_THROWS_AS(event.wait(-1), dash::exception::InvalidArgument);
  CHECK_THROWS_AS(event(units()), dash::exception::InvalidArgument);
}

TEST_CASE("Comutex: locked for each unit: protects the data of that unit") {
  dash::Comutex mutexes;
  CHECK(mutexes.size() == dash::size());
  Coarray<long> x;
  constexpr int rounds = 5;
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < units(); ++i) {
      const int unit = (me() + i) % units();
      const std::lock_guard lock(mutexes(unit));
      x(unit) += unit + 1;
    }
  }
  x.barrier();
  CHECK(x == static_cast<long>(rounds) * units() * (me() + 1));
  CHECK_THROWS_AS(mutexes(units()), dash::exception::InvalidArgument);
  CHECK_FALSE(mutexes.initialize());
}

TEST_CASE("Comutex: of a sub-team: has one mutex for each of its units") {
  dash::Team part(std::move(dash::Team::All().split(2)));
  if (part.is_null()) DASH_SKIP("needs two units");
  dash::Comutex of_part(part);
  CHECK_FALSE(of_part.initialize());
  CHECK(of_part.team() == part);
  CHECK(of_part.size() == part.size());
}
