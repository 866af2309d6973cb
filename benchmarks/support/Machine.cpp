#include "support/Machine.h"

#include <fmt/core.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "dash/Init.h"
#include "dash/core/Spin.h"
#include "dash/core/Topology.h"
#include "dash/dart/Placement.h"
#include "support/Measure.h"
#include "support/Table.h"
#include "support/World.h"

namespace dash::bench {

namespace {

core::CpuSet single_processor(int processor) {
  core::CpuSet set;
  set.set(processor);
  return set;
}

}  // namespace

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

double load_average() {
  double load = 0;
  return ::getloadavg(&load, 1) == 1 ? load : 0;
}

Placement find_placement() {
  const core::CpuSet mine = core::this_thread_affinity();
  std::vector<core::CpuSet> all(dash::size());
  check(dart_allgather(&mine, all.data(), sizeof mine, DART_TYPE_BYTE, DART_TEAM_ALL));
  Placement placement;
  for (const core::CpuSet& set : all)
    placement.processors |= set;
  placement.nodes = dart::placement().nodes;
  return placement;
}

double measure_round_trip(int one, int other) {
  constexpr std::uint32_t trips = 2000;
  constexpr int samples = 15;
  alignas(64) std::atomic<std::uint32_t> word{0};
  Samples times;
  const auto bounce = [&](int processor, std::uint32_t parity, bool is_timed) {
    core::bind_this_thread(single_processor(processor));
    for (std::uint32_t sample = 0; sample < samples; ++sample) {
      const std::uint64_t begin = core::now_ns();
      for (std::uint32_t i = 0; i < trips; ++i) {
        const std::uint32_t expected = 2 * (sample * trips + i) + parity;
        while (word.load(std::memory_order_acquire) != expected)
          core::cpu_relax();
        word.store(expected + 1, std::memory_order_release);
      }
      if (is_timed) times.push_back(static_cast<double>(core::now_ns() - begin) / trips);
    }
  };
  std::thread first(bounce, one, 0, true);
  std::thread second(bounce, other, 1, false);
  first.join();
  second.join();
  return median(times);
}

void print_machine(const World& world) {
  const Placement placement = find_placement();
  std::string trip = "only one processor";
  measure_on_first_unit(PeerWait::dart_barrier, [&] {
    if (placement.processors.count() < 2) return 0.0;
    auto processor = placement.processors.begin();
    const int one = *processor++;
    trip = fmt::format("round trip between processors {} and {}: {}", one, *processor,
                       format_duration(measure_round_trip(one, *processor)));
    return 0.0;
  });
  if (!world.is_first_unit()) return;
  fmt::print("{} units on {} {}, processors {} ({}), progress: {}\n{}, load average {:.1f}\n",
             world.units(), placement.nodes, placement.nodes == 1 ? "node" : "nodes",
             placement.processors.to_string(), processor_name(), dart::placement().progress, trip,
             load_average());
}

}  // namespace dash::bench
