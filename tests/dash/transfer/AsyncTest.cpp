// dash-test: parallel units=1,2,3,4 full-units=7 layouts=node,cliques,nolocal
// dash-test: modes=auto,thread,poll

#include "dash/Async.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#include "dash/Array.h"
#include "dash/Init.h"
#include "dash/Team.h"
#include "dash/async/Executor.h"
#include "dash/dart/if/dart.h"
#include "support/Catch.h"
#include "support/Runner.h"

using dash::Future;

namespace {

constexpr std::size_t tasks_per_unit = 100;

/// All tasks of all units in a random order, which is equal on all units.
struct Chain {
  explicit Chain(unsigned round) {
    std::mt19937 random(dash::test::seed() + round);
    order.resize(tasks_per_unit * dash::size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    location.resize(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
      location[order[k]] = k;
  }
  static int unit_of(std::size_t task) { return static_cast<int>(task / tasks_per_unit); }

  std::vector<std::size_t> order;
  std::vector<std::size_t> location;
};

/// Assertions are only allowed on the main thread; a failure in a task fails its future.
void must(dart_ret_t ret) {
  if (ret != DART_OK) throw std::runtime_error("a call of the C runtime failed in a task");
}

std::size_t receive_from(std::size_t task, int tag) {
  std::size_t value = 0;
  must(dart_recv(&value, 1, DART_TYPE_ULONGLONG, tag, dart_global_unit_t{Chain::unit_of(task)}));
  return value;
}

void send_to(std::size_t task, int tag, std::size_t value) {
  must(dart_send(&value, 1, DART_TYPE_ULONGLONG, tag, dart_global_unit_t{Chain::unit_of(task)}));
}

}  // namespace

TEST_CASE("A hundred tasks per unit that wait for each other across units all finish", "[Async]") {
  for (unsigned round = 0; round < 3; ++round) {
    const Chain chain(round);
    const std::size_t first = tasks_per_unit * static_cast<std::size_t>(dash::myid().id);
    std::vector<Future<std::size_t>> results;
    for (std::size_t i = 0; i < tasks_per_unit; ++i) {
      const std::size_t k = chain.location[first + i];
      results.push_back(dash::async([&chain, k] {
        std::size_t count = 0;
        if (k > 0) count = receive_from(chain.order[k - 1], static_cast<int>(k)) + 1;
        if (k + 1 < chain.order.size()) {
          send_to(chain.order[k + 1], static_cast<int>(k) + 1, count);
        }
        return count;
      }));
    }
    for (std::size_t i = 0; i < tasks_per_unit; ++i)
      REQUIRE(results[i].get() == chain.location[first + i]);
    dash::barrier();
  }
}

TEST_CASE("Tasks run while their unit waits in a barrier", "[Async]") {
  const std::size_t units = dash::size();
  const int me = dash::myid().id;
  const int right = (me + 1) % static_cast<int>(units);
  const int left = (me + static_cast<int>(units) - 1) % static_cast<int>(units);
  dash::Array<int> array(units);
  array.local[0] = -1;
  dash::barrier();
  Future<void> sent = dash::async([&] {
    int token = me;
    must(dart_send(&token, 1, DART_TYPE_INT, 1, dart_global_unit_t{right}));
    must(dart_recv(&token, 1, DART_TYPE_INT, 1, dart_global_unit_t{left}));
    array[right] = token;
  });
  dash::barrier();
  sent.get();
  dash::barrier();
  REQUIRE(array.local[0] == (left + static_cast<int>(units) - 1) % static_cast<int>(units));
  dash::barrier();
}

TEST_CASE("Tasks read and write global memory of all units concurrently", "[Async]") {
  constexpr std::size_t n = 1000;
  dash::Array<int> array(n * dash::size());
  for (std::size_t i = 0; i < n; ++i)
    array.local[i] = static_cast<int>(i);
  dash::barrier();
  std::vector<Future<long>> sums;
  for (std::size_t unit = 0; unit < dash::size(); ++unit) {
    sums.push_back(dash::async([&, unit] {
      long sum = 0;
      for (std::size_t i = 0; i < n; ++i)
        sum += array[unit * n + i];
      return sum;
    }));
  }
  for (auto& sum : sums)
    REQUIRE(sum.get() == static_cast<long>(n * (n - 1) / 2));
  dash::barrier();
}

TEST_CASE("Tasks of all units that compete for a lock all acquire it", "[Async]") {
  dash::Array<long> counter(dash::size());
  counter.local[0] = 0;
  dart_lock_t lock = nullptr;
  REQUIRE(dart_team_lock_init(DART_TEAM_ALL, &lock) == DART_OK);
  dash::barrier();
  std::vector<Future<void>> tasks;
  constexpr int n = 20;
  for (int i = 0; i < n; ++i) {
    tasks.push_back(dash::async([&] {
      must(dart_lock_acquire(lock));
      counter[0] = counter[0] + 1;
      must(dart_lock_release(lock));
    }));
  }
  for (auto& task : tasks)
    task.get();
  dash::barrier();
  REQUIRE(static_cast<long>(counter[0]) == n * static_cast<long>(dash::size()));
  dash::barrier();
  REQUIRE(dart_team_lock_destroy(&lock) == DART_OK);
}

namespace {

/// Fails the program if a task that remained at the end has not run in finalize.
struct RemainingTask {
  ~RemainingTask() {
    if (!made || done) return;
    std::fputs("the remaining task has not finished in finalize\n", stderr);
    std::_Exit(1);
  }
  bool made = false;
  bool done = false;
};
RemainingTask remaining_task;

}  // namespace

TEST_CASE("Tasks without a wait have run when finalize returns", "[Async]") {
  // Starts here and continues in finalize: it needs all units.
  const auto units = static_cast<int>(dash::size());
  const int me = dash::myid().id;
  remaining_task.made = true;
  dash::async([=] {
    int token = me;
    must(dart_send(&token, 1, DART_TYPE_INT, 2, dart_global_unit_t{(me + 1) % units}));
    must(dart_recv(&token, 1, DART_TYPE_INT, 2, dart_global_unit_t{(me + units - 1) % units}));
    remaining_task.done = true;
  });
  SUCCEED();
}
