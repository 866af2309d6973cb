// dash-test: serial link=objects

#include "copy/CopyEngine.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <random>
#include <thread>
#include <vector>

#include "copy/BytesCopy.h"
#include "dash/core/Topology.h"
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

/// Where pages lie and where the caller runs, on a machine that the tests make up.
struct Invented {
  static inline std::atomic<const char*> of_second{nullptr};  // memory from here on is of domain 7
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

/// Notes which quanta were taken, in order, and by whom.
class NotedCopy final : public CopyJob {
 public:
  NotedCopy(const void* place, std::size_t nbytes, std::size_t quantum, int id,
            std::vector<int>& taken)
      : CopyJob(place, place, nbytes, quantum), _id(id), _taken(taken) {}

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

/// Bytes that are counted as they are copied, with a random delay where threads hand over.
class DelayedCopy final : public CopyJob {
 public:
  DelayedCopy(std::vector<std::atomic<unsigned char>>& times, std::size_t quantum, unsigned seed)
      : CopyJob(times.data(), times.data(), times.size(), quantum), _times(times), _seed(seed) {}

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

TEST_CASE("Copies take turns, a quantum each, whatever their sizes", "[CopyEngine]") {
  CopyEngine engine;
  std::vector<int> taken;
  const char memory = 0;
  submit(engine, new NotedCopy(&memory, 50, 10, 0, taken));
  submit(engine, new NotedCopy(&memory, 25, 10, 1, taken));
  const Operation last = submit(engine, new NotedCopy(&memory, 10, 10, 2, taken));
  REQUIRE(engine.demand() == Demand::busy);
  while (engine.poll()) {
  }
  REQUIRE(taken == std::vector<int>{0, 1, 2, 0, 1, 0, 1, 0, 0});
  REQUIRE(last.done());
  REQUIRE(engine.demand() == Demand::none);
}

TEST_CASE("Each thread takes copies into memory of its own domain first", "[CopyEngine]") {
  std::vector<char> memory(2);
  CopyEngine engine(Invented::machine());
  engine.set_domains(Invented::domains());
  Invented::of_second = memory.data() + 1;
  std::vector<int> taken;
  submit(engine, new NotedCopy(memory.data(), 20, 10, 0, taken));
  submit(engine, new NotedCopy(memory.data() + 1, 20, 10, 1, taken));
  Invented::processor = 5;
  while (engine.poll()) {
  }
  REQUIRE(taken == std::vector<int>{1, 1, 0, 0});

  taken.clear();
  submit(engine, new NotedCopy(memory.data() + 1, 10, 10, 1, taken));
  submit(engine, new NotedCopy(memory.data(), 10, 10, 0, taken));
  Invented::processor = 2;
  while (engine.poll()) {
  }
  REQUIRE(taken == std::vector<int>{0, 1});
  Invented::of_second = nullptr;
  Invented::processor = 0;
}

TEST_CASE("A copy of memory in no domain of the unit is near to who starts it", "[CopyEngine]") {
  CopyEngine engine(Invented::machine());
  engine.set_domains(Invented::domains());
  Invented::of_second = nullptr;
  const char memory = 0;
  std::vector<int> taken;
  Invented::processor = 6;
  submit(engine, new NotedCopy(&memory, 10, 10, 1, taken));
  Invented::processor = 1;
  submit(engine, new NotedCopy(&memory, 10, 10, 0, taken));
  Invented::processor = 1000000;  // of no domain: the first one's
  while (engine.poll()) {
  }
  REQUIRE(taken == std::vector<int>{0, 1});
  Invented::processor = 0;
}

TEST_CASE("Threads that take quanta with delays copy each byte once", "[CopyEngine][stress]") {
  const bool several = GENERATE(false, true);
  std::mt19937 random(dash::test::seed());
  CopyEngine engine(Invented::machine());
  if (several) engine.set_domains(Invented::domains());
  constexpr int num_copies = 60;
  std::vector<std::vector<std::atomic<unsigned char>>> times;
  std::vector<std::size_t> quanta;
  for (int i = 0; i < num_copies; ++i) {
    times.emplace_back(1 + random() % 4000);
    quanta.push_back(1 + random() % 300);
  }
  std::atomic<bool> stop{false};
  std::vector<std::thread> takers;
  for (int t = 0; t < 3; ++t) {
    takers.emplace_back([&, t] {
      Invented::processor = 3 * t;
      while (!stop.load()) {
        if (!engine.poll()) std::this_thread::yield();
      }
    });
  }
  std::atomic<int> wrong{0};
  std::vector<std::thread> starters;
  for (int t = 0; t < 2; ++t) {
    starters.emplace_back([&, t] {
      Invented::processor = 4 * t;
      for (std::size_t i = static_cast<std::size_t>(t); i < num_copies; i += 2) {
        const Operation copy =
            submit(engine, new DelayedCopy(times[i], quanta[i], static_cast<unsigned>(i)));
        if (i % 3 == 0) continue;  // left to the others
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

TEST_CASE("Quanta of runs are whole runs of about as long a time", "[CopyEngine]") {
  const std::size_t quantum = CopyJob::quantum_bytes();
  CHECK(CopyJob::quantum_of_runs(8) == quantum / 64 * 8);  // a line is moved for each
  CHECK(CopyJob::quantum_of_runs(64) == quantum);
  CHECK(CopyJob::quantum_of_runs(100) == quantum / 100 * 100);
  CHECK(CopyJob::quantum_of_runs(quantum) == quantum);
  CHECK(CopyJob::quantum_of_runs(10 * quantum) == quantum);  // cut within runs
}

TEST_CASE("Copies of the real machine's memory arrive through the queues of its domains",
          "[CopyEngine]") {
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
