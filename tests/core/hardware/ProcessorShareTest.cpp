// dash-test: serial
#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "dash/Exception.h"
#include "dash/core/Topology.h"
#include "support/Catch.h"
#include "support/Runner.h"

using namespace dash::core;

namespace {

std::set<int> cores_of(const Topology& machine, const CpuSet& cpus) {
  std::set<int> cores;
  for (const Processor& processor : machine.processors()) {
    if (cpus.test(processor.os_index)) {
      cores.insert(processor.core);
    }
  }
  return cores;
}

// Whether the members of `share` are contiguous in the topology order of `mask`.
bool is_contiguous(const Topology& machine, const CpuSet& mask, const CpuSet& share) {
  int changes = 0;
  bool inside = false;
  for (const Processor& processor : machine.processors()) {
    if (mask.test(processor.os_index) && share.test(processor.os_index) != inside) {
      inside = !inside;
      ++changes;
    }
  }
  return changes <= 2;
}

void check_partition(const Topology& machine, const CpuSet& mask, int nunits) {
  INFO("mask " << mask.to_string() << " units " << nunits);
  const int ncores = static_cast<int>(cores_of(machine, mask).size());
  CpuSet together;
  int total = 0;
  std::vector<int> sizes;
  for (int unit = 0; unit < nunits; ++unit) {
    const CpuSet share = processor_share(machine, mask, unit, nunits);
    INFO("unit " << unit << " share " << share.to_string());
    REQUIRE_FALSE(share.empty());
    if (nunits > mask.count()) {
      REQUIRE(share == mask);
      continue;
    }
    REQUIRE((share & together).empty());
    REQUIRE(is_contiguous(machine, mask, share));
    if (ncores >= nunits) {
      const std::set<int> mine = cores_of(machine, share);
      for (const int core : cores_of(machine, together)) {
        REQUIRE(mine.count(core) == 0);
      }
    }
    sizes.push_back(ncores >= nunits ? static_cast<int>(cores_of(machine, share).size())
                                     : share.count());
    together |= share;
    total += share.count();
  }
  if (nunits <= mask.count()) {
    REQUIRE(together == mask);
    REQUIRE(total == mask.count());
    REQUIRE(*std::max_element(sizes.begin(), sizes.end()) -
                *std::min_element(sizes.begin(), sizes.end()) <=
            1);
  }
}

CpuSet random_subset(const CpuSet& all, std::mt19937& random) {
  CpuSet result;
  while (result.empty()) {
    for (const int cpu : all) {
      if (random() % 2 == 0) {
        result.set(cpu);
      }
    }
  }
  return result;
}

}  // namespace

TEST_CASE("The shares of all units divide the mask, on machines of many shapes") {
  INFO("seed " << dash::test::seed());
  std::mt19937 random(dash::test::seed());
  for (const char* shape :
       {"package:1 core:1 pu:1", "package:1 core:2 pu:1", "package:1 core:3 pu:2",
        "package:2 numa:4 core:8 pu:1", "package:2 numa:1 core:5 pu:2", "numa:2 core:4 pu:4",
        "package:1 l3:2 core:3 pu:1", "pu:7"}) {
    INFO(shape);
    const Topology machine = Topology::from_synthetic(shape);
    for (int nunits = 1; nunits <= machine.num_pus() + 2; ++nunits) {
      check_partition(machine, machine.allowed(), nunits);
      check_partition(machine, random_subset(machine.allowed(), random), nunits);
    }
  }
}

TEST_CASE("Shares follow the topology, not the numbers of the processors") {
  // A common numbering: first one thread of each core, then the other.
  const Topology machine =
      Topology::from_synthetic("package:1 core:4 pu:2(indexes=0,4,1,5,2,6,3,7)");
  REQUIRE(machine.processors()[1].os_index == 4);
  CHECK(processor_share(machine, machine.allowed(), 0, 2).to_string() == "0-1,4-5");
  CHECK(processor_share(machine, machine.allowed(), 1, 2).to_string() == "2-3,6-7");
  CHECK(processor_share(machine, machine.allowed(), 0, 4).to_string() == "0,4");
  CHECK(processor_share(machine, machine.allowed(), 0, 8).to_string() == "0");
  CHECK(processor_share(machine, machine.allowed(), 1, 8).to_string() == "4");
}

TEST_CASE("As many units as NUMA domains get one domain each") {
  const Topology machine = Topology::from_synthetic("package:2 numa:2 core:3 pu:2");
  for (int unit = 0; unit < 4; ++unit) {
    CHECK(processor_share(machine, machine.allowed(), unit, 4) ==
          CpuSet::range(6 * unit, 6 * unit + 6));
  }
}

TEST_CASE("Processors that the topology does not contain are shared, too") {
  const Topology machine = Topology::from_synthetic("core:2 pu:1");
  CpuSet mask = CpuSet::range(0, 2);
  mask.set(100);
  mask.set(200);
  CHECK(processor_share(machine, mask, 0, 2).to_string() == "0-1");
  CHECK(processor_share(machine, mask, 1, 2).to_string() == "100,200");
  CHECK(processor_share(machine, CpuSet::range(500, 504), 3, 4).to_string() == "503");
}

TEST_CASE(
    "The preferred processors of a unit are its share, or one processor if there are more units") {
  const Topology machine = Topology::from_synthetic("numa:2 core:4 pu:1");
  for (int nunits = 1; nunits <= 20; ++nunits) {
    CpuSet all;
    int before = 0;
    for (int unit = 0; unit < nunits; ++unit) {
      const CpuSet preferred = preferred_processors(machine, machine.allowed(), unit, nunits);
      if (nunits <= 8) {
        REQUIRE(preferred == processor_share(machine, machine.allowed(), unit, nunits));
      } else {
        REQUIRE(preferred.count() == 1);
      }
      REQUIRE(preferred.first() >= before);
      before = preferred.first();
      all |= preferred;
    }
    REQUIRE(all == machine.allowed());
  }
  CpuSet mask = CpuSet::range(6, 8);
  CHECK(preferred_processors(machine, mask, 2, 4).to_string() == "7");
}

TEST_CASE("Invalid arguments are rejected") {
  dash::internal::logging::disable_log();
  const Topology machine = Topology::from_synthetic("core:2 pu:1");
  using dash::exception::InvalidArgument;
  CHECK_THROWS_AS(processor_share(machine, machine.allowed(), 2, 2), InvalidArgument);
  CHECK_THROWS_AS(processor_share(machine, machine.allowed(), -1, 2), InvalidArgument);
  CHECK_THROWS_AS(processor_share(machine, machine.allowed(), 0, 0), InvalidArgument);
  CHECK_THROWS_AS(processor_share(machine, CpuSet{}, 0, 1), InvalidArgument);
  dash::internal::logging::enable_log();
}

TEST_CASE("A reserved core: the last one, or the last processor if there are too few cores") {
  for (const char* shape : {"core:2 pu:1", "core:3 pu:2", "numa:2 core:2 pu:2", "pu:7"}) {
    INFO(shape);
    const Topology machine = Topology::from_synthetic(shape);
    const CpuSet mask = machine.allowed();
    for (int nunits = 0; nunits < mask.count(); ++nunits) {
      INFO(nunits << " units");
      const GroupShare share = reserve_core(machine, mask, nunits);
      CHECK((share.units & share.server).empty());
      CHECK((share.units | share.server) == mask);
      CHECK(share.units.count() >= nunits);
      CHECK(share.server.test(machine.processors().back().os_index));
      CHECK(cores_of(machine, share.server).size() == 1);
      const bool has_core = machine.num_cores() > nunits;
      CHECK(share.server.count() == (has_core ? mask.count() / machine.num_cores() : 1));
    }
    CHECK_THROWS_AS(reserve_core(machine, mask, mask.count()), dash::exception::InvalidArgument);
    CHECK_THROWS_AS(reserve_core(machine, mask, -1), dash::exception::InvalidArgument);
  }
}
