// dash-test: serial

#include "dash/async/Executor.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "dash/ParallelFor.h"
#include "dash/core/Topology.h"
#include "support/Catch.h"
#include "support/Runner.h"

using dash::exec::run_chunks;
using dash::exec::set_executor_workers;

namespace {

/// The executor measures the first chunk on the calling thread, and uses other threads only if chunks are slow.
void simulate_slow_chunk() {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace

TEST_CASE("Each chunk runs once, with any number of workers", "[Executor]") {
  const int workers = GENERATE(1, 2);
  set_executor_workers(workers);
  for (const std::size_t n : {0, 1, 2, 3, 17, 1000}) {
    std::vector<std::atomic<int>> runs(n);
    run_chunks(n, [&](std::size_t i) { ++runs[i]; });
    for (const std::atomic<int>& count : runs)
      REQUIRE(count == 1);
  }
  set_executor_workers(1);
}

TEST_CASE("parallel_for calls the body once for each index, and passes on exceptions",
          "[Executor]") {
  const int workers = GENERATE(1, 3);
  set_executor_workers(workers);
  std::vector<std::atomic<int>> calls(1000);
  dash::parallel_for(calls.size(), [&](std::size_t i) { ++calls[i]; });
  for (const std::atomic<int>& count : calls)
    REQUIRE(count == 1);
  dash::parallel_for(0, [](std::size_t) { FAIL("the range is empty"); });
  REQUIRE_THROWS_AS(dash::parallel_for(20,
                                       [](std::size_t i) {
                                         if (i == 7) throw std::out_of_range("7");
                                       }),
                    std::out_of_range);
  set_executor_workers(1);
}

TEST_CASE("One worker runs chunks in order on the calling thread", "[Executor]") {
  set_executor_workers(1);
  std::vector<std::size_t> order;
  const std::thread::id me = std::this_thread::get_id();
  run_chunks(5, [&](std::size_t i) {
    REQUIRE(std::this_thread::get_id() == me);
    order.push_back(i);
  });
  REQUIRE(order == std::vector<std::size_t>{0, 1, 2, 3, 4});
}

TEST_CASE("A chunk's exception reaches the caller", "[Executor]") {
  const int workers = GENERATE(1, 2);
  set_executor_workers(workers);
  REQUIRE_THROWS_AS(run_chunks(20,
                               [](std::size_t i) {
                                 if (i == 7) throw std::out_of_range("chunk 7");
                               }),
                    std::out_of_range);
  set_executor_workers(1);
}

TEST_CASE("Chunks can be nested", "[Executor]") {
  set_executor_workers(2);
  std::atomic<int> total{0};
  run_chunks(8, [&](std::size_t) { run_chunks(8, [&](std::size_t) { ++total; }); });
  REQUIRE(total == 64);
  set_executor_workers(1);
}

TEST_CASE("Ranges cover each index once, for any costs", "[Executor]") {
  const int workers = GENERATE(1, 2, 3);
  const int cost_us = GENERATE(0, 100);
  set_executor_workers(workers);
  for (const std::size_t n : {0, 1, 2, 3, 17, 65, 100'000}) {
    std::vector<std::atomic<int>> runs(n);
    std::atomic<int> empty{0};
    dash::exec::run_ranges(n, [&](std::size_t begin, std::size_t end) {
      if (begin >= end) ++empty;
      for (std::size_t i = begin; i < end; ++i) {
        ++runs[i];
        if (i % 3000 == 5) std::this_thread::sleep_for(std::chrono::microseconds(cost_us));
      }
    });
    REQUIRE(empty == 0);
    REQUIRE(std::count(runs.begin(), runs.end(), 1) == static_cast<long>(n));
  }
  set_executor_workers(1);
}

TEST_CASE("One worker gets one range", "[Executor]") {
  set_executor_workers(1);
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  dash::exec::run_ranges(
      1000, [&](std::size_t begin, std::size_t end) { ranges.emplace_back(begin, end); });
  REQUIRE(ranges == std::vector<std::pair<std::size_t, std::size_t>>{{0, 1000}});
}

TEST_CASE("Two workers share slow chunks", "[Executor]") {
  set_executor_workers(2);
  std::mutex mutex;
  std::condition_variable arrived;
  std::set<std::thread::id> threads;
  run_chunks(64, [&](std::size_t chunk) {
    if (chunk == 0) return simulate_slow_chunk();
    std::unique_lock lock(mutex);
    threads.insert(std::this_thread::get_id());
    arrived.notify_all();
    // On a busy machine, the other thread may start late.
    arrived.wait_for(lock, std::chrono::seconds(10), [&] { return threads.size() == 2; });
  });
  REQUIRE(threads.size() == 2);
  std::atomic<int> calls{0};
  dash::exec::run_on_workers([&] { ++calls; });
  REQUIRE(calls == 2);
  set_executor_workers(1);
}

TEST_CASE("Workers are bound to the processors of the unit, even if oneTBB was used before",
          "[Executor]") {
  const dash::core::CpuSet all = dash::core::this_thread_affinity();
  if (all.count() < 2) DASH_SKIP("needs two processors");
  const auto masks_of_workers = [] {
    std::mutex mutex;
    std::condition_variable arrived;
    std::set<std::string> masks;
    run_chunks(64, [&, caller = std::this_thread::get_id()](std::size_t chunk) {
      if (chunk == 0) return simulate_slow_chunk();
      std::unique_lock lock(mutex);
      if (std::this_thread::get_id() != caller) {
        masks.insert(dash::core::this_thread_affinity().to_string());
        arrived.notify_all();
      }
      // On a busy machine, the other thread may start late.
      arrived.wait_for(lock, std::chrono::seconds(10), [&] { return !masks.empty(); });
    });
    return masks;
  };
  set_executor_workers(2);
  REQUIRE(masks_of_workers() == std::set<std::string>{all.to_string()});
  const dash::core::CpuSet share = dash::core::CpuSet::range(*all.begin(), *all.begin() + 1);
  dash::core::bind_this_thread(share);
  set_executor_workers(2);
  const auto masks = masks_of_workers();
  dash::core::bind_this_thread(all);
  set_executor_workers(1);
  REQUIRE(masks == std::set<std::string>{share.to_string()});
}
