// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include "dash/List.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <list>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "dash/Collectives.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "support/Catch.h"
#include "support/Runner.h"
#include "support/Units.h"

using dash::test::me;
using dash::test::nunits;
using dash::test::sum;

namespace {

using List = dash::List<int>;

std::vector<int> values_of(const List& list) {
  std::vector<int> values;
  for (auto it = list.begin(); it != list.end(); ++it)
    values.push_back(*it);
  return values;
}

struct Large {
  std::array<int, 1500> values;
};

// Constructed before init, destroyed after finalize.
List early;

}  // namespace

TEST_CASE("a list constructed before init: empty, can be allocated later, valid until finalize") {
  CHECK(early.size() == 0);
  CHECK(early.begin() == early.end());
  CHECK_THROWS_AS(early.push_back(1), dash::exception::RuntimeError);
  early.allocate(10);
  early.local.push_back(me());
  early.barrier();
  CHECK(early.size() == dash::size());
  early.barrier();
}

TEST_CASE("local lists: their concatenation in the order of units is the list") {
  List list(100);
  CHECK(list.empty());
  const std::size_t each = (100 + dash::size() - 1) / dash::size();
  CHECK(list.lcapacity() == each);
  CHECK(list.capacity() == each * dash::size());
  {
    List full(3 * dash::size());
    for (int i = 0; i < 3; ++i) {
      full.local.push_back(i);
      CHECK(full.lcapacity() == 3);
    }
    full.local.push_back(3);
    CHECK(full.lcapacity() >= 4);
    full.barrier();
    CHECK(full.capacity() >= 4 * dash::size());
  }
  CHECK(list.max_size() > 1'000'000);
  CHECK(list.team() == dash::Team::All());
  list.barrier();
  const int mine = me() + 2;  // units have different numbers of elements
  for (int i = 0; i < mine; ++i)
    list.local.push_back(100 * me() + i);
  list.barrier();
  CHECK(list.lsize() == static_cast<std::size_t>(mine));
  CHECK(list.local.size() == list.lsize());
  std::vector<int> expected;
  for (int unit = 0; unit < nunits(); ++unit) {
    for (int i = 0; i < unit + 2; ++i)
      expected.push_back(100 * unit + i);
  }
  CHECK(list.size() == expected.size());
  CHECK(values_of(list) == expected);
  std::vector<int> backward;
  for (auto it = list.end(); it != list.begin();)
    backward.push_back(*--it);
  CHECK(std::equal(backward.rbegin(), backward.rend(), expected.begin(), expected.end()));
  CHECK(list.front() == 0);
  CHECK(list.back() == expected.back());
  CHECK(list.end() - list.begin() == static_cast<long>(expected.size()));
  CHECK(dash::distance(list.begin(), list.end()) == static_cast<long>(expected.size()));
  int position = 0;
  for (auto it = list.begin(); it != list.end(); ++it, ++position) {
    CHECK(it.pos() == position);
    const auto location = it.lpos();
    CHECK(100 * location.unit.id + location.index == expected[static_cast<std::size_t>(position)]);
    CHECK(it.is_local() == (location.unit == dash::Team::All().myid()));
    CHECK((it.local() != nullptr) == it.is_local());
  }
  CHECK(*(list.begin() + 1) == expected[1]);
  const auto own = std::find(expected.begin(), expected.end(), 100 * me());
  CHECK(std::equal(list.lbegin(), list.lend(), own, own + mine));
  list.barrier();
  list.local.front() += 1;
  list.local.back() = -1;
  list.barrier();
  CHECK(*list.begin() == 1);
  CHECK(list.back() == -1);
  list.barrier();
  List other(std::move(list));
  other.local.pop_front();
  other.local.pop_back();
  other.barrier();
  CHECK(other.size() == expected.size() - 2 * dash::size());
  other.barrier();
  other.local.clear();
  other.barrier();
  CHECK(other.empty());
  other.local.pop_back();
  CHECK(other.lsize() == 0);
}

TEST_CASE("one unit modifies the list anywhere: like std::list, visible to all units") {
  std::mt19937 random(dash::test::seed());
  List list;
  std::list<int> model;
  // The units take turns; all units track the modifications in a std::list.
  for (int step = 0; step < 300; ++step) {
    const int who = static_cast<int>(random() % static_cast<unsigned>(nunits()));
    const bool mine = who == me();
    const unsigned what = random() % 8;
    const auto n = model.empty() ? 0 : static_cast<long>(random() % model.size());
    switch (what) {
      case 0:
      case 1:
        model.push_back(step);
        if (mine) list.push_back(step);
        break;
      case 2:
        model.push_front(step);
        if (mine) list.push_front(step);
        break;
      case 3:
        if (model.empty()) break;
        model.pop_back();
        if (mine) list.pop_back();
        break;
      case 4:
        if (model.empty()) break;
        model.pop_front();
        if (mine) list.pop_front();
        break;
      case 5:
      case 6:
        model.insert(std::next(model.begin(), n), step);
        if (mine) CHECK(*list.insert(list.begin() + n, step) == step);
        break;
      default:
        if (model.empty()) break;
        model.erase(std::next(model.begin(), n));
        if (mine) {
          auto it = list.begin() + n;
          const auto behind = std::next(it);
          CHECK(list.erase(it) == behind);
        }
    }
    list.barrier();
    if (step % 20 == 0) {
      REQUIRE(values_of(list) == std::vector<int>(model.begin(), model.end()));
      CHECK(list.size() == model.size());
      list.barrier();
    }
  }
  CHECK(values_of(list) == std::vector<int>(model.begin(), model.end()));
  list.barrier();
  const auto last = static_cast<int>(dash::size()) - 1;
  list.resize(model.size() + 5, 7);
  model.resize(model.size() + 5, 7);
  CHECK(values_of(list) == std::vector<int>(model.begin(), model.end()));
  list.barrier();
  list.resize(3);
  model.resize(3);
  CHECK(values_of(list) == std::vector<int>(model.begin(), model.end()));
  list.barrier();
  if (me() == last) {
    const std::vector<int> more{1, 2, 3};
    auto it = list.insert(std::next(list.begin()), more.begin(), more.end());
    CHECK(*it == 1);
    CHECK(list.erase(it, list.end()) == list.end());
  }
  list.barrier();
  CHECK(list.size() == 1);
  list.clear();
  CHECK(list.begin() == list.end());
}

TEST_CASE("units that request different initial sizes: the largest applies") {
  List list(0, me() == 0 ? 0 : 1000 * static_cast<std::size_t>(me()));
  CHECK(list.lcapacity() >= 1000 * (dash::size() - 1));
  constexpr int each = 200;
  for (int i = 0; i < each; ++i)
    list.push_back(i);
  list.barrier();
  std::vector<int> values = values_of(list);
  std::sort(values.begin(), values.end());
  REQUIRE(values.size() == each * dash::size());
  for (std::size_t i = 0; i < values.size(); ++i)
    REQUIRE(values[i] == static_cast<int>(i) / nunits());
  list.barrier();
  CHECK_THROWS_AS(List(~std::size_t{0} / 2), dash::exception::InvalidArgument);
}

TEST_CASE("all units push at both ends concurrently: no element is lost or duplicated") {
  List list;
  std::mt19937 random(dash::test::seed() + static_cast<unsigned>(me()));
  constexpr int each = 300;
  for (int i = 0; i < each; ++i) {
    const int value = i * nunits() + me();
    if (i % 3 == 0) {
      list.push_front(value);
    } else if (i % 3 == 1) {
      list.push_back(value);
    } else {
      list.local.push_back(value);
    }
    if (random() % 100 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random() % 200));
  }
  list.barrier();
  CHECK(list.size() == each * dash::size());
  std::vector<int> values = values_of(list);
  // The elements that one unit pushed at an end are in the order of the pushes.
  std::vector<int> last(dash::size(), each * nunits());
  for (const int value : values) {
    if (value / nunits() % 3 != 0) continue;
    int& before = last[static_cast<std::size_t>(value % nunits())];
    CHECK(value < before);
    before = value;
  }
  std::sort(values.begin(), values.end());
  for (std::size_t i = 0; i < values.size(); ++i)
    REQUIRE(values[i] == static_cast<int>(i));
  list.barrier();
  for (int i = 0; i < each; ++i) {
    if (i % 2 == 0) {
      list.pop_front();
    } else {
      list.pop_back();
    }
  }
  list.barrier();
  CHECK(list.empty());
  CHECK(list.begin() == list.end());
}

TEST_CASE("iteration during insertions and erasures: visits each permanent element once") {
  List list;
  constexpr int steady = 40;
  for (int i = 0; i < steady; ++i)
    list.local.push_back(1'000'000 + me() * steady + i);
  list.barrier();
  std::mt19937 random(dash::test::seed() + static_cast<unsigned>(me()));
  const bool reads = nunits() > 1 && me() % 2 == 1;
  for (int round = 0; round < 30; ++round) {
    if (reads) {
      std::vector<int> met;
      for (const int value : values_of(list)) {
        if (value >= 1'000'000) met.push_back(value - 1'000'000);
      }
      REQUIRE(met.size() == static_cast<std::size_t>(steady * nunits()));
      for (std::size_t i = 0; i < met.size(); ++i)
        REQUIRE(met[i] == static_cast<int>(i));
      continue;
    }
    // Inserts at any unit and erases again; other units may be iterating there.
    auto it = list.begin();
    for (auto n = random() % static_cast<unsigned>(steady * nunits()); n != 0 && it != list.end();
         --n)
      ++it;
    std::vector<List::iterator> inserted;
    for (int i = 0; i < 5; ++i) {
      inserted.push_back(list.insert(it, i));
      if (i % 2 == 0) it = inserted.back();
    }
    for (const auto& each : inserted)
      list.erase(each);
  }
  list.barrier();
  CHECK(list.size() == static_cast<std::size_t>(steady * nunits()));
  CHECK(values_of(list).size() == list.size());
  list.barrier();
}

TEST_CASE(
    "several units erase the same element: one succeeds; iterators at it can still be "
    "incremented") {
  List list;
  for (int i = 0; i < 50; ++i) {
    if (i % nunits() == me()) list.local.push_back(i);
  }
  list.barrier();
  const auto before = static_cast<long>(list.size());
  auto stale = list.begin();
  dash::barrier();
  for (auto it = list.begin(); it != list.end();)
    it = list.erase(it);
  while (stale != list.end())
    ++stale;
  list.barrier();
  CHECK(before == 50);
  CHECK(list.size() == 0);
  dash::barrier();
  // Memory is reused after each barrier.
  for (int round = 0; round < 50; ++round) {
    for (int i = 0; i < 40; ++i)
      list.local.push_back(i);
    list.local.clear();
    list.barrier();
  }
  CHECK(list.lcapacity() < 1000);
  CHECK(sum(static_cast<long>(list.lsize())) == 0);
}

TEST_CASE("elements larger than a message") {
  dash::List<Large> list;
  Large value;
  value.values.fill(me());
  list.push_back(value);
  list.push_front(value);
  list.barrier();
  std::vector<int> counts(dash::size(), 0);
  for (auto it = list.begin(); it != list.end(); ++it) {
    const Large seen = *it;
    CHECK(seen.values.front() == seen.values.back());
    ++counts[static_cast<std::size_t>(seen.values.front())];
  }
  CHECK(std::all_of(counts.begin(), counts.end(), [](int n) { return n == 2; }));
  list.barrier();
}
