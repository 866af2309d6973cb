// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal

#include "dash/memory/GlobHeapMem.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "dash/Exception.h"
#include "dash/Init.h"
#include "support/Catch.h"
#include "support/Runner.h"
#include "support/Units.h"

using dash::test::me;
using dash::test::nunits;

namespace {

using Heap = dash::GlobHeapMem<int>;

std::vector<int> values_of(const Heap& heap) {
  std::vector<int> values;
  for (auto it = heap.begin(); it != heap.end(); ++it)
    values.push_back(*it);
  return values;
}

}  // namespace

TEST_CASE("heap elements: zero, and numbered in the order of units") {
  Heap heap(static_cast<std::size_t>(me()) + 1);
  const std::size_t all = dash::size() * (dash::size() + 1) / 2;
  CHECK(heap.size() == all);
  CHECK(heap.local_size() == static_cast<std::size_t>(me()) + 1);
  CHECK(values_of(heap) == std::vector<int>(all, 0));
  heap.barrier();
  std::iota(heap.lbegin(), heap.lend(), 100 * me());
  heap.barrier();
  int position = 0;
  for (int unit = 0; unit < nunits(); ++unit) {
    CHECK(heap.local_size(dash::team_unit_t(unit)) == static_cast<std::size_t>(unit) + 1);
    for (int i = 0; i <= unit; ++i, ++position) {
      int value = -1;
      heap.get_value(&value, position);
      CHECK(value == 100 * unit + i);
      const auto at = heap.at(dash::team_unit_t(unit), i);
      CHECK(*at == value);
      CHECK(at.pos() == position);
      CHECK(at.lpos().unit == dash::team_unit_t(unit));
      CHECK(at.lpos().index == i);
      CHECK(at.is_local() == (unit == me()));
      CHECK((at.local() != nullptr) == at.is_local());
      CHECK(heap.begin()[position] == value);
    }
  }
  CHECK(dash::distance(heap.begin(), heap.end()) == static_cast<long>(all));
  CHECK_THROWS_AS(static_cast<int>(*heap.end()), dash::exception::OutOfRange);
  CHECK_THROWS_AS(heap.local_size(dash::team_unit_t(nunits())), dash::exception::OutOfRange);
  CHECK_THROWS_AS(heap.at(dash::team_unit_t(nunits()), 0), dash::exception::OutOfRange);
  CHECK_THROWS_AS(heap.at(dash::team_unit_t(-2), 0), dash::exception::OutOfRange);
  heap.barrier();
  // The right neighbour's first element.
  const int right = (me() + 1) % nunits();
  heap.put_value(7000 + me(), right * (right + 1) / 2);
  heap.barrier();
  CHECK(*heap.lbegin() == 7000 + (me() + nunits() - 1) % nunits());
}

TEST_CASE("new elements: usable by the unit at once, visible to all after the next commit") {
  Heap heap(2);
  int* const fresh = heap.grow(3);
  std::fill(fresh, fresh + 3, 5 + me());
  CHECK(heap.local_size() == 5);
  CHECK(heap.size() == 2 * dash::size() + 3);
  CHECK(heap.local_buckets().size() == 2);
  CHECK(heap.lbegin()[4] == 5 + me());
  CHECK(heap.at(dash::Team::All().myid(), 4).local() == fresh + 2);
  if (nunits() > 1) {
    const dash::team_unit_t other((me() + 1) % nunits());
    CHECK(heap.local_size(other) == 2);
    CHECK_THROWS_AS(heap.put_value(1, -1), dash::exception::OutOfRange);
  }
  heap.commit();
  CHECK(heap.size() == 5 * dash::size());
  for (int unit = 0; unit < nunits(); ++unit)
    CHECK(*heap.at(dash::team_unit_t(unit), 2) == 5 + unit);
  heap.barrier();
  heap.shrink(4);
  CHECK(heap.local_size() == 1);
  CHECK_THROWS_AS(heap.shrink(2), dash::exception::OutOfRange);
  heap.barrier();
  CHECK(heap.size() == dash::size());
  CHECK(heap.grow(0) == nullptr);
  // The number of bytes would overflow to four.
  CHECK_THROWS_AS(heap.grow((std::size_t{1} << 62) + 1), dash::exception::InvalidArgument);
  // The argument is the size of all units.
  heap.resize(dash::size() + 9);
  CHECK(heap.local_size() == 10);
  heap.resize(dash::size() + 3);
  CHECK(heap.local_size() == 4);
  if (nunits() > 1) CHECK_THROWS_AS(heap.resize(dash::size() - 2), dash::exception::OutOfRange);
  heap.commit();
  CHECK(heap.size() == 4 * dash::size());
}

TEST_CASE("heaps that grow and shrink randomly: like vectors") {
  const unsigned seed = dash::test::seed();
  Heap heap(0);
  std::vector<std::vector<int>> models(dash::size());
  std::vector<std::mt19937> randoms;
  for (int unit = 0; unit < nunits(); ++unit)
    randoms.emplace_back(seed + static_cast<unsigned>(unit));
  for (int step = 0; step < 40; ++step) {
    for (int unit = 0; unit < nunits(); ++unit) {
      auto& model = models[static_cast<std::size_t>(unit)];
      auto& random = randoms[static_cast<std::size_t>(unit)];
      for (unsigned n = random() % 4; n != 0; --n) {
        const std::size_t size = random() % 50;
        if (random() % 2 == 0) {
          model.resize(model.size() + size, step);
          if (unit != me()) continue;
          int* const fresh = heap.grow(size);
          std::fill(fresh, fresh + size, step);
        } else {
          const std::size_t less = std::min(size, model.size());
          model.resize(model.size() - less);
          if (unit == me()) heap.shrink(less);
        }
      }
    }
    const auto& own = models[static_cast<std::size_t>(me())];
    CHECK(std::equal(heap.lbegin(), heap.lend(), own.begin(), own.end()));
    heap.commit();
    std::vector<int> expected;
    for (const auto& model : models)
      expected.insert(expected.end(), model.begin(), model.end());
    REQUIRE(values_of(heap) == expected);
    heap.barrier();
  }
}
