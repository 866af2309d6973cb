// dash-test: parallel units=1,2,3,4 full-units=7 layouts=node,cliques,nolocal
// dash-test: modes=auto,thread,poll

#include "dash/Tasks.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "dash/Array.h"
#include "dash/Async.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "support/Catch.h"
#include "support/Runner.h"
#include "support/Units.h"

namespace tasks = dash::tasks;
using tasks::in;
using tasks::inout;
using tasks::out;

using dash::test::me;

namespace {

int units() {
  return static_cast<int>(dash::size());
}

/// A random program of tasks on an array of `per_unit` words per unit. It is equal on all units, so
/// that each can compute the result of running all tasks sequentially.
struct Program {
  struct Use {
    std::size_t index;  // global index
    std::size_t n;      // within one unit's part
  };
  struct Step {
    int unit;
    Use from;
    Use to;
    bool update;
    std::uint64_t salt;
    bool waits;
  };

  Program(unsigned seed, std::size_t nphases, std::size_t words)
      : per_unit(words), phases(nphases) {
    std::mt19937 random(seed);
    for (auto& phase : phases) {
      for (int unit = 0; unit < units(); ++unit) {
        for (std::size_t i = random() % 12; i > 0; --i) {
          const Use from = some(random);
          const Use to = some(random);
          phase.push_back({unit, from, to, random() % 2 == 0, random(), random() % 4 == 0});
        }
      }
    }
  }

  Use some(std::mt19937& random) const {
    const std::size_t unit = random() % dash::size();
    const std::size_t first = random() % per_unit;
    return {unit * per_unit + first, 1 + random() % std::min<std::size_t>(per_unit - first, 4)};
  }

  template <class Memory>
  static void run(const Step& step, Memory& memory) {
    std::uint64_t sum = step.salt;
    for (std::size_t i = 0; i < step.from.n; ++i)
      sum = sum * 31 + static_cast<std::uint64_t>(memory[step.from.index + i]);
    for (std::size_t i = 0; i < step.to.n; ++i) {
      const std::size_t k = step.to.index + i;
      const std::uint64_t old = step.update ? static_cast<std::uint64_t>(memory[k]) * 17 : 0;
      memory[k] = old + sum + i;
    }
  }

  std::vector<std::uint64_t> serially() const {
    std::vector<std::uint64_t> memory(per_unit * dash::size());
    for (const auto& phase : phases) {
      for (const Step& step : phase)
        run(step, memory);
    }
    return memory;
  }

  std::size_t per_unit;
  std::vector<std::vector<Step>> phases;
};

}  // namespace

TEST_CASE("Random programs: the result of sequential execution phase by phase, unit by unit",
          "[Tasks]") {
  for (unsigned round = 0; round < 6; ++round) {
    const Program program(dash::test::seed() + round, 1 + round % 4, 4 + 3 * round);
    dash::Array<std::uint64_t> array(program.per_unit * dash::size());
    std::fill(array.lbegin(), array.lend(), 0);
    dash::barrier();
    auto first = [&](const Program::Use& use) {
      return dash::GlobPtr<std::uint64_t>(
          (array.begin() + static_cast<long>(use.index)).dart_gptr());
    };
    for (const auto& phase : program.phases) {
      for (const Program::Step& step : phase) {
        if (step.unit != me()) continue;
        const auto mode = step.update ? dash::exec::Access::inout : dash::exec::Access::out;
        tasks::async(
            [&array, step] {
              if (step.waits) dash::async([] {}).wait();
              Program::run(step, array);
            },
            in(first(step.from), step.from.n),
            tasks::internal::depend(mode, first(step.to), step.to.n));
      }
      tasks::phase();
    }
    tasks::wait();
    const std::vector<std::uint64_t> expected = program.serially();
    for (std::size_t i = 0; i < program.per_unit; ++i)
      REQUIRE(array.local[i] == expected[static_cast<std::size_t>(me()) * program.per_unit + i]);
    dash::barrier();
  }
}

TEST_CASE("A task reads data that another unit has written in an earlier phase", "[Tasks]") {
  dash::Array<int> array(dash::size());
  const int right = (me() + 1) % units();
  int got = -1;
  // Without an explicit end of the last phase: wait() ends it.
  tasks::async([&] { array.local[0] = 100 + me(); }, out(array.local[0]));
  tasks::phase();
  tasks::async([&] { got = array[right]; }, in(array[right]), out(got));
  tasks::wait();
  REQUIRE(got == 100 + right);
  dash::barrier();
}

TEST_CASE("Native and global pointers to the same memory are the same dependency", "[Tasks]") {
  dash::Array<int> array(4 * dash::size());
  std::vector<int> order;
  for (int i = 0; i < 30; ++i) {
    const auto first = array.begin() + 4 * me();
    const auto step = [&order, i] { order.push_back(i); };
    switch (i % 5) {
      case 0:
        tasks::async(step, inout(array.local[1]));
        break;
      case 1:
        tasks::async(step, inout(array.lbegin(), 2));
        break;
      case 2:
        tasks::async(step, inout(array[4 * me() + 1]));
        break;
      case 3:
        tasks::async(step, inout(first, first + 4));
        break;
      default:
        tasks::async(step, inout(array));
        break;
    }
  }
  tasks::wait();
  std::vector<int> expected(30);
  std::iota(expected.begin(), expected.end(), 0);
  REQUIRE(order == expected);
  dash::barrier();
}

TEST_CASE("A dependency on a range of all units orders all of them", "[Tasks]") {
  dash::Array<int> array(3 * dash::size());
  std::fill(array.lbegin(), array.lend(), 0);
  dash::barrier();
  // Every unit's tasks add to all elements, without atomic operations.
  for (int i = 0; i < 5; ++i) {
    tasks::async(
        [&] {
          for (std::size_t k = 0; k < array.size(); ++k)
            array[k] = array[k] + 1;
        },
        inout(array));
    if (i == 2) tasks::phase();
  }
  tasks::wait();
  for (const int value : {array.local[0], array.local[1], array.local[2]})
    REQUIRE(value == 5 * units());
  dash::barrier();
}

TEST_CASE("Copies of other units' memory are made after it is written, and are shared", "[Tasks]") {
  constexpr std::size_t n = 1000;
  dash::Array<int> array(n * dash::size());
  std::vector<int> buffer(n);
  const int left = (me() + units() - 1) % units();
  const dash::GlobPtr<int> source((array.begin() + static_cast<long>(n) * left).dart_gptr());
  std::atomic<int> right_sums{0};
  constexpr int rounds = 5;
  for (int round = 0; round < rounds; ++round) {
    tasks::async([&, round] { std::iota(array.lbegin(), array.lend(), round * 10 + me()); },
                 out(array.lbegin(), n));
    tasks::phase();
    for (int reader = 0; reader < 3; ++reader) {
      tasks::async(
          [&, round] {
            const long sum = std::accumulate(buffer.begin(), buffer.end(), 0L);
            if (sum ==
                static_cast<long>(n * (n - 1) / 2) + static_cast<long>(n) * (round * 10 + left)) {
              ++right_sums;
            }
          },
          tasks::copyin(source, n, buffer.data()));
    }
    tasks::phase();
  }
  tasks::wait();
  REQUIRE(right_sums == 3 * rounds);
  dash::barrier();
}

TEST_CASE("A copy is repeated if this unit has written its source since", "[Tasks]") {
  constexpr int n = 8;
  dash::Array<int> array(n * dash::size());
  const int owner = (me() + GENERATE(0, 1)) % units();
  const long first = n * owner;
  const dash::GlobPtr<int> source((array.begin() + first).dart_gptr());
  std::array<int, n> buffer{};
  std::array<int, 4> got{};
  const auto read = [&](std::size_t i) {
    tasks::async([&, i] { got[i] = buffer[3]; }, tasks::copyin(source, n, buffer.data()),
                 out(got[i]));
  };
  const auto set = [&](int value) { return [&, value] { array[first + 3] = value; }; };
  tasks::async(set(1), out(source, n));
  read(0);
  tasks::async(set(2), inout(source, n));
  read(1);
  tasks::async(set(3), out(array[first + 3]));
  read(2);
  if (owner == me()) {
    tasks::async(set(4), out(array.lbegin() + 2, 3));
  } else {
    tasks::async(set(4), out(source + 3, n - 3));
  }
  read(3);
  tasks::wait();
  REQUIRE(got == std::array<int, 4>{1, 2, 3, 4});
  dash::barrier();
}

TEST_CASE("A copy is shared while only other memory is written", "[Tasks]") {
  constexpr int n = 8;
  dash::Array<int> array(n * dash::size());
  dash::Array<int> other(n * dash::size());
  std::fill(array.lbegin(), array.lend(), 1);
  dash::barrier();
  const int owner = (me() + GENERATE(0, 1)) % units();
  const long first = n * owner;
  const dash::GlobPtr<int> source((array.begin() + first + 2).dart_gptr());
  std::array<int, 4> buffer{};
  std::array<int, 2> got{};
  // The first task changes the source without declaring it, so that a repeated copy would be
  // detected.
  tasks::async(
      [&] {
        got[0] = buffer[0];
        array[first + 2] = 5;
      },
      tasks::copyin(source, 4, buffer.data()), out(got));
  const auto nothing = [] {};
  tasks::async(nothing, out(array[first + 1]));
  tasks::async(nothing, out(array[first + 6]));
  tasks::async(nothing, out((other.begin() + first), (other.begin() + first + n)));
  tasks::async(nothing, in(source, 4));
  tasks::async([&] { got[1] = buffer[0]; }, tasks::copyin(source, 4, buffer.data()), inout(got));
  tasks::wait();
  REQUIRE(got == std::array<int, 2>{1, 1});
  REQUIRE(static_cast<int>(array[first + 2]) == 5);
  dash::barrier();
}

TEST_CASE("Task loops cover their ranges exactly once", "[Tasks]") {
  std::vector<int> plain(103);
  tasks::taskloop(
      plain.begin(), plain.end(), 10,
      [](auto first, auto last) { std::for_each(first, last, [](int& each) { each += 1; }); },
      [](auto first, auto last) { return inout(first, last); });
  tasks::taskloop(
      plain, 7,
      [](auto first, auto last) { std::for_each(first, last, [](int& each) { each *= 2; }); },
      [](auto first, auto last) { return inout(first, last); }, tasks::priority::high);
  std::atomic<int> sum{0};
  tasks::taskloop(0, 10, 3, [&](int first, int last) {
    for (int i = first; i < last; ++i)
      sum += i;
  });
  tasks::wait();
  REQUIRE(std::all_of(plain.begin(), plain.end(), [](int each) { return each == 2; }));
  REQUIRE(sum == 45);
}

TEST_CASE("Handles provide results", "[Tasks]") {
  int value = 1;
  dash::Future<int> twice = tasks::async_handle([&] { return value * 2; }, in(value));
  dash::Future<void> set = tasks::async_handle([&] { value = 5; }, out(value));
  REQUIRE(twice.get() == 2);
  set.wait();
  REQUIRE(value == 5);
  tasks::wait();
}

TEST_CASE("Handles of tasks that are cancelled fail as cancelled", "[Tasks]") {
  int order = 0;
  auto itself = tasks::async_handle([]() -> int { tasks::cancel_barrier(); }, inout(order));
  auto next = tasks::async_handle([] {}, inout(order));
  // Not an error, even if another task rethrows it.
  tasks::async([&] { itself.get(); });
  tasks::wait();
  REQUIRE_THROWS_AS(itself.get(), dash::exception::Cancelled);
  REQUIRE_THROWS_AS(next.get(), dash::exception::Cancelled);
  auto plain = dash::async([] { tasks::cancel_barrier(); });
  REQUIRE_THROWS_AS(plain.get(), dash::exception::Cancelled);
  tasks::wait();
  // Afterwards, new tasks run.
  REQUIRE(tasks::async_handle([] { return 3; }, inout(order)).get() == 3);
  tasks::wait();
}

TEST_CASE("A task that waits for its own handle gets an error", "[Tasks]") {
  dash::Promise<dash::SharedFuture<int>> own;
  dash::SharedFuture<int> task =
      tasks::async_handle([own = own.get_future()]() mutable { return own.get().get(); }).share();
  own.set_value(task);
  REQUIRE_THROWS_WITH(task.get(), Catch::Matchers::ContainsSubstring("can never end"));
  if (units() == 1) {
    REQUIRE_THROWS_WITH(tasks::wait(), Catch::Matchers::ContainsSubstring("can never end"));
  } else {
    REQUIRE_THROWS_AS(tasks::wait(), dash::exception::RuntimeError);
  }
}

TEST_CASE("An exception of a task cancels dependent tasks and is reported by wait on all units",
          "[Tasks]") {
  dash::Array<int> array(dash::size());
  array.local[0] = 0;
  dash::barrier();
  const int last = units() - 1;
  bool ran_after = false;
  if (me() == last) {
    tasks::async([] { throw std::out_of_range("the last unit's task"); }, out(array.local[0]));
  }
  tasks::phase();
  tasks::async([&] { ran_after = true; }, in(array[last]));
  dash::Future<void> handle = tasks::async_handle([] {}, in(array[last]));
  if (me() == last) {
    REQUIRE_THROWS_AS(tasks::wait(), std::out_of_range);
  } else {
    REQUIRE_THROWS_WITH(tasks::wait(), Catch::Matchers::ContainsSubstring("the last unit's task"));
  }
  REQUIRE_FALSE(ran_after);
  REQUIRE_THROWS(handle.get());
  // Afterwards, new tasks run.
  tasks::async([&] { array.local[0] = 1; }, out(array.local[0]));
  tasks::wait();
  REQUIRE(array.local[0] == 1);
  dash::barrier();
}

TEST_CASE("A cancelled unit cancels tasks that other units wait for, without an error", "[Tasks]") {
  dash::Array<int> array(dash::size());
  array.local[0] = 0;
  dash::barrier();
  tasks::async([] { tasks::cancel_barrier(); }, out(array.local[0]));
  tasks::phase();
  tasks::async([&] { array.local[0] = 7; }, inout(array.local[0]), in(array[(me() + 1) % units()]));
  tasks::wait();
  REQUIRE(array.local[0] == 0);
  dash::barrier();
}

TEST_CASE("Tasks depend on other units' tasks phase after phase", "[Tasks]") {
  dash::Array<int> array(dash::size());
  dash::Array<int> result(dash::size());
  // A ring: in each phase, a unit computes its element from that of its left neighbour.
  array.local[0] = me();
  dash::barrier();
  const int left = (me() + units() - 1) % units();
  for (int k = 0; k < 50; ++k) {
    tasks::async([&] { result.local[0] = array[left] + 1; }, in(array[left]), out(result.local[0]));
    tasks::phase();
    tasks::async([&] { array.local[0] = result.local[0]; }, in(result.local[0]),
                 out(array.local[0]));
    tasks::phase();
  }
  tasks::wait();
  REQUIRE(array.local[0] == ((me() - 50) % units() + units()) % units() + 50);
  dash::barrier();
}

TEST_CASE("Many small tasks on one unit's memory all run", "[Tasks]") {
  dash::Array<long> array(dash::size());
  array.local[0] = 0;
  dash::barrier();
  // More messages than fit into the ring buffers between the units.
  for (int i = 0; i < 1500; ++i)
    tasks::async([&] { array[0] = array[0] + 1; }, inout(array[0]));
  tasks::wait();
  REQUIRE(static_cast<long>(array[0]) == 1500L * units());
  dash::barrier();
}

TEST_CASE("Tasks created concurrently that name the same memory in different orders finish",
          "[Tasks]") {
  long first = 0;
  long second = 0;
  constexpr int n = 5000;
  const auto step = [&] {
    ++first;
    ++second;
  };
  const auto forwards = [&] {
    for (int i = 0; i < n; ++i)
      tasks::async(step, inout(first), inout(second));
  };
  const auto backwards = [&] {
    for (int i = 0; i < n; ++i)
      tasks::async(step, inout(second), inout(first));
  };
  SECTION("by two tasks") {
    tasks::async(forwards);
    tasks::async(backwards);
    tasks::wait();
  }
  SECTION("by two threads") {
    if (!dash::is_multithreaded()) DASH_SKIP("needs MPI_THREAD_MULTIPLE");
    std::thread other(forwards);
    backwards();
    other.join();
    tasks::wait();
  }
  REQUIRE(first == 2 * n);
  REQUIRE(second == 2 * n);
}

TEST_CASE("Wrong uses of tasks are errors", "[Tasks]") {
  dash::GlobPtr<int> nowhere;
  REQUIRE_THROWS_AS(tasks::async([] {}, in(nowhere)), dash::exception::InvalidArgument);
  tasks::wait();
  tasks::async([] { tasks::wait(); });
  REQUIRE_THROWS_AS(tasks::wait(), dash::exception::RuntimeError);
  tasks::async([] { tasks::phase(); });
  REQUIRE_THROWS_AS(tasks::wait(), dash::exception::RuntimeError);
  if (units() > 1) {
    dash::Array<int> array(dash::size());
    tasks::async([&] { tasks::async([] {}, in(array[0])); });
    REQUIRE_THROWS_AS(tasks::wait(), dash::exception::RuntimeError);
    dash::barrier();
  }
}

namespace {

/// Fails the program if a task that remained at the end has not run in finalize.
struct RemainingTask {
  ~RemainingTask() {
    if (!made || value == 1) return;
    std::fputs("the remaining task has not run in finalize\n", stderr);
    std::_Exit(1);
  }
  bool made = false;
  int value = 0;
};
RemainingTask remaining_task;

}  // namespace

TEST_CASE("Remaining tasks run in finalize", "[Tasks]") {
  // No unit ends the phase, and only one unit has a task.
  if (me() == units() - 1) {
    remaining_task.made = true;
    tasks::async([] { remaining_task.value = 1; }, out(remaining_task.value));
  }
  SUCCEED();
}
