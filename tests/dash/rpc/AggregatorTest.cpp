// dash-test: parallel units=1,2,3,4 full-units=7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include "dash/Aggregator.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "dash/Collectives.h"
#include "dash/DistObject.h"
#include "dash/Init.h"
#include "support/Catch.h"
#include "support/Runner.h"

namespace {

int unit() {
  return dash::myid().id;
}
int num_units() {
  return static_cast<int>(dash::size());
}

using Counts = dash::DistObject<std::vector<long>>;

long sum_of(const std::vector<long>& values) {
  return dash::allreduce(std::accumulate(values.begin(), values.end(), 0L), dash::plus<long>());
}

}  // namespace

TEST_CASE("Aggregator: random updates: each has its effect once") {
  constexpr std::size_t n = 100;
  Counts counts{std::vector<long>(n)};
  dash::Aggregator<void(std::size_t, long)> add(
      [](Counts& own, std::size_t i, long by) { (*own)[i] += by; }, counts);
  std::mt19937 random(dash::test::seed() + static_cast<unsigned>(unit()));
  std::vector<long> expected(n * static_cast<std::size_t>(num_units()));
  for (int k = 0; k < 20'000; ++k) {
    const int to = static_cast<int>(random() % static_cast<unsigned>(num_units()));
    const std::size_t i = random() % n;
    add(to, i, k);
    expected[static_cast<std::size_t>(to) * n + i] += k;
  }
  dash::quiesce();
  std::vector<long> sums(expected.size());
  dash::allreduce(expected.data(), sums.data(), sums.size(), dash::plus<long>());
  CHECK(std::equal(counts->begin(), counts->end(),
                   sums.begin() + static_cast<std::ptrdiff_t>(n) * unit()));
  dash::barrier();
}

TEST_CASE("Aggregator: strings, and records longer than a batch") {
  using Lines = dash::DistObject<std::map<std::string, int>>;
  Lines lines;
  dash::Aggregator<void(std::string, int)> add(
      [](Lines& own, std::string line, int n) { (*own)[std::move(line)] += n; }, lines);
  const std::string longer(10'000, 'x');
  for (int to = 0; to < num_units(); ++to) {
    for (int k = 0; k < 50; ++k)
      add(to, "line " + std::to_string(k % 10), 1);
    add(to, longer, 2);
  }
  dash::quiesce();
  CHECK(lines->size() == 11);
  CHECK((*lines)["line 3"] == 5 * num_units());
  CHECK((*lines)[longer] == 2 * num_units());
  dash::barrier();
}

TEST_CASE("Aggregator: calls are sent without quiesce: by waits and by flush") {
  Counts received{std::vector<long>(1)};
  dash::Aggregator<void(long)> add([](Counts& own, long by) { (*own)[0] += by; }, received);
  dash::barrier();
  add((unit() + 1) % num_units(), 7);
  // A wait of the sender sends it; a wait of the receiver handles it.
  const auto begin = std::chrono::steady_clock::now();
  while ((*received)[0] != 7 && std::chrono::steady_clock::now() - begin < std::chrono::seconds(20))
    dash::rpc(unit(), [] {}).get();
  CHECK((*received)[0] == 7);
  dash::barrier();
  add((unit() + 1) % num_units(), 3);
  add.flush();
  dash::quiesce();
  CHECK((*received)[0] == 10);
  dash::barrier();
}

TEST_CASE(
    "Aggregator: a destructor sends the remaining calls; calls may be added by several threads") {
  Counts counts{std::vector<long>(1)};
  dash::barrier();
  if (dash::is_multithreaded()) {
    dash::Aggregator<void(long)> add([](Counts& own, long by) { (*own)[0] += by; }, counts);
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&add] {
        for (int k = 0; k < 3000; ++k)
          add(k % num_units(), 1L);
      });
    }
    for (std::thread& thread : threads)
      thread.join();
  }
  dash::quiesce();
  CHECK(sum_of(*counts) == (dash::is_multithreaded() ? 9000L * num_units() : 0));
  dash::barrier();
}

TEST_CASE("Aggregator: of a team, and errors") {
  dash::Team& half = dash::Team::All().split(2);
  if (!half.is_null()) {
    Counts counts{std::vector<long>(1), half};
    dash::Aggregator<void(long)> add(
        dash::on(half), [](Counts& own, long by) { (*own)[0] += by; }, counts);
    for (int to = 0; to < static_cast<int>(half.size()); ++to)
      add(to, 2);
    CHECK_THROWS_AS(add(static_cast<int>(half.size()), 1L), dash::exception::InvalidArgument);
    CHECK_THROWS_AS(add(-1, 1L), dash::exception::InvalidArgument);
    dash::quiesce(half);
    CHECK((*counts)[0] == 2 * static_cast<long>(half.size()));
    dash::quiesce(half);
  }
  dash::barrier();
  // An exception of the function is that of a call without a reply.
  {
    dash::Aggregator<void(int)> fail([](int) { throw std::domain_error("expected by the test"); });
    if (unit() == 0) fail(num_units() - 1, 1);
  }
  CHECK_THROWS_AS(dash::quiesce(), std::exception);
  dash::quiesce();
}
