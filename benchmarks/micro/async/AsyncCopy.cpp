// dash-bench: units=2 layouts=node
//
// Copies in the background: by two processors where two are free, against memcpy by two threads;
// fair to one another; no slower than memcpy where the other processor computes; strided and
// indexed ones against a loop.

#include <dash/dart/Transfer.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <numeric>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

#include "dash/core/Topology.h"
#include "support/Contest.h"
#include "support/Effort.h"
#include "support/Machine.h"
#include "support/Measure.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr int target = 1;
constexpr std::size_t kib = 1024;
constexpr std::size_t mib = 1024 * kib;
constexpr std::size_t largest = 64 * mib;
constexpr std::size_t concurrent = 16;
constexpr int rounds = 41;

/// memcpy by the caller and a thread on the processors that the caller does not use.
class TwoThreads {
 public:
  TwoThreads() {
    dash::core::CpuSet others;
    const dash::core::CpuSet mine = dash::core::this_thread_affinity();
    const dash::core::CpuSet all = find_placement().processors;
    for (const int cpu : all) {
      if (mine.count() != 1 || !mine.test(cpu)) others.set(cpu);
    }
    _thread = std::thread([this, others] {
      dash::core::bind_this_thread(others);
      for (int round = 1;; ++round) {
        _order.wait(round - 1);
        if (_nbytes == 0) return;
        std::memcpy(_to, _from, _nbytes);
        _done.store(round, std::memory_order_release);
      }
    });
  }
  ~TwoThreads() {
    start(nullptr, nullptr, 0);
    _thread.join();
  }
  TwoThreads(const TwoThreads&) = delete;
  TwoThreads& operator=(const TwoThreads&) = delete;

  void copy(char* to, const char* from, std::size_t nbytes) {
    const std::size_t half = nbytes / 2;
    const int round = start(to + half, from + half, nbytes - half);
    std::memcpy(to, from, half);
    while (_done.load(std::memory_order_acquire) != round) {
    }
    keep_memory(to);
  }

 private:
  int start(char* to, const char* from, std::size_t nbytes) {
    _to = to;
    _from = from;
    _nbytes = nbytes;
    const int round = _order.load(std::memory_order_relaxed) + 1;
    _order.store(round, std::memory_order_release);
    _order.notify_one();
    return round;
  }

  char* _to = nullptr;
  const char* _from = nullptr;
  std::size_t _nbytes = 0;
  std::atomic<int> _order{0};
  std::atomic<int> _done{0};
  std::thread _thread;
};

class Program {
 public:
  explicit Program(const World& world)
      : _world(world),
        _memory(2 * largest),
        _begin(_memory.at(target)),
        _mapped(_memory.address(target)),
        _own(largest, 1) {
    std::memset(_memory.address(world.unit()), 1, 2 * largest);
  }

  void measure() {
    measure_two_processors();
    measure_fairness();
    measure_beside_computation();
    measure_runs();
    if (!_world.leads()) return;
    _table.note("Two threads: the second one on the other processor, asleep before each copy.");
    _table.note("16 concurrent copies: when each is complete, from the start of the first.");
    _table.print();
  }

 private:
  /// A sample of `each`, done so often that it takes some milliseconds.
  template <class Each>
  Contestant repeated(std::size_t nbytes, Peers peers, Each each) {
    const long repetitions = std::max(1L, static_cast<long>(16 * mib / nbytes));
    return [=] { return alone(peers, [=] { return time_each(repetitions, each); }); };
  }

  /// The same, while the other unit computes and calls nothing.
  template <class Each>
  Contestant beside_computation(std::size_t nbytes, Each each) {
    const long repetitions = std::max(1L, static_cast<long>(16 * mib / nbytes));
    return [=, this] {
      std::atomic_ref<int> over(*reinterpret_cast<int*>(_memory.address(target) + largest));
      double result = 0;
      if (_world.leads()) {
        result = time_each(repetitions, each);
        over.store(1, std::memory_order_release);
      } else if (_world.unit() == target) {
        while (over.load(std::memory_order_acquire) == 0)
          compute(100'000);
        over.store(0, std::memory_order_relaxed);
      }
      check(dart_barrier(DART_TEAM_ALL));
      return result;
    };
  }

  auto copy_async_of(std::size_t nbytes) {
    return [=, this](long) { dash::dart::get_async(_own.data(), _begin, nbytes).wait(); };
  }
  auto memcpy_of(std::size_t nbytes) {
    return [=, this](long) {
      std::memcpy(_own.data(), _mapped, nbytes);
      keep_memory(_own.data());
    };
  }

  void measure_two_processors() {
    TwoThreads two;
    for (const std::size_t nbytes : {mib, 4 * mib, 16 * mib, largest}) {
      const Outcome outcome = contest(repeated(nbytes, Peers::asleep, copy_async_of(nbytes)),
                                      repeated(nbytes, Peers::asleep, [&, nbytes](long) {
                                        two.copy(_own.data(), _mapped, nbytes);
                                      }));
      _table.add(row_of("copy_async, both processors free", size_of(nbytes),
                        "memcpy by two threads", outcome,
                        nbytes == largest ? speed_at_least(0.95) : Bar{}));
    }
  }

  void measure_fairness() {
    constexpr std::size_t nbytes = 4 * mib;
    Samples spreads;
    const auto sample = [&] {
      return alone(Peers::asleep, [&] { return slowest_over_fastest(nbytes); });
    };
    sample();
    for (int i = 0; i < rounds_at_effort(rounds); ++i)
      spreads.push_back(sample());
    const Interval interval = interval_of_median(spreads);
    _table.add(with_figures({"16 concurrent copies: slowest over fastest", size_of(nbytes), "", "",
                             "", text_of(interval), "<= 1.5", interval.low <= 1.5},
                            {spreads, {}, {}, "times the fastest"}));
  }

  double slowest_over_fastest(std::size_t nbytes) {
    /// Notes when an operation is complete.
    class Clock final : public dash::exec::Continuation {
     public:
      Clock() noexcept : Continuation(Where::inline_) {}
      void run() noexcept override { at = dash::core::now_ns(); }
      std::uint64_t at = 0;
    };
    std::array<Clock, concurrent> clocks;
    std::vector<dash::exec::Operation> copies;
    const std::uint64_t begin = dash::core::now_ns();
    for (std::size_t i = 0; i < concurrent; ++i) {
      dart_gptr_t from = _begin;
      from.addr_or_offs.offset = i * nbytes;
      copies.push_back(dash::dart::get_async(_own.data() + i * nbytes, from, nbytes));
      if (!copies.back().state() || !copies.back().state()->attach(clocks[i])) clocks[i].run();
    }
    for (dash::exec::Operation& copy : copies)
      copy.wait();
    const auto [first, last] = std::minmax_element(
        clocks.begin(), clocks.end(), [](const Clock& a, const Clock& b) { return a.at < b.at; });
    return static_cast<double>(last->at - begin) / static_cast<double>(first->at - begin);
  }

  void measure_beside_computation() {
    for (const std::size_t nbytes : {64 * kib, 256 * kib, mib, 4 * mib, 16 * mib, largest}) {
      const Outcome outcome = contest(beside_computation(nbytes, copy_async_of(nbytes)),
                                      beside_computation(nbytes, memcpy_of(nbytes)));
      _table.add(row_of("copy_async, the other unit computes", size_of(nbytes), "memcpy", outcome,
                        nbytes >= mib ? ratio_at_most(1.05) : Bar{}));
    }
  }

  /// Copies runs out of the target's memory, as far apart as they are long, in order and not.
  void measure_runs() {
    constexpr std::size_t nbytes = 16 * mib;
    for (const std::size_t run : {8UL, 64UL, 4 * kib, mib}) {
      dart_datatype_t type = DART_TYPE_UNDEFINED;
      check(dart_type_create_strided(DART_TYPE_BYTE, 2 * run, run, &type));
      add_runs("strided get, runs of " + size_of(run), type, nbytes, run,
               [=](std::size_t i) { return 2 * run * i; });
      check(dart_type_destroy(&type));
    }
    constexpr std::size_t run = 64;
    std::vector<std::size_t> order(nbytes / run);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), std::mt19937(1));
    for (std::size_t& place : order)
      place *= 2 * run;
    const std::vector<std::size_t> lengths(order.size(), run);
    dart_datatype_t type = DART_TYPE_UNDEFINED;
    check(dart_type_create_indexed(DART_TYPE_BYTE, order.size(), lengths.data(), order.data(),
                                   &type));
    add_runs("indexed get, runs of 64 B", type, nbytes, run,
             [&](std::size_t i) { return order[i]; });
    check(dart_type_destroy(&type));
  }

  template <class Place>
  void add_runs(const std::string& what, dart_datatype_t type, std::size_t nbytes, std::size_t run,
                Place place) {
    const auto ours = [&](long) {
      dart_handle_t handle = DART_HANDLE_NULL;
      check(dart_get_handle(_own.data(), _begin, nbytes, type, DART_TYPE_BYTE, &handle));
      check(dart_wait(&handle));
    };
    const auto loop = [&](long) {
      for (std::size_t i = 0; i < nbytes / run; ++i)
        std::memcpy(_own.data() + i * run, _mapped + place(i), run);
      keep_memory(_own.data());
    };
    _table.add(row_of(
        what + ", both processors free", size_of(nbytes), "loop",
        contest(repeated(nbytes, Peers::asleep, ours), repeated(nbytes, Peers::asleep, loop)),
        ratio_at_most(1.0)));
    _table.add(row_of(what + ", the other unit computes", size_of(nbytes), "loop",
                      contest(beside_computation(nbytes, ours), beside_computation(nbytes, loop)),
                      ratio_at_most(1.05)));
  }

  const World& _world;
  GlobalMemory _memory;
  dart_gptr_t _begin;
  char* _mapped;
  std::vector<char> _own;
  Table _table;
};

void measure(const World& world) {
  if (world.units() != 2 || !world.on_one_node()) throw std::runtime_error("needs two units");
  Program(world).measure();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
