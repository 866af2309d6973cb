// dash-test: serial link=objects

#include "copy/CopyEngine.h"

#include <atomic>
#include <chrono>
#include <random>
#include <thread>
#include <vector>

#include "copy/BytesCopy.h"
#include "dash/async/Operation.h"
#include "dash/core/Topology.h"
#include "support/Catch.h"
#include "support/Runner.h"

using dash::core::NumaDomain;
using dash::exec::BytesCopy;
using dash::exec::CopyEngine;
using dash::exec::CopyJob;
using dash::exec::Demand;
using dash::exec::Operation;
using dash::exec::State;
using dash::exec::StatePtr;

namespace {

/// A simulated machine: the domains of pages and the processor of the caller.
struct SimulatedMachine {
  static inline std::atomic<const char*> of_second{
      nullptr};  // memory from this address on is in domain 7
  static inline thread_local int processor = 0;

  static int domain_of(const void* address) noexcept {
    if (of_second.load() == nullptr) return NumaDomain::unknown;
    return static_cast<const char*>(address) < of_second.load() ? 3 : 7;
  }
  static int this_processor() noexcept { return processor; }

  static CopyEngine::Machine machine() { return {domain_of, this_processor}; }
  /// Processors 0 to 3 with memory 3, 4 to 7 with memory 7.
  static std::vector<NumaDomain> domains() {
    return {{dash::core::CpuSet::range(0, 4), 3}, {dash::core::CpuSet::range(4, 8), 7}};
  }
};

/// Records the order in which chunks are taken.
class RecordedCopy final : public CopyJob {
 public:
  RecordedCopy(const void* memory, std::size_t nbytes, std::size_t chunk, int id,
               std::vector<int>& taken)
      : CopyJob(memory, memory, nbytes, chunk), _id(id), _taken(taken) {}

 private:
  void copy(std::size_t, std::size_t) noexcept override { _taken.push_back(_id); }

  int _id;
  std::vector<int>& _taken;
};

Operation submit(CopyEngine& engine, CopyJob* job) {
  Operation operation(StatePtr<State>::share(job));
  engine.submit(*job);
  return operation;
}

/// Counts how often each byte is copied, with random delays between threads.
class DelayedCopy final : public CopyJob {
 public:
  DelayedCopy(std::vector<std::atomic<unsigned char>>& times, std::size_t chunk, unsigned seed)
      : CopyJob(times.data(), times.data(), times.size(), chunk), _times(times), _seed(seed) {}

 private:
  void copy(std::size_t begin, std::size_t length) noexcept override {
    std::minstd_rand random(_seed + static_cast<unsigned>(begin));
    if (random() % 4 == 0) {
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 50));
    } else if (random() % 4 == 0) {
      std::this_thread::yield();
    }
    for (std::size_t i = begin; i < begin + length; ++i)
      _times[i].fetch_add(1, std::memory_order_relaxed);
  }

  std::vector<std::atomic<unsigned char>>& _times;
  unsigned _seed;
};

}  // namespace

TEST_CASE("Copies of different sizes take turns, one chunk each", "[CopyEngine]") {
  CopyEngine engine;
  std::vector<int> taken;
  const char memory = 0;
  submit(engine, new RecordedCopy(&memory, 50, 10, 0, taken));
  submit(engine, new RecordedCopy(&memory, 25, 10, 1, taken));
  const Operation last = submit(engine, new RecordedCopy(&memory, 10, 10, 2, taken));
  REQUIRE(engine.demand() == Demand::busy);
  while (engine.poll()) {
  }
  REQUIRE(taken == std::vector<int>{0, 1, 2, 0, 1, 0, 1, 0, 0});
  REQUIRE(last.done());
  REQUIRE(engine.demand() == Demand::none);
}

TEST_CASE("A thread takes copies to memory of its domain first", "[CopyEngine]") {
  std::vector<char> memory(2);
  CopyEngine engine(SimulatedMachine::machine());
  engine.set_domains(SimulatedMachine::domains());
  SimulatedMachine::of_second = memory.data() + 1;
  std::vector<int> taken;
  submit(engine, new RecordedCopy(memory.data(), 20, 10, 0, taken));
  submit(engine, new RecordedCopy(memory.data() + 1, 20, 10, 1, taken));
  SimulatedMachine::processor = 5;
  while (engine.poll()) {
  }
  REQUIRE(taken == std::vector<int>{1, 1, 0, 0});

  taken.clear();
  submit(engine, new RecordedCopy(memory.data() + 1, 10, 10, 1, taken));
  submit(engine, new RecordedCopy(memory.data(), 10, 10, 0, taken));
  SimulatedMachine::processor = 2;
  while (engine.poll()) {
  }
  REQUIRE(taken == std::vector<int>{0, 1});
  SimulatedMachine::of_second = nullptr;
  SimulatedMachine::processor = 0;
}

TEST_CASE("A copy of memory outside of the unit's domains goes to the domain of the caller",
          "[CopyEngine]") {
  CopyEngine engine(SimulatedMachine::machine());
  engine.set_domains(SimulatedMachine::domains());
  SimulatedMachine::of_second = nullptr;
  const char memory = 0;
  std::vector<int> taken;
  SimulatedMachine::processor = 6;
  submit(engine, new RecordedCopy(&memory, 10, 10, 1, taken));
  SimulatedMachine::processor = 1;
  submit(engine, new RecordedCopy(&memory, 10, 10, 0, taken));
  SimulatedMachine::processor = 1000000;  // in no domain: uses the first one
  while (engine.poll()) {
  }
  REQUIRE(taken == std::vector<int>{0, 1});
  SimulatedMachine::processor = 0;
}

TEST_CASE("Threads that take chunks with random delays copy each byte once",
          "[CopyEngine][stress]") {
  const bool several = GENERATE(false, true);
  std::mt19937 random(dash::test::seed());
  CopyEngine engine(SimulatedMachine::machine());
  if (several) engine.set_domains(SimulatedMachine::domains());
  constexpr int num_copies = 60;
  std::vector<std::vector<std::atomic<unsigned char>>> times;
  std::vector<std::size_t> chunks;
  for (int i = 0; i < num_copies; ++i) {
    times.emplace_back(1 + random() % 4000);
    chunks.push_back(1 + random() % 300);
  }
  std::atomic<bool> stop{false};
  std::vector<std::thread> takers;
  for (int t = 0; t < 3; ++t) {
    takers.emplace_back([&, t] {
      SimulatedMachine::processor = 3 * t;
      while (!stop.load()) {
        if (!engine.poll()) std::this_thread::yield();
      }
    });
  }
  std::atomic<int> wrong{0};
  std::vector<std::thread> starters;
  for (int t = 0; t < 2; ++t) {
    starters.emplace_back([&, t] {
      SimulatedMachine::processor = 4 * t;
      for (std::size_t i = static_cast<std::size_t>(t); i < num_copies; i += 2) {
        const Operation copy =
            submit(engine, new DelayedCopy(times[i], chunks[i], static_cast<unsigned>(i)));
        if (i % 3 == 0) continue;  // other threads copy it
        while (!copy.done()) {
          if (!engine.poll()) std::this_thread::yield();
        }
        for (const std::atomic<unsigned char>& each : times[i]) {
          if (each.load(std::memory_order_relaxed) != 1) ++wrong;
        }
      }
    });
  }
  for (std::thread& starter : starters)
    starter.join();
  while (engine.poll()) {
  }
  stop = true;
  for (std::thread& taker : takers)
    taker.join();
  for (const auto& copy : times) {
    for (const std::atomic<unsigned char>& each : copy)
      if (each.load() != 1) ++wrong;
  }
  REQUIRE(wrong == 0);
}

TEST_CASE("Chunks of strided copies are whole blocks that take about the same time",
          "[CopyEngine]") {
  const std::size_t chunk = CopyJob::chunk_bytes();
  CHECK(CopyJob::chunk_bytes_for_blocks(8) == chunk / 64 * 8);  // each block transfers a cache line
  CHECK(CopyJob::chunk_bytes_for_blocks(64) == chunk);
  CHECK(CopyJob::chunk_bytes_for_blocks(100) == chunk / 100 * 100);
  CHECK(CopyJob::chunk_bytes_for_blocks(chunk) == chunk);
  CHECK(CopyJob::chunk_bytes_for_blocks(10 * chunk) == chunk);  // splits blocks
}

TEST_CASE("Copies on the actual machine pass through the queues of its domains", "[CopyEngine]") {
  CopyEngine engine;
  const dash::core::Topology topology = dash::core::Topology::load();
  engine.set_domains(dash::core::numa_domains(topology, topology.allowed()));
  const std::vector<char> source(1'000'000, 'x');
  std::vector<char> target(source.size());
  const Operation copy = submit(engine, new BytesCopy(target.data(), source.data(), source.size()));
  while (engine.poll()) {
  }
  REQUIRE(copy.done());
  REQUIRE(target == source);
}
