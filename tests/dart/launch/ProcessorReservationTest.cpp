// dash-test: serial link=objects

// The division of a host's processors between units and progress processes, on simulated machines.

#include <cstdint>
#include <numeric>
#include <vector>

#include "launch/ProcessorReservation.h"
#include "support/Catch.h"

using namespace dash::dart;
using dash::core::CpuSet;
using dash::core::Topology;

namespace {

/// Progress processes whose ranks follow those of the units. \param groups  numbers of units that they serve
Processes processes_with(const std::vector<int>& groups) {
  Processes processes;
  processes.has_progress_processes = true;
  const int nunits = std::accumulate(groups.begin(), groups.end(), 0);
  for (std::size_t group = 0; group < groups.size(); ++group) {
    for (int index = 0; index < groups[group]; ++index) {
      processes.rank_of.push_back(static_cast<std::int32_t>(processes.rank_of.size()));
      processes.server_of.push_back(static_cast<std::int32_t>(nunits + static_cast<int>(group)));
      processes.index_at_server.push_back(index);
    }
  }
  return processes;
}

}  // namespace

TEST_CASE("Reserved processors: all processes have different ones, each group a slice") {
  const Topology machine = Topology::from_synthetic("numa:2 core:4 pu:1");
  for (const std::vector<int>& groups : {std::vector{1}, std::vector{7}, std::vector{3, 3},
                                         std::vector{1, 2, 1}, std::vector{4, 2}}) {
    const Processes processes = processes_with(groups);
    std::vector<std::int32_t> units(processes.rank_of.size());
    std::iota(units.begin(), units.end(), 0);
    CpuSet used;
    CpuSet servers;
    for (const std::int32_t unit : units) {
      INFO("unit " << unit << " of " << units.size() << ", " << groups.size() << " groups");
      const auto reserved = reserve_processors(processes, units, unit, machine, machine.allowed());
      CHECK(reserved.server.count() == 1);
      CHECK_FALSE(reserved.unit.empty());
      CHECK((reserved.unit & (used | reserved.server)).empty());
      used |= reserved.unit;
      servers |= reserved.server;
    }
    CHECK((used & servers).empty());
    for (const std::int32_t unit : units) {
      const auto reserved = reserve_processors(processes, units, unit, machine, machine.allowed());
      CHECK(reserved.all_servers == servers);
    }
    CHECK(servers.count() == static_cast<int>(groups.size()));
    CHECK((used | servers) == machine.allowed());
  }
}

TEST_CASE("Reserved processors: a progress process is in the NUMA domain of its units") {
  const Topology machine = Topology::from_synthetic("numa:2 core:4 pu:2");
  const Processes processes = processes_with({3, 3});
  const std::vector<std::int32_t> units{0, 1, 2, 3, 4, 5};
  const auto first = reserve_processors(processes, units, 0, machine, machine.allowed());
  const auto last = reserve_processors(processes, units, 5, machine, machine.allowed());
  CHECK(first.server == CpuSet::range(6, 8));
  CHECK(last.server == CpuSet::range(14, 16));
  CHECK(last.unit == CpuSet::range(12, 14));
}
