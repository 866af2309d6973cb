// dash-test: parallel units=1,2,3,4 full-units=7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include "dash/Aggregator.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "dash/Collectives.h"
#include "dash/DistObject.h"
#include "dash/Init.h"
#include "dash/dart/Placement.h"
#include "support/Catch.h"
#include "support/Runner.h"
#include "support/Units.h"

namespace {

using dash::test::me;
using dash::test::nunits;

using Counts = dash::DistObject<std::vector<long>>;

struct Nothing {
  std::string unused;

  template <class Archive>
  void serialize(Archive&) {}
};

/// Saves a value that it has waited for.
struct Fetched {
  long value = 0;

  template <class Archive>
  void save(Archive& archive) const {
    archive(dash::rpc((me() + 1) % nunits(), [](long v) { return v; }, value).get());
  }
  template <class Archive>
  void load(Archive& archive) {
    archive(value);
  }
};

}  // namespace

TEST_CASE("Aggregator: random updates: each has its effect once") {
  constexpr std::size_t n = 100;
  Counts counts{std::vector<long>(n)};
  dash::Aggregator<void(std::size_t, long)> add(
      [](Counts& own, std::size_t i, long by) { (*own)[i] += by; }, counts);
  std::mt19937 random(dash::test::seed() + static_cast<unsigned>(me()));
  std::vector<long> expected(n * static_cast<std::size_t>(nunits()));
  for (int k = 0; k < 20'000; ++k) {
    const int to = static_cast<int>(random() % static_cast<unsigned>(nunits()));
    const std::size_t i = random() % n;
    add(to, i, k);
    expected[static_cast<std::size_t>(to) * n + i] += k;
  }
  dash::quiesce();
  std::vector<long> sums(expected.size());
  dash::allreduce(expected.data(), sums.data(), sums.size(), dash::plus<long>());
  CHECK(std::equal(counts->begin(), counts->end(),
                   sums.begin() + static_cast<std::ptrdiff_t>(n) * me()));
  dash::barrier();
}

TEST_CASE("Aggregator: strings, and records longer than a batch") {
  using Lines = dash::DistObject<std::map<std::string, int>>;
  Lines lines;
  dash::Aggregator<void(std::string, int)> add(
      [](Lines& own, std::string line, int n) { (*own)[std::move(line)] += n; }, lines);
  const std::string longer(10'000, 'x');
  for (int to = 0; to < nunits(); ++to) {
    for (int k = 0; k < 50; ++k)
      add(to, "line " + std::to_string(k % 10), 1);
    add(to, longer, 2);
  }
  dash::quiesce();
  CHECK(lines->size() == 11);
  CHECK((*lines)["line 3"] == 5 * nunits());
  CHECK((*lines)[longer] == 2 * nunits());
  dash::barrier();
}

TEST_CASE(
    "Aggregator: calls are sent without quiesce: by waits, by flush, by the progress thread") {
  dash::DistObject<std::atomic<long>> received;
  dash::Aggregator<void(long)> add(
      [](dash::DistObject<std::atomic<long>>& own, long by) { *own += by; }, received);
  dash::barrier();
  add((me() + 1) % nunits(), 7);
  // A wait of the sender sends it; a wait of the receiver handles it.
  while (*received != 7)
    dash::rpc(me(), [] {}).get();
  dash::barrier();
  if (nunits() == 1 || dash::dart::placement().progress != std::string_view("thread"))
    DASH_SKIP("the rest needs a progress thread that receives calls");
  add((me() + 1) % nunits(), 3);
  add.flush();
  while (*received != 10)
    std::this_thread::yield();
  dash::barrier();
  add((me() + 1) % nunits(), 5);
  while (*received != 15)
    std::this_thread::yield();
  dash::barrier();
}

TEST_CASE("Aggregator: serialization functions that wait: run outside of locks") {
  Counts counts{std::vector<long>(1)};
  dash::Aggregator<void(Fetched)> add([](Counts& own, const Fetched& f) { (*own)[0] += f.value; },
                                      counts);
  for (int to = 0; to < nunits(); ++to)
    add(to, Fetched{5});
  dash::quiesce();
  CHECK((*counts)[0] == 5 * nunits());
  dash::barrier();
}

TEST_CASE(
    "Aggregator: a destructor sends the remaining calls; calls may be added by several threads") {
  if (!dash::is_multithreaded()) DASH_SKIP("MPI does not provide MPI_THREAD_MULTIPLE");
  Counts counts{std::vector<long>(1)};
  dash::barrier();
  {
    dash::Aggregator<void(long)> add([](Counts& own, long by) { (*own)[0] += by; }, counts);
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&add] {
        for (int k = 0; k < 3000; ++k)
          add(k % nunits(), 1L);
      });
    }
    for (std::thread& thread : threads)
      thread.join();
  }
  dash::quiesce();
  CHECK(dash::test::sum((*counts)[0]) == 9000L * nunits());
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
}

TEST_CASE("Aggregator: a call that fails: an error of quiesce; the other calls have their effect") {
  Counts counts{std::vector<long>(1)};
  {
    dash::Aggregator<void(int)> add(
        [](Counts& own, int n) {
          if (n == 3) throw std::domain_error("expected by the test");
          (*own)[0] += n;
        },
        counts);
    for (int n = 1; me() == 0 && n <= 5; ++n)
      add(nunits() - 1, n);
  }
  if (me() == nunits() - 1) {
    CHECK_THROWS_AS(dash::quiesce(), std::domain_error);
    CHECK((*counts)[0] == 1 + 2 + 4 + 5);
  } else {
    CHECK_THROWS_AS(dash::quiesce(), dash::exception::RuntimeError);
  }
  dash::quiesce();
}

TEST_CASE("Aggregator: arguments that are serialized as no bytes: each call runs") {
  Counts counts{std::vector<long>(1)};
  dash::Aggregator<void(Nothing)> add([](Counts& own, const Nothing&) { ++(*own)[0]; }, counts);
  for (int i = 0; i < 10; ++i)
    add((me() + 1) % nunits(), Nothing());
  dash::quiesce();
  CHECK((*counts)[0] == 10);
  dash::barrier();
}
