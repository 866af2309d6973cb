// dash-bench: units=1
//
// Futures with then(), when_all() and coroutines, compared with the standard library: std::promise, and
// std::async with std::launch::deferred, which computes when get() is called.

#include <fmt/core.h>

#include <coroutine>
#include <future>
#include <utility>
#include <vector>

#include "async/future/CountAllocations.h"
#include "dash/Future.h"
#include "dash/Task.h"
#include "support/Comparison.h"
#include "support/Measure.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr std::size_t million = 1'000'000;
constexpr std::size_t group_size = 100'000;
constexpr long num_ready = 10'000;
/// Longer chains of deferred futures of the standard library would exhaust the stack.
constexpr long chain_length = 1000;
constexpr int rounds = 15;
constexpr double required_speedup = 5;

double ready_dash() {
  return measure_ns_per_call(num_ready, [](long i) {
    do_not_optimize(dash::Future<long>(i).then([](long x) { return x + 1; }).get());
  });
}
double ready_std() {
  return measure_ns_per_call(num_ready, [](long i) {
    do_not_optimize(std::async(
                        std::launch::deferred, [](long x) { return x + 1; }, i)
                        .get());
  });
}

/// Makes pending promises and attaches a function to their futures; then fulfills all promises and gets all
/// values.
double pending_dash() {
  std::vector<dash::Promise<long>> promises;
  std::vector<dash::Future<long>> results;
  promises.reserve(million);
  results.reserve(million);
  const std::uint64_t begin = dash::core::now_ns();
  for (std::size_t i = 0; i < million; ++i) {
    promises.emplace_back();
    results.push_back(promises.back().get_future().then([](long x) { return x + 1; }));
  }
  for (std::size_t i = 0; i < million; ++i)
    promises[i].set_value(static_cast<long>(i));
  for (dash::Future<long>& result : results)
    do_not_optimize(result.get());
  promises.clear();
  results.clear();
  return static_cast<double>(dash::core::now_ns() - begin) / million;
}
double pending_std() {
  std::vector<std::promise<long>> promises;
  std::vector<std::future<long>> results;
  promises.reserve(million);
  results.reserve(million);
  const std::uint64_t begin = dash::core::now_ns();
  for (std::size_t i = 0; i < million; ++i) {
    promises.emplace_back();
    results.push_back(
        std::async(std::launch::deferred,
                   [from = promises.back().get_future()]() mutable { return from.get() + 1; }));
  }
  for (std::size_t i = 0; i < million; ++i)
    promises[i].set_value(static_cast<long>(i));
  for (std::future<long>& result : results)
    do_not_optimize(result.get());
  promises.clear();
  results.clear();
  return static_cast<double>(dash::core::now_ns() - begin) / million;
}

/// A chain of functions on the value of one promise.
double chain_dash() {
  return measure_ns_per_call(million / chain_length,
                             [](long i) {
                               dash::Promise<long> promise;
                               dash::Future<long> future = promise.get_future();
                               for (long k = 0; k < chain_length; ++k)
                                 future = future.then([](long x) { return x + 1; });
                               promise.set_value(i);
                               do_not_optimize(future.get());
                             }) /
         chain_length;
}
double chain_std() {
  return measure_ns_per_call(million / chain_length,
                             [](long i) {
                               std::promise<long> promise;
                               std::future<long> future = promise.get_future();
                               for (long k = 0; k < chain_length; ++k) {
                                 future = std::async(std::launch::deferred,
                                                     [from = std::move(future)]() mutable {
                                                       return from.get() + 1;
                                                     });
                               }
                               promise.set_value(i);
                               do_not_optimize(future.get());
                             }) /
         chain_length;
}

/// The time from the creation of the promises until the last value has been read from the result of when_all.
double all_dash() {
  std::vector<dash::Promise<long>> promises;
  std::vector<dash::Future<long>> futures;
  promises.reserve(group_size);
  futures.reserve(group_size);
  const std::uint64_t begin = dash::core::now_ns();
  for (std::size_t i = 0; i < group_size; ++i) {
    promises.emplace_back();
    futures.push_back(promises.back().get_future());
  }
  auto all = dash::when_all(std::move(futures));
  for (std::size_t i = 0; i < group_size; ++i)
    promises[i].set_value(static_cast<long>(i));
  std::vector<dash::Future<long>> results = all.get();
  for (dash::Future<long>& result : results)
    do_not_optimize(result.get());
  promises.clear();
  results.clear();
  return static_cast<double>(dash::core::now_ns() - begin) / group_size;
}
double all_std() {
  std::vector<std::promise<long>> promises;
  std::vector<std::future<long>> results;
  promises.reserve(group_size);
  results.reserve(group_size);
  const std::uint64_t begin = dash::core::now_ns();
  for (std::size_t i = 0; i < group_size; ++i) {
    promises.emplace_back();
    results.push_back(
        std::async(std::launch::deferred,
                   [from = promises.back().get_future()]() mutable { return from.get(); }));
  }
  for (std::size_t i = 0; i < group_size; ++i)
    promises[i].set_value(static_cast<long>(i));
  for (std::future<long>& result : results)
    do_not_optimize(result.get());
  promises.clear();
  results.clear();
  return static_cast<double>(dash::core::now_ns() - begin) / group_size;
}

dash::Task<long> next(dash::Future<long> future) {
  co_return co_await std::move(future) + 1;
}
/// A coroutine that waits for one promise, the counterpart of a deferred std::async.
double coroutines_dash() {
  return measure_ns_per_call(num_ready, [](long i) {
    dash::Promise<long> promise;
    dash::Future<long> result = next(promise.get_future()).start();
    promise.set_value(i);
    do_not_optimize(result.get());
  });
}
double coroutines_std() {
  return measure_ns_per_call(num_ready, [](long i) {
    std::promise<long> promise;
    std::future<long> result = std::async(
        std::launch::deferred, [from = promise.get_future()]() mutable { return from.get() + 1; });
    promise.set_value(i);
    do_not_optimize(result.get());
  });
}

/// Compares actions that take long, with fewer samples.
Outcome compare_long(const Candidate& ours, const Candidate& baseline) {
  const std::vector<Samples> samples = interleave(rounds, {ours, baseline, baseline});
  return compare_samples(samples[0], samples[1], samples[2]);
}

struct Allocations {
  double per_then = 0;           // the pools of the library grow
  double per_then_repeated = 0;  // the pools have grown already
  std::size_t when_all = 0;      // total
};

Allocations count_allocations() {
  Allocations counts;
  std::vector<dash::Promise<long>> promises(million);
  std::vector<dash::Future<long>> futures;
  futures.reserve(million);
  for (double* each : {&counts.per_then, &counts.per_then_repeated}) {
    futures.clear();
    promises = std::vector<dash::Promise<long>>(million);
    const std::size_t before = allocations;
    for (dash::Promise<long>& promise : promises)
      futures.push_back(promise.get_future().then([](long x) { return x + 1; }));
    *each = static_cast<double>(allocations - before) / million;
    for (dash::Promise<long>& promise : promises)
      promise.set_value(1);
    for (dash::Future<long>& future : futures)
      do_not_optimize(future.get());
  }
  promises = std::vector<dash::Promise<long>>(group_size);
  futures.clear();
  for (dash::Promise<long>& promise : promises)
    futures.push_back(promise.get_future());
  const std::size_t before = allocations;
  auto all = dash::when_all(std::move(futures));
  for (dash::Promise<long>& promise : promises)
    promise.set_value(1);
  all.wait();
  counts.when_all = allocations - before;
  return counts;
}

Row allocations_row(const char* name, std::string size, double ours, double max_allocations) {
  Row row{name, std::move(size), fmt::format("{:.2g} allocations", ours), "", "", ""};
  row.goal = fmt::format("<= {}", max_allocations);
  row.met = ours <= max_allocations;
  row.figures = {{ours}, {}, {}, "allocations"};
  return row;
}

void measure(const World& world) {
  if (!world.is_first_unit()) return;
  const Allocations counts = count_allocations();
  const Goal goal = speed_at_least(required_speedup);
  Table table;
  table.add(allocations_row("allocations per pending then", "1,000,000", counts.per_then, 1));
  table.add(allocations_row("  repeated", "1,000,000", counts.per_then_repeated, 1));
  table.add(allocations_row("when_all, total allocations", "100,000",
                            static_cast<double>(counts.when_all), 4));
  table.add(make_row("then of a ready future, each", "10,000", "std::async deferred",
                     compare(ready_dash, ready_std), goal));
  table.add(make_row("then of a pending future, each", "1,000,000", "promise, std::async deferred",
                     compare_long(pending_dash, pending_std), goal));
  table.add(make_row("chain of then, each", "1,000 x 1,000", "chain of std::async deferred",
                     compare_long(chain_dash, chain_std), goal));
  table.add(make_row("when_all of pending futures, each", "100,000", "promise, std::async deferred",
                     compare(all_dash, all_std), goal));
  table.add(make_row("dash::Task that waits, each", "10,000", "promise, std::async deferred",
                     compare(coroutines_dash, coroutines_std)));
  table.add_note("The times include creating and destroying the futures, and getting all values.");
  table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
