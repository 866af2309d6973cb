// dash-test: serial uses=tbb,openmp

// oneTBB and OpenMP of the application, around tasks and inside tasks.

#include <omp.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "dash/Async.h"
#include "support/Catch.h"
#include "support/Runner.h"
#include "support/Workers.h"

using dash::Future;
using dash::Promise;

namespace {

long sum_by_tbb(long n) {
  return tbb::parallel_reduce(
      tbb::blocked_range<long>(0, n, 10), 0L,
      [](const tbb::blocked_range<long>& range, long sum) {
        for (long i = range.begin(); i != range.end(); ++i)
          sum += i;
        return sum;
      },
      std::plus<>());
}

}  // namespace

TEST_CASE("Tasks that call oneTBB between waits compute the correct sums", "[Coexistence]") {
  const Workers workers(GENERATE(1, 2));
  std::vector<Promise<void>> promises(40);
  std::vector<Future<void>> gates;
  std::vector<Future<long>> sums;
  for (auto& promise : promises)
    gates.push_back(promise.get_future());
  for (auto& gate : gates) {
    sums.push_back(dash::async([&gate] {
      const long before = sum_by_tbb(1000);
      gate.wait();
      return before + sum_by_tbb(1000);
    }));
  }
  for (auto promise = promises.rbegin(); promise != promises.rend(); ++promise)
    promise->set_value();
  for (auto& sum : sums)
    REQUIRE(sum.get() == 999000);
}

TEST_CASE("A wait inside a loop of oneTBB inside a task blocks its thread and ends",
          "[Coexistence]") {
  const Workers workers(GENERATE(1, 2));
  Promise<int> promise;
  Future<int> future = promise.get_future();
  std::thread setter([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    promise.set_value(1);
  });
  Future<int> task = dash::async([&] {
    std::atomic<int> sum{0};
    tbb::parallel_for(0, 1, [&](int) { sum += future.get(); });
    // Afterwards the task can be suspended again.
    return sum.load() + dash::async([] { return 2; }).get();
  });
  REQUIRE(task.get() == 3);
  setter.join();
}

TEST_CASE("Loops of oneTBB start tasks and wait for them", "[Coexistence]") {
  const Workers workers(GENERATE(1, 2));
  std::atomic<int> sum{0};
  tbb::task_arena arena(2);
  arena.execute([&] {
    tbb::parallel_for(0, 300, [&](int i) {
      sum += dash::async([i] { return dash::async([i] { return i; }).get(); }).get();
    });
  });
  REQUIRE(sum == 299 * 150);
}

TEST_CASE("Tasks run while an arena of the application is busy", "[Coexistence]") {
  const Workers workers(GENERATE(1, 2));
  tbb::task_arena arena(2);
  tbb::task_group group;
  // Static: ThreadSanitizer does not see the synchronization by which oneTBB passes tasks to its threads.
  static std::atomic<bool> stop;
  stop = false;
  arena.execute([&] {
    for (int i = 0; i < 2; ++i) {
      group.run([] {
        while (!stop)
          std::this_thread::yield();
      });
    }
  });
  int sum = 0;
  for (int i = 0; i < 100; ++i)
    sum += dash::async([i] { return i; }).get();
  stop = true;
  arena.execute([&] { group.wait(); });
  REQUIRE(sum == 4950);
}

TEST_CASE("Tasks run if the application limits oneTBB to one thread", "[Coexistence]") {
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  const Workers workers(GENERATE(1, 2));
  Promise<int> promise;
  Future<int> future = promise.get_future();
  Future<int> reader = dash::async([&] { return future.get(); });
  const Future<void> writer =
      dash::async([&] { promise.set_value(static_cast<int>(sum_by_tbb(10))); });
  REQUIRE(reader.get() == 45);
  writer.wait();
}

// ThreadSanitizer does not see the synchronization inside libgomp.
#ifndef __SANITIZE_THREAD__
TEST_CASE("Tasks contain parallel regions of OpenMP, and regions contain tasks", "[Coexistence]") {
  const Workers workers(GENERATE(1, 2));
  std::vector<Promise<void>> promises(20);
  std::vector<Future<void>> gates;
  std::vector<Future<long>> sums;
  for (auto& promise : promises)
    gates.push_back(promise.get_future());
  const auto sum_by_openmp = [] {
    long sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
    for (long i = 0; i < 100; ++i)
      sum += i;
    return sum;
  };
  for (auto& gate : gates) {
    sums.push_back(dash::async([&] {
      const long before = sum_by_openmp();
      gate.wait();
      return before + sum_by_openmp();
    }));
  }
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 20; ++i)
    promises[static_cast<std::size_t>(i)].set_value();
  std::atomic<long> total{0};
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 20; ++i)
    total += sums[static_cast<std::size_t>(i)].get();
  REQUIRE(total == 20 * 9900);
}

TEST_CASE("A wait inside a parallel region inside a task blocks its thread and ends",
          "[Coexistence]") {
  const Workers workers(GENERATE(1, 2));
  Promise<int> promise;
  const Future<int> future = promise.get_future();
  std::thread setter([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    promise.set_value(1);
  });
  Future<int> task = dash::async([&] {
    std::atomic<int> waited{0};
#pragma omp parallel num_threads(2)
    {
#pragma omp critical
      future.wait();
      ++waited;
    }
    return waited.load();
  });
  REQUIRE(task.get() >= 1);
  setter.join();
}
#endif
