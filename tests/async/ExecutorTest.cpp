// dash-test: serial

#include "dash/async/Executor.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

using dash::exec::run_chunks;
using dash::exec::set_executor_workers;

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

TEST_CASE("Chunks may contain chunks", "[Executor]") {
  set_executor_workers(2);
  std::atomic<int> total{0};
  run_chunks(8, [&](std::size_t) { run_chunks(8, [&](std::size_t) { ++total; }); });
  REQUIRE(total == 64);
  set_executor_workers(1);
}
