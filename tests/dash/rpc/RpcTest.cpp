// dash-test: parallel ranks=quick units=1,2,3,4 full-units=7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include "dash/Rpc.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <map>
#include <numeric>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "dash/Array.h"
#include "dash/Async.h"
#include "dash/DistObject.h"
#include "dash/Init.h"
#include "dash/Mutex.h"
#include "dash/Range.h"
#include "dash/Task.h"
#include "dash/Tasks.h"
#include "support/Catch.h"
#include "support/Runner.h"

namespace {

int unit() {
  return dash::myid().id;
}
int num_units() {
  return static_cast<int>(dash::size());
}

int add(int a, int b) {
  return a + b;
}
int number_of_unit() {
  return unit();
}

struct Times {
  int operator()(int a, int b) const { return a * b; }
};

struct Record {
  std::string name;
  std::vector<double> values;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, values);
  }
};

std::atomic<int> calls{0};
std::atomic<long> sum{0};

class OwnError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
class UnknownError : public std::exception {
 public:
  const char* what() const noexcept override { return "unknown here"; }
};

/// Calls itself at all units, `depth` levels deep, and adds up the numbers of calls.
int count_calls(int depth) {
  if (depth == 0) return 1;
  const int next = (unit() + 1) % num_units();
  return 1 + dash::rpc(next, count_calls, depth - 1).get();
}

dash::Task<int> doubled(int value) {
  const int other = co_await dash::rpc((unit() + 1) % num_units(), add, value, 0);
  co_return 2 * other;
}

/// Functions of units that have not begun their test must not change its variables.
void begin() {
  calls = 0;
  sum = 0;
  dash::barrier();
}

}  // namespace

TEST_CASE("rpc: functions, function objects, lambdas: run at the unit, return their results") {
  for (int to = 0; to < num_units(); ++to) {
    CHECK(dash::rpc(to, number_of_unit).get() == to);
    CHECK(dash::rpc(to, add, unit(), 5).get() == unit() + 5);
    CHECK(dash::rpc(to, Times(), 6, 7).get() == 42);
    CHECK(dash::rpc(dash::team_unit_t(to), [] { return unit(); }).get() == to);
    CHECK(dash::rpc(
              dash::global_unit_t(to), [](auto x) { return x + 0.5; }, 1)
              .get() == 1.5);
    dash::rpc(to, [] {}).get();
  }
  dash::barrier();
}

TEST_CASE("rpc: strings, containers, user types: arrive as they were sent") {
  for (int to = 0; to < num_units(); ++to) {
    const auto joined = dash::rpc(
        to,
        [](std::string a, const std::vector<std::string>& b, std::map<int, std::string> c) {
          return a + b.at(1) + c.at(3);
        },
        std::string("one "), std::vector<std::string>{"", "two "},
        std::map<int, std::string>{{3, "three"}});
    CHECK(dash::Future<std::string>().valid() == false);
    auto future = dash::rpc(
        to,
        [](Record r) {
          return Record{r.name + "!", {r.values.rbegin(), r.values.rend()}};
        },
        Record{"r", {1, 2, 3}});
    const Record record = future.get();
    CHECK(record.name == "r!");
    CHECK(record.values == std::vector<double>{3, 2, 1});
    static_cast<void>(joined.valid());
  }
  dash::barrier();
}

TEST_CASE("rpc: messages of all sizes: arrive completely") {
  const std::vector<std::size_t> sizes{0,      1,      100,    4000,    4064,      4096,     5000,
                                       65'000, 65'536, 65'600, 200'000, 1'000'000, 3'000'000};
  std::vector<dash::Future<std::vector<unsigned char>>> replies;
  for (int to = 0; to < num_units(); ++to) {
    for (const std::size_t size : sizes) {
      std::vector<unsigned char> data(size);
      for (std::size_t i = 0; i < size; ++i)
        data[i] = static_cast<unsigned char>(i * 7 + size);
      replies.push_back(dash::rpc(
          to,
          [](std::vector<unsigned char> d) {
            for (unsigned char& c : d)
              ++c;
            return d;
          },
          data));
    }
  }
  for (std::size_t k = 0; k < replies.size(); ++k) {
    const std::size_t size = sizes[k % sizes.size()];
    const std::vector<unsigned char> reply = replies[k].get();
    REQUIRE(reply.size() == size);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < size; ++i)
      wrong += reply[i] != static_cast<unsigned char>(i * 7 + size + 1) ? 1U : 0U;
    CHECK(wrong == 0);
  }
  dash::barrier();
}

TEST_CASE("rpc: views of arguments: the target reads them in the message") {
  const std::vector<double> values{1, 2, 3.5};
  const std::vector<std::string> words{"a", "bc"};
  for (int to = 0; to < num_units(); ++to) {
    const auto add_up = [](std::span<const double> v) {
      return std::accumulate(v.begin(), v.end(), 0.0);
    };
    CHECK(dash::rpc(to, add_up, dash::make_view(values.begin(), values.end())).get() == 6.5);
    CHECK(dash::rpc(to, add_up, std::span(values)).get() == 6.5);
    CHECK(dash::rpc(to, add_up, std::span<const double>()).get() == 0);
    // An element of one byte before the view: the view is aligned nevertheless.
    const auto is_aligned = [](char, std::span<const double> v) {
      return reinterpret_cast<std::uintptr_t>(v.data()) % alignof(double) == 0 && v[2] == 3.5;
    };
    CHECK(dash::rpc(to, is_aligned, 'x', std::span(values)).get());
    CHECK(dash::rpc(
              to, [](std::string_view text) { return std::string(text) + "!"; },
              std::string_view("text"))
              .get() == "text!");
    CHECK(dash::rpc(
              to, [](std::vector<std::string> w) { return w.at(1); },
              dash::make_view(words.begin(), words.end()))
              .get() == "bc");
    // The view is valid while the future that the function returns is not ready.
    CHECK(dash::rpc(
              to,
              [](std::span<const double> v) {
                return dash::rpc(unit(), add, 1, 2).then([v](int three) { return v[0] + three; });
              },
              std::span(values))
              .get() == 4);
  }
  dash::barrier();
}

TEST_CASE("rpc: functions that return futures and coroutines: the call ends with them") {
  for (int to = 0; to < num_units(); ++to) {
    CHECK(dash::rpc(
              to, [](int v) { return dash::async([v] { return v + 1; }); }, 1)
              .get() == 2);
    CHECK(dash::rpc(to, doubled, 21).get() == 42);
  }
  dash::barrier();
}

TEST_CASE("rpc: a task that waits for further calls, 100 deep, from all units at once") {
  std::vector<dash::Future<int>> futures;
  for (int to = 0; to < num_units(); ++to)
    futures.push_back(dash::rpc(to, count_calls, 100));
  for (auto& future : futures)
    CHECK(future.get() == 101);
  dash::quiesce();
}

TEST_CASE("rpc: a task that waits for a lock and a transfer") {
  dash::Array<int> counters(static_cast<std::size_t>(num_units()));
  counters.local[0] = 0;
  dash::Mutex mutex;
  static dash::Mutex* lock = nullptr;
  static dash::Array<int>* array = nullptr;
  lock = &mutex;
  array = &counters;
  dash::barrier();
  std::vector<dash::Future<void>> futures;
  for (int to = 0; to < num_units(); ++to) {
    for (int i = 0; i < 5; ++i) {
      futures.push_back(dash::rpc(to, [] {
        lock->lock();
        const int value = (*array)[0];
        (*array)[0] = value + 1;
        lock->unlock();
      }));
    }
  }
  for (auto& future : futures)
    future.get();
  dash::barrier();
  CHECK(static_cast<int>(counters[0]) == 5 * num_units() * num_units());
  dash::barrier();
}

TEST_CASE("rpc: exceptions: keep their registered types, others become exception::Remote") {
  dash::register_exception<OwnError>("OwnError");
  dash::barrier();
  for (int to = 0; to < num_units(); ++to) {
    CHECK_THROWS_AS(dash::rpc(to, []() -> int { throw std::out_of_range("far"); }).get(),
                    std::out_of_range);
    CHECK_THROWS_WITH(dash::rpc(to, []() -> int { throw OwnError("own"); }).get(), "own");
    CHECK_THROWS_AS(dash::rpc(to, []() -> int { throw OwnError("own"); }).get(), OwnError);
    try {
      dash::rpc(to, [] { throw UnknownError(); }).get();
      FAIL("the call has not thrown");
    } catch (const dash::exception::Remote& error) {
      CHECK(error.unit() == to);
      CHECK(std::string(error.what()).find("unknown here") != std::string::npos);
    }
    CHECK_THROWS_AS(dash::rpc(to, [] { throw 5; }).get(), dash::exception::Remote);
    // The exception of a future that the function returns.
    CHECK_THROWS_AS(
        dash::rpc(to, [] { return dash::async([] { throw std::domain_error("x"); }); }).get(),
        std::domain_error);
  }
  dash::barrier();
}

TEST_CASE("rpc: a unit that does not exist: an error that names it") {
  CHECK_THROWS_AS(dash::rpc(num_units(), number_of_unit), dash::exception::InvalidArgument);
  CHECK_THROWS_AS(dash::rpc(-1, number_of_unit), dash::exception::InvalidArgument);
  CHECK_THROWS_AS(dash::rpc_ff(dash::global_unit_t(num_units()), number_of_unit),
                  dash::exception::InvalidArgument);
  dash::quiesce();
}

TEST_CASE("rpc: dropped and cancelled futures: the call runs nevertheless") {
  begin();
  for (int to = 0; to < num_units(); ++to) {
    static_cast<void>(dash::rpc(to, [] { ++calls; }));
    auto future = dash::rpc(to, [] { return ++calls; });
    if (future.cancel()) CHECK_THROWS_AS(future.get(), dash::exception::Cancelled);
  }
  dash::quiesce();
  CHECK(calls == 2 * num_units());
}

TEST_CASE("rpc_ff and quiesce: all calls have ended, and those that they have started") {
  begin();
  constexpr int n = 50;
  for (int i = 0; i < n; ++i) {
    for (int to = 0; to < num_units(); ++to) {
      dash::rpc_ff(
          to, dash::tasks::priority::high,
          [](int value) {
            sum += value;
            // Each call starts one at every unit.
            for (int next = 0; next < num_units(); ++next)
              dash::rpc_ff(next, [] { ++calls; });
          },
          i);
    }
  }
  dash::quiesce();
  CHECK(sum == num_units() * n * (n - 1) / 2);
  CHECK(calls == n * num_units() * num_units());
  dash::quiesce();
}

TEST_CASE("quiesce: results have arrived") {
  std::vector<dash::Future<int>> futures;
  for (int i = 0; i < 20; ++i) {
    for (int to = 0; to < num_units(); ++to)
      futures.push_back(dash::rpc(to, add, i, to));
  }
  dash::quiesce();
  for (auto& future : futures)
    CHECK(future.test());
}

TEST_CASE("quiesce: the error of a call without a reply: on its unit, and on the others") {
  if (unit() == 0) {
    dash::rpc_ff(num_units() - 1, [] { throw std::domain_error("expected by the test"); });
  }
  if (unit() == num_units() - 1) {
    CHECK_THROWS_AS(dash::quiesce(), std::domain_error);
  } else {
    CHECK_THROWS_AS(dash::quiesce(), dash::exception::RuntimeError);
  }
  dash::quiesce();  // reported once
}

TEST_CASE("quiesce in a task: an error") {
  CHECK_THROWS_AS(dash::async([] { dash::quiesce(); }).get(), dash::exception::RuntimeError);
  CHECK_THROWS_AS(dash::rpc(unit(), [] { dash::quiesce(); }).get(), dash::exception::RuntimeError);
  dash::barrier();
}

TEST_CASE("on(team): ids are relative to the team, nested calls belong to it") {
  begin();
  dash::Team& half = dash::Team::All().split(2);
  if (!half.is_null()) {
    const int size = static_cast<int>(half.size());
    for (int to = 0; to < size; ++to) {
      CHECK(dash::rpc(to, dash::on(half), number_of_unit).get() ==
            half.global_id(dash::team_unit_t(to)).id);
      dash::rpc_ff(
          to, dash::on(half),
          [](int n) {
            // Without on(): the team of the calling function, whose unit 0 is meant.
            for (int i = 0; i < n; ++i)
              dash::rpc_ff(0, [] { ++calls; });
          },
          3);
    }
    CHECK_THROWS_AS(dash::rpc(size, dash::on(half), number_of_unit),
                    dash::exception::InvalidArgument);
    dash::quiesce(half);
    CHECK(calls == (half.myid() == 0 ? 3 * size * size : 0));
  }
  dash::barrier();
}

TEST_CASE(
    "quiesce: of teams of different units, one after the other: counts their own calls only") {
  begin();
  if (num_units() >= 4) {
    {
      const dash::Team half = std::move(dash::Team::All().split(2));
      // Calls that end at another unit than they are counted at.
      dash::rpc_ff(0, dash::on(half), [] { ++calls; });
      const dash::DistObject<int> first(1, half);
      const dash::DistObject<int> second(2, half);
      dash::quiesce(half);
    }
    const dash::Team part = std::move(dash::Team::All().split(static_cast<unsigned>(num_units())));
    const dash::DistObject<int> object(3 + unit(), part);
    CHECK(object.fetch(0).get() == 3 + unit());
    dash::quiesce(part);
  }
  dash::barrier();
}

TEST_CASE("am: runs at the unit without a task, and must not wait") {
  begin();
  for (int to = 0; to < num_units(); ++to) {
    CHECK(dash::am(to, add, 2, 3).get() == 5);
    dash::am_ff(
        to, [](int n) { calls += n; }, 2);
    if (to == unit()) continue;
    CHECK_THROWS_AS(dash::am(to, [] { return dash::rpc(unit(), add, 1, 1).get(); }).get(),
                    dash::exception::RuntimeError);
  }
  dash::quiesce();
  CHECK(calls == 2 * num_units());
}

TEST_CASE("async_at: runs at the owner of each element") {
  dash::Array<int> counts(static_cast<std::size_t>(5 * num_units() + 3));
  std::fill(counts.lbegin(), counts.lend(), 0);
  dash::barrier();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    dash::async_at(
        counts.begin() + static_cast<std::ptrdiff_t>(i), [](int& count, int n) { count += n; }, 2);
    CHECK(dash::async_at(counts[i], [](int&) { return unit(); }).get() ==
          counts.pattern().unit_at(static_cast<std::ptrdiff_t>(i)).id);
  }
  dash::quiesce();
  CHECK(std::all_of(counts.lbegin(), counts.lend(),
                    [](int count) { return count == 2 * num_units(); }));
  dash::barrier();
}

TEST_CASE("rpc_ff: more messages than fit into the buffers: all arrive") {
  begin();
  const int n = 300;
  const std::string text(20'000, 'x');
  for (int i = 0; i < n; ++i) {
    const int to = (unit() + i) % num_units();
    dash::rpc_ff(
        to, [](std::string t) { sum += static_cast<long>(t.size()); }, text);
  }
  dash::quiesce();
  const long total = dash::rpc(0, [] { return 0L; }).get() + sum;
  dash::Array<long> sums(static_cast<std::size_t>(num_units()));
  sums.local[0] = total;
  dash::barrier();
  long all = 0;
  for (int i = 0; i < num_units(); ++i)
    all += static_cast<long>(sums[i]);
  CHECK(all == 20'000L * n * num_units());
  dash::barrier();
}

TEST_CASE("rpc: calls to a unit that computes, and that waits for a future of another kind") {
  begin();
  const int to = (unit() + 1) % num_units();
  auto future = dash::rpc(to, add, 20, 22);
  std::this_thread::sleep_for(std::chrono::milliseconds(unit() % 3));
  dash::async([] { std::this_thread::sleep_for(std::chrono::milliseconds(3)); }).get();
  CHECK(future.get() == 42);
  dash::barrier();
}

TEST_CASE("rpc: calls by several threads of a unit") {
  if (!dash::is_multithreaded()) DASH_SKIP("MPI does not provide MPI_THREAD_MULTIPLE");
  begin();
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&wrong] {
      for (int i = 0; i < 30; ++i) {
        const int to = i % num_units();
        if (dash::rpc(to, add, i, 1).get() != i + 1) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  CHECK(wrong == 0);
  dash::barrier();
}
