// dash-test: parallel ranks=quick units=1,2,3,4 full-units=7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include "dash/Rpc.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
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
#include "support/Units.h"

namespace {

using dash::test::me;
using dash::test::nunits;

int add(int a, int b) {
  return a + b;
}
int number_of_unit() {
  return me();
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
  const int next = (me() + 1) % nunits();
  return 1 + dash::rpc(next, count_calls, depth - 1).get();
}

dash::Task<int> doubled(int value) {
  const int other = co_await dash::rpc((me() + 1) % nunits(), add, value, 0);
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
  for (int to = 0; to < nunits(); ++to) {
    CHECK(dash::rpc(to, number_of_unit).get() == to);
    CHECK(dash::rpc(to, add, me(), 5).get() == me() + 5);
    CHECK(dash::rpc(to, Times(), 6, 7).get() == 42);
    CHECK(dash::rpc(dash::team_unit_t(to), [] { return me(); }).get() == to);
    CHECK(dash::rpc(
              dash::global_unit_t(to), [](auto x) { return x + 0.5; }, 1)
              .get() == 1.5);
    dash::rpc(to, [] {}).get();
  }
  dash::barrier();
}

TEST_CASE("rpc: strings, containers, user types: arrive as they were sent") {
  for (int to = 0; to < nunits(); ++to) {
    auto joined = dash::rpc(
        to,
        [](std::string a, const std::vector<std::string>& b, std::map<int, std::string> c) {
          return a + b.at(1) + c.at(3);
        },
        std::string("one "), std::vector<std::string>{"", "two "},
        std::map<int, std::string>{{3, "three"}});
    auto future = dash::rpc(
        to,
        [](Record r) {
          return Record{r.name + "!", {r.values.rbegin(), r.values.rend()}};
        },
        Record{"r", {1, 2, 3}});
    const Record record = future.get();
    CHECK(record.name == "r!");
    CHECK(record.values == std::vector<double>{3, 2, 1});
    CHECK(joined.get() == "one two three");
  }
  dash::barrier();
}

TEST_CASE("rpc: messages of all sizes: arrive completely") {
  const std::vector<std::size_t> sizes{0,      1,      100,    4000,    4064,      4096,     5000,
                                       65'000, 65'536, 65'600, 200'000, 1'000'000, 3'000'000};
  std::vector<dash::Future<std::vector<unsigned char>>> replies;
  for (int to = 0; to < nunits(); ++to) {
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
  for (int to = 0; to < nunits(); ++to) {
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
                return dash::rpc(me(), add, 1, 2).then([v](int three) { return v[0] + three; });
              },
              std::span(values))
              .get() == 4);
  }
  dash::barrier();
}

TEST_CASE("rpc: functions that return futures and coroutines: the call ends with them") {
  for (int to = 0; to < nunits(); ++to) {
    CHECK(dash::rpc(
              to, [](int v) { return dash::async([v] { return v + 1; }); }, 1)
              .get() == 2);
    CHECK(dash::rpc(to, doubled, 21).get() == 42);
  }
  dash::barrier();
}

TEST_CASE("rpc: a task that waits for further calls, 100 deep, from all units at once") {
  std::vector<dash::Future<int>> futures;
  for (int to = 0; to < nunits(); ++to)
    futures.push_back(dash::rpc(to, count_calls, 100));
  for (auto& future : futures)
    CHECK(future.get() == 101);
  dash::quiesce();
}

TEST_CASE("rpc: a task that waits for a lock and a transfer") {
  dash::Array<int> counters(static_cast<std::size_t>(nunits()));
  counters.local[0] = 0;
  dash::Mutex mutex;
  static dash::Mutex* lock = nullptr;
  static dash::Array<int>* array = nullptr;
  lock = &mutex;
  array = &counters;
  dash::barrier();
  std::vector<dash::Future<void>> futures;
  for (int to = 0; to < nunits(); ++to) {
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
  CHECK(static_cast<int>(counters[0]) == 5 * nunits() * nunits());
  dash::barrier();
}

TEST_CASE("rpc: exceptions: keep their registered types, others become exception::Remote") {
  dash::register_exception<OwnError>("OwnError");
  dash::barrier();
  for (int to = 0; to < nunits(); ++to) {
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
  CHECK_THROWS_AS(dash::rpc(nunits(), number_of_unit), dash::exception::InvalidArgument);
  CHECK_THROWS_WITH(dash::rpc(nunits(), number_of_unit),
                    Catch::Matchers::Contains("unit " + std::to_string(nunits()) + " of a team"));
  CHECK_THROWS_AS(dash::rpc(-1, number_of_unit), dash::exception::InvalidArgument);
  CHECK_THROWS_AS(dash::rpc_ff(dash::global_unit_t(nunits()), number_of_unit),
                  dash::exception::InvalidArgument);
  dash::quiesce();
}

TEST_CASE("rpc: dropped and cancelled futures: the call runs nevertheless") {
  static dash::Promise<int> gate;
  gate = {};
  begin();
  for (int to = 0; to < nunits(); ++to) {
    static_cast<void>(dash::rpc(to, [] { ++calls; }));
    auto future = dash::rpc(to, [] {
      gate.get_future().wait();
      return ++calls;
    });
    REQUIRE(future.cancel());
    CHECK_THROWS_AS(future.get(), dash::exception::Cancelled);
  }
  dash::barrier();
  gate.set_value(0);
  dash::quiesce();
  CHECK(calls == 2 * nunits());
}

TEST_CASE("rpc_ff and quiesce: all calls have ended, and those that they have started") {
  begin();
  constexpr int n = 50;
  for (int i = 0; i < n; ++i) {
    for (int to = 0; to < nunits(); ++to) {
      dash::rpc_ff(
          to, dash::tasks::priority::high,
          [](int value) {
            sum += value;
            // Each call starts one at every unit.
            for (int next = 0; next < nunits(); ++next)
              dash::rpc_ff(next, [] { ++calls; });
          },
          i);
    }
  }
  dash::quiesce();
  CHECK(sum == nunits() * n * (n - 1) / 2);
  CHECK(calls == n * nunits() * nunits());
  dash::quiesce();
}

TEST_CASE("quiesce: the futures of calls are ready") {
  begin();
  std::vector<dash::Future<int>> futures;
  for (int i = 0; i < 20; ++i) {
    for (int to = 0; to < nunits(); ++to)
      futures.push_back(dash::rpc(to, add, i, to));
  }
  dash::quiesce();
  // Future::test() would make progress.
  for (const auto& future : futures)
    CHECK(dash::exec::FutureAccess::state(future)->done());
}

TEST_CASE("quiesce: the error of a call without a reply: on its unit, and on the others") {
  if (me() == 0) {
    dash::rpc_ff(nunits() - 1, [] { throw std::domain_error("expected by the test"); });
  }
  if (me() == nunits() - 1) {
    CHECK_THROWS_AS(dash::quiesce(), std::domain_error);
  } else {
    CHECK_THROWS_AS(dash::quiesce(), dash::exception::RuntimeError);
  }
  dash::quiesce();  // reported once
}

TEST_CASE("quiesce in a task: an error") {
  CHECK_THROWS_AS(dash::async([] { dash::quiesce(); }).get(), dash::exception::RuntimeError);
  CHECK_THROWS_AS(dash::rpc(me(), [] { dash::quiesce(); }).get(), dash::exception::RuntimeError);
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

TEST_CASE("quiesce: of teams of different units that use the same id one after the other") {
  if (nunits() < 4) DASH_SKIP("needs two teams of two units");
  begin();
  {
    {
      const dash::Team half = std::move(dash::Team::All().split(2));
      // Calls that end at another unit than they are counted at.
      dash::rpc_ff(0, dash::on(half), [] { ++calls; });
      const dash::DistObject<int> first(1, half);
      const dash::DistObject<int> second(2, half);
      dash::quiesce(half);
    }
    const dash::Team part = std::move(dash::Team::All().split(static_cast<unsigned>(nunits())));
    const dash::DistObject<int> object(3 + me(), part);
    CHECK(object.fetch(0).get() == 3 + me());
    dash::quiesce(part);
  }
  dash::barrier();
}

TEST_CASE("async_at: runs at the owner of each element") {
  dash::Array<int> counts(static_cast<std::size_t>(5 * nunits() + 3));
  std::fill(counts.lbegin(), counts.lend(), 0);
  dash::barrier();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    dash::async_at(
        counts.begin() + static_cast<std::ptrdiff_t>(i),
        [](int& count, int n) { std::atomic_ref(count) += n; }, 2);
    CHECK(dash::async_at(counts[i], [](int&) { return me(); }).get() ==
          counts.pattern().unit_at(static_cast<std::ptrdiff_t>(i)).id);
  }
  dash::quiesce();
  CHECK(
      std::all_of(counts.lbegin(), counts.lend(), [](int count) { return count == 2 * nunits(); }));
  dash::barrier();
}

TEST_CASE("rpc_ff: more messages than fit into the buffers: all arrive") {
  begin();
  const int n = 300;
  const std::string text(20'000, 'x');
  for (int i = 0; i < n; ++i) {
    const int to = (me() + i) % nunits();
    dash::rpc_ff(
        to, [](std::string t) { sum += static_cast<long>(t.size()); }, text);
  }
  dash::quiesce();
  CHECK(dash::test::sum(sum) == 20'000L * n * nunits());
}

TEST_CASE("rpc: views, more than fit into the buffers, from all units at once: no deadlock") {
  const std::vector<char> data(60'000, 1);
  const int to = (me() + 1) % nunits();
  std::vector<dash::Future<long>> futures;
  for (int i = 0; i < 200; ++i) {
    futures.push_back(dash::rpc(
        to,
        [](std::span<const char> chars) {
          // A further call, while the task uses the view.
          const long twice =
              dash::rpc((me() + 1) % nunits(),
                        [](std::span<const char> c) { return 2 * static_cast<long>(c.size()); },
                        chars)
                  .get();
          return std::accumulate(chars.begin(), chars.end(), twice);
        },
        std::span(data)));
  }
  for (auto& future : futures)
    CHECK(future.get() == 180'000);
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
        const int to = i % nunits();
        if (dash::rpc(to, add, i, 1).get() != i + 1) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  CHECK(wrong == 0);
  dash::barrier();
}

namespace {

/// Fails the program if calls of a task that remained at the end have not run in finalize.
struct RemainingCalls {
  ~RemainingCalls() {
    if (expected == count) return;
    std::fprintf(stderr, "%d of %d remaining calls have run in finalize\n", count.load(), expected);
    std::_Exit(1);
  }
  int expected = 0;
  std::atomic<int> count{0};
};
RemainingCalls remaining;

}  // namespace

TEST_CASE("rpc: calls of a task that outlives its call: have ended when finalize returns") {
  remaining.expected = me() == 0 ? 5 : 0;
  dash::barrier();
  if (me() == 0) {
    dash::rpc_ff(nunits() - 1, [] {
      dash::async([] {
        for (int i = 0; i < 50; ++i) {
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
          dash::progress();
        }
        for (int i = 0; i < 5; ++i)
          dash::rpc_ff(0, [] { ++remaining.count; });
      });
    });
  }
  SUCCEED();
}
