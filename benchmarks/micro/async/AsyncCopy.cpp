// dash-bench: units=2 layouts=node
//
// Asynchronous copies: by two processors if both are idle, compared with memcpy by two threads; the
// fairness of concurrent copies; copies while the other processor computes, compared with memcpy; strided
// and indexed copies, compared with a loop.

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
#include "support/Comparison.h"
#include "support/Machine.h"
#include "support/Measure.h"
#include "support/Sampling.h"
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

/// memcpy by the caller and a second thread on the processors that the caller does not use.
class TwoThreadMemcpy {
 public:
  TwoThreadMemcpy() {
    dash::core::CpuSet others;
    const dash::core::CpuSet mine = dash::core::this_thread_affinity();
    const dash::core::CpuSet all = find_placement().processors;
    for (const int cpu : all) {
      if (mine.count() != 1 || !mine.test(cpu)) others.set(cpu);
    }
    _thread = std::thread([this, others] {
      dash::core::bind_this_thread(others);
      for (int round = 1;; ++round) {
        _round_started.wait(round - 1);
        if (_nbytes == 0) return;
        std::memcpy(_to, _from, _nbytes);
        _round_done.store(round, std::memory_order_release);
      }
    });
  }
  ~TwoThreadMemcpy() {
    start(nullptr, nullptr, 0);
    _thread.join();
  }
  TwoThreadMemcpy(const TwoThreadMemcpy&) = delete;
  TwoThreadMemcpy& operator=(const TwoThreadMemcpy&) = delete;

  void copy(char* to, const char* from, std::size_t nbytes) {
    const std::size_t half = nbytes / 2;
    const int round = start(to + half, from + half, nbytes - half);
    std::memcpy(to, from, half);
    while (_round_done.load(std::memory_order_acquire) != round) {
    }
    clobber_memory(to);
  }

 private:
  int start(char* to, const char* from, std::size_t nbytes) {
    _to = to;
    _from = from;
    _nbytes = nbytes;
    const int round = _round_started.load(std::memory_order_relaxed) + 1;
    _round_started.store(round, std::memory_order_release);
    _round_started.notify_one();
    return round;
  }

  char* _to = nullptr;
  const char* _from = nullptr;
  std::size_t _nbytes = 0;
  std::atomic<int> _round_started{0};
  std::atomic<int> _round_done{0};
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
    measure_during_computation();
    measure_blocks();
    if (!_world.is_first_unit()) return;
    _table.add_note(
        "Two threads: the second one runs on the other processor and sleeps before each copy.");
    _table.add_note("16 concurrent copies: completion times since the start of the first copy.");
    _table.print();
  }

 private:
  /// Repeats `each` so that a sample takes some milliseconds.
  template <class Each>
  Candidate repeated(std::size_t nbytes, PeerWait peer_wait, Each each) {
    const long repetitions = std::max(1L, static_cast<long>(16 * mib / nbytes));
    return [=] {
      return measure_on_first_unit(peer_wait,
                                   [=] { return measure_ns_per_call(repetitions, each); });
    };
  }

  /// The same, while the other unit computes and does not call the library.
  template <class Each>
  Candidate during_computation(std::size_t nbytes, Each each) {
    const long repetitions = std::max(1L, static_cast<long>(16 * mib / nbytes));
    return [=, this] {
      std::atomic_ref<int> is_finished(*reinterpret_cast<int*>(_memory.address(target) + largest));
      double result = 0;
      if (_world.is_first_unit()) {
        result = measure_ns_per_call(repetitions, each);
        is_finished.store(1, std::memory_order_release);
      } else if (_world.unit() == target) {
        while (is_finished.load(std::memory_order_acquire) == 0)
          compute(100'000);
        is_finished.store(0, std::memory_order_relaxed);
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
      clobber_memory(_own.data());
    };
  }

  void measure_two_processors() {
    TwoThreadMemcpy two_threads;
    for (const std::size_t nbytes : {mib, 4 * mib, 16 * mib, largest}) {
      const Outcome outcome =
          compare(repeated(nbytes, PeerWait::dart_barrier, copy_async_of(nbytes)),
                  repeated(nbytes, PeerWait::dart_barrier,
                           [&, nbytes](long) { two_threads.copy(_own.data(), _mapped, nbytes); }));
      _table.add(make_row("copy_async, both processors idle", format_size(nbytes),
                          "memcpy by two threads", outcome,
                          nbytes == largest ? speed_at_least(0.95) : Goal{}));
    }
  }

  void measure_fairness() {
    constexpr std::size_t nbytes = 4 * mib;
    Samples spreads;
    const auto sample = [&] {
      return measure_on_first_unit(PeerWait::dart_barrier,
                                   [&] { return slowest_over_fastest(nbytes); });
    };
    sample();
    for (int i = 0; i < scaled_rounds(rounds); ++i)
      spreads.push_back(sample());
    const Interval interval = interval_of_median(spreads);
    _table.add(with_figures({"16 concurrent copies: slowest over fastest", format_size(nbytes), "",
                             "", "", to_string(interval), "<= 1.5", interval.low <= 1.5},
                            {spreads, {}, {}, "slowest / fastest"}));
  }

  double slowest_over_fastest(std::size_t nbytes) {
    /// Records the time at which an operation completes.
    class CompletionTime final : public dash::exec::Continuation {
     public:
      CompletionTime() noexcept : Continuation(Where::inline_) {}
      void run() noexcept override { at = dash::core::now_ns(); }
      std::uint64_t at = 0;
    };
    std::array<CompletionTime, concurrent> times;
    std::vector<dash::exec::Operation> copies;
    const std::uint64_t begin = dash::core::now_ns();
    for (std::size_t i = 0; i < concurrent; ++i) {
      dart_gptr_t from = _begin;
      from.addr_or_offs.offset = i * nbytes;
      copies.push_back(dash::dart::get_async(_own.data() + i * nbytes, from, nbytes));
      if (!copies.back().state() || !copies.back().state()->attach(times[i])) times[i].run();
    }
    for (dash::exec::Operation& copy : copies)
      copy.wait();
    const auto [first, last] = std::minmax_element(
        times.begin(), times.end(),
        [](const CompletionTime& a, const CompletionTime& b) { return a.at < b.at; });
    return static_cast<double>(last->at - begin) / static_cast<double>(first->at - begin);
  }

  void measure_during_computation() {
    for (const std::size_t nbytes : {64 * kib, 256 * kib, mib, 4 * mib, 16 * mib, largest}) {
      const Outcome outcome = compare(during_computation(nbytes, copy_async_of(nbytes)),
                                      during_computation(nbytes, memcpy_of(nbytes)));
      _table.add(make_row("copy_async, the other unit computes", format_size(nbytes), "memcpy",
                          outcome, nbytes >= mib ? ratio_at_most(1.05) : Goal{}));
    }
  }

  /// Copies blocks of the target's memory with gaps of the same length, in order and in random order.
  void measure_blocks() {
    constexpr std::size_t nbytes = 16 * mib;
    for (const std::size_t block : {8UL, 64UL, 4 * kib, mib}) {
      dart_datatype_t type = DART_TYPE_UNDEFINED;
      check(dart_type_create_strided(DART_TYPE_BYTE, 2 * block, block, &type));
      add_block_rows("strided get, blocks of " + format_size(block), type, nbytes, block,
                     [=](std::size_t i) { return 2 * block * i; });
      check(dart_type_destroy(&type));
    }
    constexpr std::size_t block = 64;
    std::vector<std::size_t> offsets(nbytes / block);
    std::iota(offsets.begin(), offsets.end(), std::size_t{0});
    std::shuffle(offsets.begin(), offsets.end(), std::mt19937(1));
    for (std::size_t& offset : offsets)
      offset *= 2 * block;
    const std::vector<std::size_t> lengths(offsets.size(), block);
    dart_datatype_t type = DART_TYPE_UNDEFINED;
    check(dart_type_create_indexed(DART_TYPE_BYTE, offsets.size(), lengths.data(), offsets.data(),
                                   &type));
    add_block_rows("indexed get, blocks of 64 B", type, nbytes, block,
                   [&](std::size_t i) { return offsets[i]; });
    check(dart_type_destroy(&type));
  }

  /// \param offset_of  the offset of the i-th block in the target's memory
  template <class OffsetOf>
  void add_block_rows(const std::string& name, dart_datatype_t type, std::size_t nbytes,
                      std::size_t block, OffsetOf offset_of) {
    const auto ours = [&](long) {
      dart_handle_t handle = DART_HANDLE_NULL;
      check(dart_get_handle(_own.data(), _begin, nbytes, type, DART_TYPE_BYTE, &handle));
      check(dart_wait(&handle));
    };
    const auto loop = [&](long) {
      for (std::size_t i = 0; i < nbytes / block; ++i)
        std::memcpy(_own.data() + i * block, _mapped + offset_of(i), block);
      clobber_memory(_own.data());
    };
    _table.add(make_row(name + ", both processors idle", format_size(nbytes), "loop",
                        compare(repeated(nbytes, PeerWait::dart_barrier, ours),
                                repeated(nbytes, PeerWait::dart_barrier, loop)),
                        ratio_at_most(1.0)));
    _table.add(make_row(name + ", the other unit computes", format_size(nbytes), "loop",
                        compare(during_computation(nbytes, ours), during_computation(nbytes, loop)),
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
  if (world.units() != 2 || !world.on_one_node())
    throw std::runtime_error("this benchmark needs two units on one node");
  Program(world).measure();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
