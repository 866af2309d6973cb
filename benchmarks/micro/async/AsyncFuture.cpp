// dash-bench: units=1
//
// Futures through then(), when_all() and coroutines against the standard library's: std::promise,
// and std::async with std::launch::deferred, which computes when get() is called.

#include <fmt/core.h>

#include <coroutine>
#include <future>
#include <utility>
#include <vector>

#include "async/future/CountAllocations.h"
#include "dash/Future.h"
#include "dash/Task.h"
#include "support/Contest.h"
#include "support/Measure.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr std::size_t million = 1'000'000;
constexpr std::size_t group = 100'000;
constexpr long ready = 10'000;
/// Longer ones of the standard library's deferred futures would need too much stack.
constexpr long chain = 1000;
constexpr int rounds = 15;
constexpr double times_faster = 5;

double ready_of_ours() {
  return time_each(
      ready, [](long i) { keep(dash::Future<long>(i).then([](long x) { return x + 1; }).get()); });
}
double ready_of_std() {
  return time_each(ready, [](long i) {
    keep(std::async(
             std::launch::deferred, [](long x) { return x + 1; }, i)
             .get());
  });
}

/// Promises, their futures through a function, all of them pending; then kept and got.
double pending_of_ours() {
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
    keep(result.get());
  promises.clear();
  results.clear();
  return static_cast<double>(dash::core::now_ns() - begin) / million;
}
double pending_of_std() {
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
    keep(result.get());
  promises.clear();
  results.clear();
  return static_cast<double>(dash::core::now_ns() - begin) / million;
}

/// A function after the other on what one promise holds.
double chain_of_ours() {
  return time_each(million / chain,
                   [](long i) {
                     dash::Promise<long> promise;
                     dash::Future<long> future = promise.get_future();
                     for (long k = 0; k < chain; ++k)
                       future = future.then([](long x) { return x + 1; });
                     promise.set_value(i);
                     keep(future.get());
                   }) /
         chain;
}
double chain_of_std() {
  return time_each(million / chain,
                   [](long i) {
                     std::promise<long> promise;
                     std::future<long> future = promise.get_future();
                     for (long k = 0; k < chain; ++k) {
                       future = std::async(
                           std::launch::deferred,
                           [from = std::move(future)]() mutable { return from.get() + 1; });
                     }
                     promise.set_value(i);
                     keep(future.get());
                   }) /
         chain;
}

/// From the making of the promises to the last value of all.
double all_of_ours() {
  std::vector<dash::Promise<long>> promises;
  std::vector<dash::Future<long>> futures;
  promises.reserve(group);
  futures.reserve(group);
  const std::uint64_t begin = dash::core::now_ns();
  for (std::size_t i = 0; i < group; ++i) {
    promises.emplace_back();
    futures.push_back(promises.back().get_future());
  }
  auto all = dash::when_all(std::move(futures));
  for (std::size_t i = 0; i < group; ++i)
    promises[i].set_value(static_cast<long>(i));
  std::vector<dash::Future<long>> results = all.get();
  for (dash::Future<long>& result : results)
    keep(result.get());
  promises.clear();
  results.clear();
  return static_cast<double>(dash::core::now_ns() - begin) / group;
}
double all_of_std() {
  std::vector<std::promise<long>> promises;
  std::vector<std::future<long>> results;
  promises.reserve(group);
  results.reserve(group);
  const std::uint64_t begin = dash::core::now_ns();
  for (std::size_t i = 0; i < group; ++i) {
    promises.emplace_back();
    results.push_back(
        std::async(std::launch::deferred,
                   [from = promises.back().get_future()]() mutable { return from.get(); }));
  }
  for (std::size_t i = 0; i < group; ++i)
    promises[i].set_value(static_cast<long>(i));
  for (std::future<long>& result : results)
    keep(result.get());
  promises.clear();
  results.clear();
  return static_cast<double>(dash::core::now_ns() - begin) / group;
}

dash::Task<long> next(dash::Future<long> future) {
  co_return co_await std::move(future) + 1;
}
/// A coroutine that waits for one promise, as std::async would.
double coroutines() {
  return time_each(ready, [](long i) {
    dash::Promise<long> promise;
    dash::Future<long> result = next(promise.get_future()).start();
    promise.set_value(i);
    keep(result.get());
  });
}
double coroutines_of_std() {
  return time_each(ready, [](long i) {
    std::promise<long> promise;
    std::future<long> result = std::async(
        std::launch::deferred, [from = promise.get_future()]() mutable { return from.get() + 1; });
    promise.set_value(i);
    keep(result.get());
  });
}

/// Of what takes long: so many samples of each, in turns.
Outcome long_contest(const Contestant& ours, const Contestant& twin) {
  const std::vector<Samples> samples = interleave(rounds, {ours, twin, twin});
  return outcome_of(samples[0], samples[1], samples[2]);
}

struct Allocations {
  double of_then = 0;        // each, while there are more than ever before
  double of_then_again = 0;  // each, as often as wanted
  std::size_t of_all = 0;
};

Allocations count_allocations() {
  Allocations counts;
  std::vector<dash::Promise<long>> promises(million);
  std::vector<dash::Future<long>> futures;
  futures.reserve(million);
  for (double* each : {&counts.of_then, &counts.of_then_again}) {
    futures.clear();
    promises = std::vector<dash::Promise<long>>(million);
    const std::size_t before = allocations;
    for (dash::Promise<long>& promise : promises)
      futures.push_back(promise.get_future().then([](long x) { return x + 1; }));
    *each = static_cast<double>(allocations - before) / million;
    for (dash::Promise<long>& promise : promises)
      promise.set_value(1);
    for (dash::Future<long>& future : futures)
      keep(future.get());
  }
  promises = std::vector<dash::Promise<long>>(group);
  futures.clear();
  for (dash::Promise<long>& promise : promises)
    futures.push_back(promise.get_future());
  const std::size_t before = allocations;
  auto all = dash::when_all(std::move(futures));
  for (dash::Promise<long>& promise : promises)
    promise.set_value(1);
  all.wait();
  counts.of_all = allocations - before;
  return counts;
}

Row allocations_row(const char* what, std::string size, double ours, double most) {
  Row row{what, std::move(size), fmt::format("{:.2g} allocations", ours), "", "", ""};
  row.bar = fmt::format("<= {}", most);
  row.met = ours <= most;
  row.figures = {{ours}, {}, {}, "allocations"};
  return row;
}

void measure(const World& world) {
  if (!world.leads()) return;
  const Allocations counts = count_allocations();
  const Bar bar = speed_at_least(times_faster);
  Table table;
  table.add(allocations_row("pending then, allocations each", "1,000,000", counts.of_then, 1));
  table.add(allocations_row("  the same once more", "1,000,000", counts.of_then_again, 1));
  table.add(allocations_row("when_all, allocations in all", "100,000",
                            static_cast<double>(counts.of_all), 4));
  table.add(row_of("ready future through then, each", "10,000", "std::async deferred",
                   contest(ready_of_ours, ready_of_std), bar));
  table.add(row_of("pending future through then, each", "1,000,000", "promise, std::async deferred",
                   long_contest(pending_of_ours, pending_of_std), bar));
  table.add(row_of("chain of then, each", "1,000 x 1,000", "chain of std::async deferred",
                   long_contest(chain_of_ours, chain_of_std), bar));
  table.add(row_of("when_all of pending futures, each", "100,000", "promise, std::async deferred",
                   contest(all_of_ours, all_of_std), bar));
  table.add(row_of("dash::Task that waits, each", "10,000", "promise, std::async deferred",
                   contest(coroutines, coroutines_of_std)));
  table.note("times from the making of the futures to their end, all values got in between");
  table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
