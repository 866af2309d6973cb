// dash-test: serial

#include "dash/async/TaskGraph.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

#include "dash/Async.h"
#include "dash/Exception.h"
#include "support/Catch.h"
#include "support/Runner.h"
#include "support/Workers.h"

using dash::exec::Access;
using dash::exec::GraphTask;
using dash::exec::Job;
using dash::exec::MemoryRange;
using dash::exec::MemoryUse;
using dash::exec::TaskGraph;

namespace {

class FunctionTask final : public GraphTask {
 public:
  FunctionTask(TaskGraph& graph, std::function<void()> f, Priority priority)
      : GraphTask(graph, priority), _f(std::move(f)) {}

 private:
  void execute() override { _f(); }
  std::function<void()> _f;
};

void spawn(TaskGraph& graph, std::function<void()> f, const std::vector<MemoryUse>& uses = {},
           Job::Priority priority = Job::Priority::normal) {
  auto* const task = new FunctionTask(graph, std::move(f), priority);
  graph.add(*task);
  graph.enter(*task, uses);
  graph.commit(*task);
}

template <class T>
MemoryUse use(Access mode, T& object) {
  return {MemoryRange::of(&object, sizeof object), mode};
}

/// Combines the values that are read and written such that a different order gives different results.
struct Step {
  std::size_t in_begin, in_end, out_begin, out_end;
  bool inout;

  void run(std::vector<std::uint64_t>& memory, std::uint64_t salt) const {
    std::uint64_t sum = salt;
    for (std::size_t i = in_begin; i < in_end; ++i)
      sum = sum * 31 + memory[i];
    for (std::size_t i = out_begin; i < out_end; ++i)
      memory[i] = (inout ? memory[i] * 17 : 0) + sum + i;
  }
};

}  // namespace

TEST_CASE("Random graphs on overlapping ranges give the results of serial execution",
          "[TaskGraph]") {
  const Workers workers(GENERATE(1, 2, 3));
  std::mt19937 random(dash::test::seed());
  for (int round = 0; round < 30; ++round) {
    const std::size_t n = 4 + random() % 60;
    const bool waits = round % 2 == 1;
    std::vector<std::uint64_t> memory(n);
    std::vector<std::uint64_t> model(n);
    TaskGraph graph;
    const auto range = [&] {
      std::size_t begin = random() % n;
      std::size_t end = std::min<std::size_t>(begin + random() % 5, n);
      return std::pair(begin, end);
    };
    for (std::uint64_t i = 0; i < 300; ++i) {
      const auto [in_begin, in_end] = range();
      const auto [out_begin, out_end] = range();
      const Step step{in_begin, in_end, out_begin, out_end, random() % 2 == 0};
      const unsigned pause = random() % 200;
      step.run(model, i);
      spawn(
          graph,
          [&memory, step, i, pause, waits] {
            for (volatile unsigned k = pause; k > 0;)
              k = k - 1;
            if (waits && i % 7 == 0) dash::async([] {}).wait();
            step.run(memory, i);
          },
          {{MemoryRange::of(&memory[in_begin], (in_end - in_begin) * 8), Access::in},
           {MemoryRange::of(&memory[0] + out_begin, (out_end - out_begin) * 8),
            step.inout ? Access::inout : Access::out}},
          static_cast<Job::Priority>(random() % 3));
    }
    graph.wait();
    REQUIRE(memory == model);
  }
}

TEST_CASE("Readers run concurrently, after the writer before and before the writer after them",
          "[TaskGraph]") {
  const Workers workers(GENERATE(1, 2));
  TaskGraph graph;
  int value = 0;
  std::atomic<int> reading{0};
  std::atomic<bool> wrong{false};
  // Each reader waits until all have started, which requires that they run concurrently.
  constexpr int n = 20;
  spawn(graph, [&] { value = 1; }, {use(Access::out, value)});
  for (int i = 0; i < n; ++i) {
    spawn(graph,
          [&] {
            if (value != 1) wrong = true;
            ++reading;
            while (reading < n)
              dash::exec::yield_to_jobs();
          },
          {use(Access::in, value)});
  }
  spawn(graph,
        [&] {
          if (reading != n) wrong = true;
          value = 2;
        },
        {use(Access::inout, value)});
  graph.wait();
  REQUIRE_FALSE(wrong);
  REQUIRE(value == 2);
}

TEST_CASE("An exception cancels tasks that have not started and reaches wait()", "[TaskGraph]") {
  const Workers workers(GENERATE(1, 2));
  TaskGraph graph;
  int value = 0;
  std::atomic<int> ran{0};
  spawn(graph, [&] { ++ran; }, {use(Access::inout, value)});
  spawn(graph, [&] { throw std::out_of_range("the task"); }, {use(Access::inout, value)});
  for (int i = 0; i < 100; ++i)
    spawn(graph, [&] { ++ran; }, {use(Access::inout, value)});
  REQUIRE_THROWS_AS(graph.wait(), std::out_of_range);
  REQUIRE(ran == 1);
  // The cancellation has ended.
  spawn(graph, [&] { ++ran; }, {use(Access::inout, value)});
  graph.wait();
  REQUIRE(ran == 2);
}

TEST_CASE("A cancelled graph skips the rest without an error", "[TaskGraph]") {
  const Workers workers(GENERATE(1, 2));
  TaskGraph graph;
  int value = 0;
  spawn(graph,
        [&] {
          value = 1;
          throw dash::exec::TaskCancelled("test");
        },
        {use(Access::inout, value)});
  spawn(graph, [&] { value = 2; }, {use(Access::inout, value)});
  graph.wait();
  REQUIRE(value == 1);
}

TEST_CASE("One thread runs tasks of higher priorities first", "[TaskGraph]") {
  const Workers workers(1);
  TaskGraph graph;
  std::vector<int> order;
  for (int i = 0; i < 9; ++i) {
    spawn(
        graph, [&order, i] { order.push_back(i % 3); }, {}, static_cast<Job::Priority>(i % 3));
  }
  graph.wait();
  REQUIRE(order == std::vector<int>{2, 2, 2, 1, 1, 1, 0, 0, 0});
}

TEST_CASE("Tasks add tasks to the same graph", "[TaskGraph]") {
  const Workers workers(GENERATE(1, 2));
  TaskGraph graph;
  std::atomic<int> total{0};
  for (int i = 0; i < 20; ++i) {
    spawn(graph, [&] {
      for (int k = 0; k < 20; ++k)
        spawn(graph, [&] { ++total; }, {use(Access::inout, total)});
    });
  }
  graph.wait();
  REQUIRE(total == 400);
}

TEST_CASE("Threads that add tasks with the same ranges in different orders do not deadlock",
          "[TaskGraph]") {
  const Workers workers(GENERATE(1, 2));
  TaskGraph graph;
  long first = 0;
  long second = 0;
  constexpr int n = 20000;
  const auto step = [&] {
    ++first;
    ++second;
  };
  const auto forwards = [&] {
    for (int i = 0; i < n; ++i)
      spawn(graph, step, {use(Access::inout, first), use(Access::inout, second)});
  };
  const auto backwards = [&] {
    for (int i = 0; i < n; ++i)
      spawn(graph, step, {use(Access::inout, second), use(Access::inout, first)});
  };
  std::thread other(forwards);
  backwards();
  other.join();
  graph.wait();
  REQUIRE(first == 2 * n);
  REQUIRE(second == 2 * n);
}

TEST_CASE("A graph removes ranges that are no longer in use", "[TaskGraph]") {
  const Workers workers(GENERATE(1, 2));
  TaskGraph graph;
  std::vector<int> memory(20000);
  for (int round = 0; round < 2; ++round) {
    for (int& each : memory)
      spawn(graph, [&each] { ++each; }, {use(Access::inout, each)});
  }
  graph.wait();
  REQUIRE(std::all_of(memory.begin(), memory.end(), [](int each) { return each == 2; }));
}

TEST_CASE("A task that waits for its graph gets an exception", "[TaskGraph]") {
  const Workers workers(1);
  TaskGraph graph;
  spawn(graph, [&] { graph.wait(); });
  REQUIRE_THROWS_AS(graph.wait(), dash::exception::RuntimeError);
}
