// dash-test: parallel ranks=quick units=1,2,3,4 full-units=7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include <atomic>
#include <cstddef>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "dash/Array.h"
#include "dash/Init.h"
#include "dash/Promise.h"
#include "dash/Rpc.h"
#include "dash/async/Executor.h"
#include "dash/dart/Placement.h"
#include "support/Catch.h"
#include "support/Runner.h"
#include "support/Units.h"

namespace {

using dash::test::me;
using dash::test::nunits;

std::atomic<int> calls{0};

int add(int a, int b) {
  return a + b;
}

/// Functions of units that have not begun their test must not change its variables.
void begin() {
  calls = 0;
  dash::barrier();
}

}  // namespace

TEST_CASE("am: runs at the unit, and must not wait") {
  begin();
  for (int to = 0; to < nunits(); ++to) {
    CHECK(dash::am(to, add, 2, 3).get() == 5);
    // A call of another unit is no task.
    if (to != me()) CHECK_FALSE(dash::am(to, [] { return dash::exec::in_job(); }).get());
    dash::am_ff(
        to, [](int n) { calls += n; }, 2);
    auto waits = dash::am(to, [] {
      dash::Promise<int> never;
      return never.get_future().get();
    });
    CHECK_THROWS_WITH(waits.get(), Catch::Matchers::Contains("must not wait"));
  }
  dash::quiesce();
  CHECK(calls == 2 * nunits());
}

TEST_CASE("am: functions that make progress: run one at a time, and no task runs within them") {
  static std::atomic<int> active{0};
  static std::atomic<bool> overlaps{false};
  static thread_local bool is_within = false;
  begin();
  std::vector<dash::Future<void>> futures;
  for (int i = 0; i < 30; ++i) {
    const int to = (me() + i) % nunits();
    futures.push_back(dash::rpc(to, [] {
      ++calls;
      if (is_within) overlaps = true;
    }));
    futures.push_back(dash::am(to, [] {
      // Another such function, or a task that the unit calls itself.
      if (active++ != 0) overlaps = true;
      is_within = true;
      dash::rpc_ff(me(), [] {
        if (is_within) overlaps = true;
      });
      for (int k = 0; k < 20; ++k)
        dash::progress();
      is_within = false;
      --active;
    }));
  }
  for (auto& future : futures)
    future.get();
  dash::quiesce();
  CHECK_FALSE(overlaps);
  CHECK(calls == 30);
  dash::barrier();
}

TEST_CASE("am: a blocking read of another unit: its value, or an error") {
  // Only elements of the same node can be read without a wait.
  dash::Array<int> values(static_cast<std::size_t>(nunits()));
  values.local[0] = 42;
  static dash::Array<int>* array = nullptr;
  array = &values;
  dash::barrier();
  for (int i = 0; i < 50; ++i) {
    for (int to = 0; to < nunits(); ++to) {
      auto read = dash::am(
          to, [](int from) { return static_cast<int>((*array)[from]); }, (to + 1) % nunits());
      try {
        const int value = read.get();
        CHECK(value == 42);
      } catch (const dash::exception::RuntimeError& error) {
        CHECK(std::string(error.what()).find("must not wait") != std::string::npos);
      }
    }
  }
  dash::barrier();
}

TEST_CASE("am: on a thread that executes a task of another team: belongs to the team of its call") {
  if (nunits() < 2) DASH_SKIP("needs a team that is not that of all units");
  static std::atomic<bool> stop{false};
  stop = false;
  begin();
  dash::Team& part = dash::Team::All().split(static_cast<unsigned>(nunits()));
  // The task polls, and executes functions of unit 0 between.
  if (me() == 1) {
    auto polls = dash::rpc(0, dash::on(part), [] {
      while (!stop)
        dash::progress();
    });
    polls.get();
  } else if (me() == 0) {
    for (int i = 0; i < 20; ++i)
      dash::am(1, [] { dash::am_ff(0, [] { ++calls; }); }).get();
    dash::am(1, [] { stop = true; }).get();
  }
  dash::quiesce();
  CHECK(calls == (me() == 0 ? 20 : 0));
  dash::barrier();
}

TEST_CASE("am: while the target computes: its progress thread runs the function") {
  if (nunits() == 1) DASH_SKIP("a unit runs its own calls as tasks");
  if (dash::dart::placement().progress != std::string_view("thread"))
    DASH_SKIP("needs a progress thread");
  static std::atomic<bool> called{false};
  called = false;
  begin();
  auto call = dash::am((me() + 1) % nunits(), [] { called = true; });
  // No call of the library.
  while (!called)
    std::this_thread::yield();
  call.get();
  dash::barrier();
}

TEST_CASE("am: while the target computes in a continuation that another one has run") {
  if (nunits() == 1) DASH_SKIP("a unit runs its own calls as tasks");
  if (dash::dart::placement().progress != std::string_view("thread"))
    DASH_SKIP("needs a progress thread");
  static std::atomic<bool> called{false};
  // The other unit replies to the second call when the first continuation runs.
  static dash::Promise<int> gate;
  begin();
  for (int i = 0; me() == 0 && i < 20; ++i) {
    called = false;
    gate = {};
    std::atomic<bool> has_computed{false};
    const int other = nunits() - 1;
    auto second =
        dash::rpc(other, [] { return dash::rpc(0, [] { gate.get_future().wait(); }); }).then([&] {
          dash::am_ff(other, [] { dash::am_ff(0, [] { called = true; }); });
          // No call of the library.
          while (!called)
            std::this_thread::yield();
          has_computed = true;
        });
    auto first = dash::rpc(other, [] {}).then([&] {
      gate.set_value(0);
      while (!has_computed)
        dash::progress();
    });
    first.get();
    second.get();
    CHECK(called);
  }
  dash::barrier();
}
