// dash-test: parallel ranks=quick units=1,2,3,4 full-units=7 layouts=node,cliques,nolocal
// dash-test: modes=auto,thread,poll smoke=yes

#include "dash/Signal.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "dash/Array.h"
#include "dash/Async.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Task.h"
#include "support/Catch.h"
#include "support/Runner.h"

using index_t = dash::default_index_t;
using namespace std::chrono_literals;

namespace {

dash::team_unit_t neighbour(int distance) {
  const int n = static_cast<int>(dash::size());
  return dash::team_unit_t(((dash::myid().id + distance) % n + n) % n);
}

dash::Task<int> one_more(dash::Future<dash::signal_t> future) {
  const dash::signal_t value = co_await std::move(future);
  co_return static_cast<int>(value) + 1;
}

/// Computes for a random time of up to a millisecond without calling the library.
void compute_for_a_while(std::mt19937& random) {
  std::this_thread::sleep_for(
      std::chrono::microseconds(std::uniform_int_distribution(0, 1000)(random)));
}

}  // namespace

TEST_CASE("put_signal, wait_until: data has arrived, step by step, without a barrier") {
  std::mt19937 random(dash::test::seed() + static_cast<unsigned>(dash::myid()));
  const index_t part = GENERATE(1, 500, 60000);
  dash::Array<int> array(static_cast<std::size_t>(2 * part) * dash::size());
  dash::SignalArray signals(2);
  const auto right = neighbour(1);
  const auto left = neighbour(-1);
  std::vector<int> row(static_cast<std::size_t>(part));
  for (int step = 1; step <= 10; ++step) {
    std::fill(row.begin(), row.end(), 1000 * step + dash::myid().id);
    // Two buffers by parity; the right neighbour signals when it has read one.
    if (step > 2) signals[1].wait_until(static_cast<dash::signal_t>(step - 2));
    const index_t half = part * (step % 2);
    const auto out = array.begin() + 2 * part * right.id + half;
    CHECK(dash::put_signal(row.data(), row.data() + part, out, signals(right), step) == out + part);
    std::fill(row.begin(), row.end(), -1);  // the source may be reused
    if (step % 3 == 0) compute_for_a_while(random);
    signals[0].wait_until(static_cast<dash::signal_t>(step));
    const int* const mine = array.lbegin() + half;
    CHECK(std::count(mine, mine + part, 1000 * step + left.id) == part);
    signals(left, 1).set(static_cast<dash::signal_t>(step));
  }
  array.barrier();
}

TEST_CASE("put_signal to several units: the signal is raised when all of the data is visible") {
  const auto distribution = GENERATE(0, 1, 2) == 0 ? dash::Distribution(dash::BLOCKED)
                                                   : dash::Distribution(dash::BLOCKCYCLIC(7));
  dash::Array<int> array(1000, distribution);
  dash::SignalArray signals;
  std::vector<int> values(1000);
  std::iota(values.begin(), values.end(), 5);
  const auto last = dash::team_unit_t(static_cast<int>(dash::size()) - 1);
  if (dash::myid() == 0) {
    auto future = dash::put_signal_async(values.data(), values.data() + 1000, array.begin(),
                                         signals(last), 1);
    CHECK(future.get() == array.end());
  }
  if (dash::myid() == last.id) {
    signals[0].wait_until(1);
    bool same = true;
    for (index_t i = 0; i < 1000; ++i)
      same = same && array[i] == values[static_cast<std::size_t>(i)];
    CHECK(same);
  }
  array.barrier();
}

TEST_CASE("A signal that all units add to counts them all") {
  std::mt19937 random(dash::test::seed() + static_cast<unsigned>(dash::myid()));
  const int rounds = 50;
  dash::Array<int> array(dash::size() * dash::size());
  dash::SignalArray signals;
  for (int round = 1; round <= rounds; ++round) {
    const int value = round * 100 + dash::myid().id;
    if (round % 10 == 0) compute_for_a_while(random);
    for (int unit = 0; unit < static_cast<int>(dash::size()); ++unit) {
      const auto out = array.begin() + unit * static_cast<index_t>(dash::size()) + dash::myid().id;
      dash::put_signal(&value, &value + 1, out, signals(dash::team_unit_t(unit)), 1,
                       dash::SignalOp::add);
    }
    signals[0].wait_until(static_cast<dash::signal_t>(round) *
                          static_cast<dash::signal_t>(dash::size()));
    bool all_arrived = true;
    for (int unit = 0; unit < static_cast<int>(dash::size()); ++unit)
      all_arrived = all_arrived && array.lbegin()[unit] >= round * 100 + unit;
    CHECK(all_arrived);
    dash::barrier();
  }
  CHECK(signals[0].reset() == rounds * dash::size());
  CHECK(signals[0].value() == 0);
  dash::barrier();
}

TEST_CASE("when: futures of signals, with get, then, when_all, when_any and co_await") {
  dash::SignalArray signals(4);
  CHECK(signals[0].when(0).test());
  auto first = signals[0].when(3);
  auto doubled = signals[1].when(4).then([](dash::signal_t value) { return 2 * value; });
  std::vector<dash::Future<dash::signal_t>> several;
  several.push_back(signals[2].when(1));
  several.push_back(signals[3].when(1));
  auto any = dash::when_any(std::move(several));
  auto coroutine = one_more(signals[0].when(7)).start();
  dash::barrier();
  CHECK_FALSE(first.wait_for(1ms));
  dash::barrier();
  const auto right = neighbour(1);
  signals(right, 0).set(3);
  CHECK(first.get() >= 3);  // the left neighbour may be ahead
  signals(right, 3).add();
  CHECK(any.get().index == 1);
  dash::barrier();  // the left neighbour raises the other signal after that
  signals(right, 1).add(5);
  CHECK(doubled.get() == 10);
  signals(right, 2).set(1);
  signals(right, 0).set(7);
  CHECK(coroutine.get() == 8);
  dash::barrier();
}

TEST_CASE("Tasks wait for signals of other units in random order: all finish") {
  std::mt19937 random(dash::test::seed());  // equal on all units
  const int n = 60;
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  dash::SignalArray signals(n);
  std::atomic<int> finished{0};
  std::vector<dash::Future<void>> tasks;
  // Task order[k] waits for its signal and raises that of order[k + 1] at the right neighbour.
  for (int task = 0; task < n; ++task) {
    const auto location = std::find(order.begin(), order.end(), task) - order.begin();
    tasks.push_back(dash::async([&, task, location] {
      if (task % 2 == 0) {
        signals[static_cast<std::size_t>(task)].wait_until(1);
      } else {
        signals[static_cast<std::size_t>(task)].when(1).get();
      }
      if (location + 1 < n) {
        signals(neighbour(1),
                static_cast<std::size_t>(order[static_cast<std::size_t>(location) + 1]))
            .set(1);
      }
      ++finished;
    }));
  }
  signals(neighbour(1), static_cast<std::size_t>(order[0])).set(1);
  dash::when_all(std::move(tasks)).wait();
  CHECK(finished == n);
  dash::barrier();
}

TEST_CASE("Many futures of one signal, some of them dropped, from several threads") {
  dash::SignalArray signals;
  std::vector<dash::Future<dash::signal_t>> futures;
  for (dash::signal_t value = 1; value <= 300; ++value) {
    futures.push_back(signals[0].when(value));
    signals[0].when(1000 + value);  // dropped: must not leave anything behind
  }
  std::atomic<int> woken{0};
  std::vector<std::thread> threads;
  const int num_threads = dash::is_multithreaded() ? 3 : 0;
  for (int thread = 0; thread < num_threads; ++thread) {
    threads.emplace_back([&, thread] {
      signals[0].wait_until(static_cast<dash::signal_t>(100 * (thread + 1)));
      ++woken;
    });
  }
  for (dash::signal_t value = 1; value <= 300; ++value) {
    signals(neighbour(1)).set(value);
    if (value % 50 == 0) futures[value - 1].wait();
  }
  for (dash::signal_t value = 1; value <= 300; ++value)
    CHECK(futures[value - 1].get() >= value);
  for (std::thread& thread : threads)
    thread.join();
  CHECK(woken == num_threads);
  dash::barrier();
}

TEST_CASE("A future of a signal dropped while the signal arrives") {
  if (!dash::is_multithreaded()) DASH_SKIP("needs MPI_THREAD_MULTIPLE");
  dash::SignalArray signals(2);
  // Many futures of another signal, so that finding this one in their list takes a while.
  std::vector<dash::Future<dash::signal_t>> others;
  for (int i = 0; i < 500; ++i)
    others.push_back(signals[1].when(1));
  std::atomic<bool> stop{false};
  std::thread poller([&] {
    while (!stop)
      dash::progress();
  });
  constexpr dash::signal_t times = 5000;
  for (dash::signal_t i = 1; i <= times; ++i) {
    const dash::Future<dash::signal_t> dropped = signals[0].when(i);
    signals[0].add(1);
  }
  stop = true;
  poller.join();
  CHECK(signals[0].when(times).get() == times);
  signals[1].add(1);
  for (dash::Future<dash::signal_t>& other : others)
    CHECK(other.get() == 1);
}

TEST_CASE("A future whose signal is destroyed fails") {
  dash::Future<dash::signal_t> future;
  {
    dash::SignalArray signals;
    future = signals[0].when(1);
  }
  CHECK_THROWS_AS(future.get(), dash::exception::RuntimeError);
}

TEST_CASE("Invalid signals and unallocated ranges: errors") {
  dash::SignalArray signals(2);
  CHECK_THROWS_AS(signals(dash::team_unit_t(0), 2), dash::exception::InvalidArgument);
  CHECK_THROWS_AS(signals(dash::team_unit_t(static_cast<int>(dash::size()))),
                  dash::exception::InvalidArgument);
  CHECK_THROWS_AS(dash::GlobSignal().set(1), dash::exception::InvalidArgument);
  dash::Array<int> array(10);
  const int value = 1;
  CHECK_THROWS_AS(
      dash::put_signal(&value, &value + 1, dash::GlobPtr<int>(), signals(neighbour(0)), 1),
      dash::exception::InvalidArgument);
  // An empty range: only raises the signal.
  dash::put_signal(&value, &value, array.begin(), signals(neighbour(1)), 1);
  signals[0].wait_until(1);
  dash::barrier();
}

TEST_CASE("Signal::reset: a value that a thread waits for ends its wait") {
  if (!dash::is_multithreaded()) DASH_SKIP("needs MPI_THREAD_MULTIPLE");
  dash::SignalArray signals(1);
  std::atomic<bool> ended = false;
  std::thread waits([&] {
    signals[0].wait_until(5);
    ended = true;
  });
  std::this_thread::sleep_for(50ms);  // until the thread sleeps
  CHECK(signals[0].reset(5) == 0);
  for (int i = 0; i < 100 && !ended; ++i)
    std::this_thread::sleep_for(10ms);
  CHECK(ended);
  signals[0].add();  // ends a wait that the reset has not ended
  waits.join();
  dash::barrier();
}
