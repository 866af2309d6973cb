// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include "dash/atomic/Futures.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "dash/Array.h"
#include "dash/Atomic.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/WhenAll.h"
#include "support/Catch.h"
#include "support/Runner.h"
#include "support/Units.h"

using dash::test::me;
using dash::test::nunits;

TEMPLATE_TEST_CASE("Atomic futures: fetch_add: consecutive values", "", int, long, unsigned short,
                   double) {
  dash::Array<dash::Atomic<TestType>> counters(dash::size());
  counters[me()].store(0);
  dash::barrier();
  constexpr int n = 20;
  std::vector<dash::Future<TestType>> futures;
  for (int unit = 0; unit < nunits(); ++unit) {
    for (int i = 0; i < n; ++i)
      futures.push_back(dash::atomic::fetch_add_async(counters[unit], 1));
  }
  // The values of one unit at one element increase.
  for (int unit = 0; unit < nunits(); ++unit) {
    TestType before = -1;
    for (int i = 0; i < n; ++i) {
      const TestType value = futures[static_cast<std::size_t>(unit * n + i)].get();
      if (i != 0) CHECK(value > before);
      CHECK(value < static_cast<TestType>(n * nunits()));
      before = value;
    }
  }
  dash::barrier();
  CHECK(dash::atomic::load_async(counters[me()]).get() == static_cast<TestType>(n * nunits()));
  CHECK(dash::atomic::fetch_sub_async(counters[me()], 5).get() ==
        static_cast<TestType>(n * nunits()));
  CHECK(counters[me()].load() == static_cast<TestType>(n * nunits() - 5));
  dash::barrier();
}

TEST_CASE("Atomic futures: exchange, compare_exchange: one unit obtains the element") {
  dash::Array<dash::Atomic<long>> owners(dash::size());
  owners[me()].store(-1);
  dash::barrier();
  std::vector<dash::Future<bool>> won;
  for (int unit = 0; unit < nunits(); ++unit)
    won.push_back(dash::atomic::compare_exchange_async(owners[unit], -1, me()));
  long num_won = 0;
  for (int unit = 0; unit < nunits(); ++unit) {
    const bool is_mine = won[static_cast<std::size_t>(unit)].get();
    num_won += is_mine ? 1 : 0;
    CHECK(is_mine == (owners[unit].load() == me()));
  }
  CHECK(dash::test::sum(num_won) == nunits());
  const long before = dash::atomic::exchange_async(owners[me()], 100 + me()).get();
  CHECK((before >= 0 && before < nunits()));
  dash::barrier();
  CHECK(owners[(me() + 1) % nunits()].load() == 100 + (me() + 1) % nunits());
  dash::barrier();
}

TEST_CASE("Atomic futures: predefined and other functions") {
  dash::Array<dash::Atomic<int>> values(3);
  if (me() == 0) {
    for (std::size_t i = 0; i < 3; ++i)
      values[static_cast<long>(i)].store(i == 0 ? 1000 : 0);
  }
  dash::barrier();
  auto least = dash::atomic::fetch_op_async(values[0], dash::min<int>(), 10 * me() + 5);
  auto bits = dash::atomic::fetch_op_async(values[1], dash::bit_or<int>(), 1 << me());
  const auto add_twice = [](int a, int b) { return a + 2 * b; };
  std::vector<dash::Future<int>> sums;
  for (int i = 0; i < 10; ++i)
    sums.push_back(dash::atomic::fetch_op_async(values[2], add_twice, i));
  CHECK(least.get() >= 5);
  bits.get();
  dash::when_all(std::move(sums)).get();
  dash::barrier();
  CHECK(values[0].load() == 5);
  CHECK(values[1].load() == (1 << nunits()) - 1);
  CHECK(values[2].load() == 90 * nunits());
  dash::barrier();
}

TEST_CASE("Atomic futures: a chain of continuations; errors") {
  dash::Array<dash::Atomic<int>> values(dash::size());
  values[me()].store(0);
  dash::barrier();
  const int next = (me() + 1) % nunits();
  auto chain = dash::atomic::fetch_add_async(values[next], 3)
                   .then([&](int) { return dash::atomic::fetch_add_async(values[next], 4); })
                   .then([&](int) { return dash::atomic::load_async(values[next]); });
  CHECK(chain.get() == 7);
  CHECK_THROWS_AS(dash::atomic::load_async(dash::GlobRef<dash::Atomic<int>>(DART_GPTR_NULL)).get(),
                  dash::exception::RuntimeError);
  dash::barrier();
}
