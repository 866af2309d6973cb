// dash-test: serial link=objects

// The hardware of units and the hierarchies built from it, on simulated machines.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "SampleMachines.h"
#include "locality/Capability.h"
#include "locality/DomainEdit.h"
#include "support/Catch.h"

using dash::core::CpuSet;
using dash::core::Topology;
using dash::dart::build_hierarchy;
using dash::dart::describe_unit;
using dash::dart::Domain;
using dash::dart::Hierarchy;
using dash::dart::UnitHardware;
using namespace dash::test;

namespace {

constexpr const char* two_by_four_by_eight = "package:2 numa:4(memory=8589934592) core:8 pu:1";

std::map<std::string, int> count_scopes(Domain& root) {
  std::map<std::string, int> counts;
  for (int scope = DART_LOCALITY_SCOPE_UNDEFINED; scope <= DART_LOCALITY_SCOPE_CPU; ++scope) {
    const auto which = static_cast<dart_locality_scope_t>(scope);
    const auto n = dash::dart::domains_of_scope(root, which).size();
    if (n > 0) counts[std::string(dash::dart::scope_name(which))] = static_cast<int>(n);
  }
  return counts;
}

using Counts = std::map<std::string, int>;

std::vector<int> scope_index(const dart_hwinfo_t& info, dart_locality_scope_t scope) {
  std::vector<int> result;
  for (int i = 0; i < info.num_scopes; ++i) {
    if (info.scopes[i].scope == scope) result.push_back(info.scopes[i].index);
  }
  return result;
}

}  // namespace

TEST_CASE("A unit with several cores is described by its share") {
  const Topology machine = Topology::from_synthetic(
      "package:2 numa:2(memory=2147483648) l3:1(size=33554432) l2:4(size=1048576) "
      "l1d:1(size=32768) core:1 pu:2");
  const UnitHardware unit = describe_unit(machine, CpuSet::range(16, 24));
  const dart_hwinfo_t& info = unit.hwinfo;
  CHECK(std::string(info.host) == "synthetic");
  CHECK(info.num_cores == 4);
  CHECK(info.num_numa == 1);
  CHECK(info.numa_id == 2);
  CHECK(info.num_sockets == 1);
  CHECK(info.core_id == 8);
  CHECK(info.cpu_id == 16);
  CHECK(info.min_threads == 2);
  CHECK(info.max_threads == 2);
  CHECK(info.cache_sizes[0] == 32768);
  CHECK(info.cache_sizes[1] == 1048576);
  CHECK(info.cache_sizes[2] == 33554432);
  CHECK(info.cache_sizes[3] == -1);
  CHECK(info.cache_ids[0] == 8);
  CHECK(info.cache_ids[2] == 2);
  CHECK(info.cache_ids[4] == -1);
  CHECK(info.system_memory_bytes == 8192);
  CHECK(info.numa_memory_bytes == 2048);
  CHECK(info.max_cpu_mhz == -1);
  CHECK(info.max_shmem_mbps == -1);
  CHECK(unit.cores == CpuSet::range(8, 12));
  CHECK(unit.processors == CpuSet::range(16, 24));
  REQUIRE(info.num_scopes == 7);
  CHECK(info.scopes[0].scope == DART_LOCALITY_SCOPE_CPU);
  CHECK(scope_index(info, DART_LOCALITY_SCOPE_CPU) == std::vector{16});
  CHECK(scope_index(info, DART_LOCALITY_SCOPE_CORE) == std::vector{8});
  CHECK(scope_index(info, DART_LOCALITY_SCOPE_CACHE) == std::vector{8, 8, 2});
  CHECK(scope_index(info, DART_LOCALITY_SCOPE_NUMA) == std::vector{2});
  CHECK(scope_index(info, DART_LOCALITY_SCOPE_PACKAGE) == std::vector{1});
  CHECK(info.scopes[7].scope == DART_LOCALITY_SCOPE_UNDEFINED);
}

TEST_CASE("The scopes of a unit are ordered from the finest to the coarsest") {
  // A package that contains NUMA domains, and a NUMA domain that contains packages.
  const auto last = [](const char* shape) {
    const Topology machine = Topology::from_synthetic(shape);
    const dart_hwinfo_t info = describe_unit(machine, machine.allowed()).hwinfo;
    return info.scopes[info.num_scopes - 1].scope;
  };
  CHECK(last("package:2 numa:2 core:2 pu:1") == DART_LOCALITY_SCOPE_PACKAGE);
  CHECK(last("numa:2 package:2 core:2 pu:1") == DART_LOCALITY_SCOPE_NUMA);
}

TEST_CASE("A unit with processors of several NUMA domains belongs to the one with most of them") {
  const Topology machine = Topology::from_synthetic("package:1 numa:2 core:4 pu:2");
  CpuSet home = CpuSet::range(7, 12);  // one thread of NUMA 0, four of NUMA 1
  home.set(3);
  const dart_hwinfo_t info = describe_unit(machine, home).hwinfo;
  CHECK(info.numa_id == 1);
  CHECK(info.num_numa == 2);
  CHECK(info.num_cores == 4);
  CHECK(info.core_id == 1);
  CHECK(info.cpu_id == 3);
  CHECK(info.min_threads == 1);
  CHECK(info.max_threads == 2);
}

TEST_CASE("Processors that the topology does not know leave unknown fields") {
  const Topology machine = Topology::from_synthetic("core:2 pu:1");
  const UnitHardware unit = describe_unit(machine, CpuSet::range(100, 103));
  CHECK(unit.hwinfo.num_cores == 3);
  CHECK(unit.hwinfo.cpu_id == 100);
  CHECK(unit.hwinfo.core_id == -1);
  CHECK(unit.hwinfo.numa_id == -1);
  CHECK(unit.hwinfo.num_scopes == 0);
  CHECK(unit.cores.empty());
  const std::vector<UnitHardware> hardware{unit};
  const Hierarchy hierarchy = build_hierarchy(DART_TEAM_ALL, first_units(1), hardware);
  check_in_order(*hierarchy.root);
  CHECK(hierarchy.root->num_cores == 3);
  CHECK(count_scopes(*hierarchy.root) ==
        Counts{{"GLOBAL", 1}, {"NODE", 1}, {"MODULE", 1}, {"NUMA", 1}, {"UNIT", 1}});
}

TEST_CASE("64 units on 2 hosts of 2 packages, 8 NUMA domains and 64 cores have the complete tree") {
  const std::vector<UnitHardware> hardware = invented_units(2, two_by_four_by_eight, 32);
  const Hierarchy hierarchy = build_hierarchy(DART_TEAM_ALL, first_units(64), hardware);
  Domain& root = *hierarchy.root;
  check_in_order(root);
  CHECK(
      count_scopes(root) ==
      Counts{{"GLOBAL", 1}, {"NODE", 2}, {"MODULE", 2}, {"NUMA", 16}, {"UNIT", 64}, {"CORE", 128}});
  CHECK(std::string(root.domain_tag) == ".");
  CHECK(std::string(root.host).empty());
  CHECK(root.level == 0);
  CHECK(root.num_units == 64);
  CHECK(root.num_nodes == 2);
  CHECK(root.node_id == -1);
  CHECK(root.num_cores == 128);
  CHECK(root.is_symmetric == 1);
  CHECK(root.shared_mem_bytes == 0);

  const Domain& numa = *find(&root, ".1.0.3");
  CHECK(numa.scope == DART_LOCALITY_SCOPE_NUMA);
  CHECK(std::string(numa.host) == "host1");
  CHECK(numa.global_index == 11);
  CHECK(numa.relative_index == 3);
  CHECK(numa.node_id == 1);
  CHECK(numa.num_nodes == 1);
  CHECK(numa.num_cores == 8);
  CHECK(numa.shared_mem_bytes == 8192);
  CHECK(numa.parent->shared_mem_bytes == 8 * 8192);
  CHECK(units_of(numa) == std::vector<dart_unit_t>{44, 45, 46, 47});

  for (std::size_t unit = 0; unit < 64; ++unit) {
    const dart_unit_locality_t& locality = hierarchy.units[unit];
    REQUIRE(locality.unit.id == static_cast<int>(unit));
    REQUIRE(locality.team == DART_TEAM_ALL);
    const Domain& core = *find(&root, locality.domain_tag);
    REQUIRE(core.scope == DART_LOCALITY_SCOPE_CORE);
    const Domain& domain = *core.parent;
    REQUIRE(domain.scope == DART_LOCALITY_SCOPE_UNIT);
    REQUIRE(units_of(domain) == std::vector{static_cast<dart_unit_t>(unit)});
    REQUIRE(domain.num_cores == 2);
    REQUIRE(domain.num_domains == 2);
    REQUIRE(domain.parent->relative_index == locality.hwinfo.numa_id);
    REQUIRE(std::string(locality.hwinfo.host) == (unit < 32 ? "host0" : "host1"));
  }
}

TEST_CASE("A team of some of the units has their domains, renumbered") {
  const std::vector<UnitHardware> hardware = invented_units(2, two_by_four_by_eight, 32);
  // Host 0: NUMA 1 (two units) and 7; host 1: NUMA 2.
  const std::vector<dart_unit_t> members{4, 6, 31, 40};
  const Hierarchy hierarchy = build_hierarchy(5, members, hardware);
  Domain& root = *hierarchy.root;
  check_in_order(root);
  CHECK(count_scopes(root) ==
        Counts{{"GLOBAL", 1}, {"NODE", 2}, {"MODULE", 2}, {"NUMA", 3}, {"UNIT", 4}, {"CORE", 8}});
  CHECK(root.is_symmetric == 0);
  CHECK(root.team == 5);
  CHECK(units_of(root) == members);
  CHECK(units_of(*find(&root, ".0.0.0")) == std::vector<dart_unit_t>{4, 6});
  CHECK(units_of(*find(&root, ".0.0.1")) == std::vector<dart_unit_t>{31});
  CHECK(units_of(*find(&root, ".1.0.0.0")) == std::vector<dart_unit_t>{40});
  CHECK(hierarchy.units[3].unit.id == 3);
  CHECK(hierarchy.units[3].hwinfo.numa_id == 2);
  CHECK(std::string(hierarchy.units[3].domain_tag) == ".1.0.0.0.0");
}

TEST_CASE("More units than cores are spread over the domains and share cores") {
  const std::vector<UnitHardware> hardware = invented_units(1, "numa:2 core:2 pu:1", 16);
  const Hierarchy hierarchy = build_hierarchy(DART_TEAM_ALL, first_units(16), hardware);
  Domain& root = *hierarchy.root;
  check_in_order(root);
  CHECK(count_scopes(root) ==
        Counts{{"GLOBAL", 1}, {"NODE", 1}, {"MODULE", 1}, {"NUMA", 2}, {"UNIT", 16}, {"CORE", 16}});
  CHECK(root.num_cores == 4);
  CHECK(root.is_symmetric == 1);
  CHECK(root.shared_mem_bytes > 0);
  for (const Domain* const numa : dash::dart::domains_of_scope(root, DART_LOCALITY_SCOPE_NUMA)) {
    CHECK(numa->num_units == 8);
    CHECK(numa->num_cores == 2);
  }
  CHECK(find(&root, ".0.0.0.0.0")->global_index == find(&root, ".0.0.0.3.0")->global_index);
  CHECK(find(&root, ".0.0.0.0.0")->global_index != find(&root, ".0.0.0.4.0")->global_index);
}

TEST_CASE("A unit that is alone on a machine has all of its cores") {
  const std::vector<UnitHardware> hardware = invented_units(1, two_by_four_by_eight, 1);
  const Hierarchy hierarchy = build_hierarchy(DART_TEAM_ALL, first_units(1), hardware);
  check_in_order(*hierarchy.root);
  CHECK(hierarchy.root->num_cores == 64);
  CHECK(hierarchy.units[0].hwinfo.num_numa == 8);
  CHECK(hierarchy.units[0].hwinfo.num_sockets == 2);
  CHECK(count_scopes(*hierarchy.root)["CORE"] == 64);
}

TEST_CASE("Several nodes on one host share its cores, which differ from those of other hosts") {
  // Each unit is a separate node, as with MPIR_CVAR_NOLOCAL, and there are more units than cores.
  const std::vector<UnitHardware> hardware = invented_units(2, "core:2 pu:1", 4, 4);
  const Hierarchy hierarchy = build_hierarchy(DART_TEAM_ALL, first_units(8), hardware);
  Domain& root = *hierarchy.root;
  check_in_order(root);
  CHECK(count_scopes(root)["NODE"] == 8);
  CHECK(count_scopes(root)["MODULE"] == 8);
  CHECK(root.num_nodes == 8);
  CHECK(root.num_cores == 4);
  CHECK(std::string(find(&root, ".3")->host) == "host0");
  CHECK(std::string(find(&root, ".4")->host) == "host1");
}

TEST_CASE("Units that alternate between nodes are sorted by node") {
  std::vector<UnitHardware> hardware = invented_units(1, "core:8 pu:1", 8);
  for (std::size_t unit = 0; unit < hardware.size(); ++unit)
    hardware[unit].node = static_cast<int>(unit % 2);
  const Hierarchy hierarchy = build_hierarchy(DART_TEAM_ALL, first_units(8), hardware);
  check_in_order(*hierarchy.root);
  CHECK(units_of(*find(hierarchy.root.get(), ".0")) == std::vector<dart_unit_t>{0, 2, 4, 6});
  CHECK(units_of(*find(hierarchy.root.get(), ".1")) == std::vector<dart_unit_t>{1, 3, 5, 7});
  CHECK(std::string(hierarchy.units[3].domain_tag) == ".1.0.0.1.0");
}

TEST_CASE("The locations of units of a reordered team are correct") {
  const std::vector<UnitHardware> hardware = invented_units(2, "package:2 numa:2 core:2 pu:1", 4);
  const Hierarchy ascending = build_hierarchy(DART_TEAM_ALL, first_units(8), hardware);
  const std::vector<dart_unit_t> order{5, 0, 7, 2, 1, 6, 3, 4};
  const Hierarchy mixed = build_hierarchy(3, order, hardware);
  check_in_order(*mixed.root);
  for (std::size_t unit = 0; unit < order.size(); ++unit) {
    const auto& expected = ascending.units[static_cast<std::size_t>(order[unit])];
    CHECK(std::string(mixed.units[unit].domain_tag) == expected.domain_tag);
    CHECK(std::string(mixed.units[unit].hwinfo.host) == expected.hwinfo.host);
    CHECK(mixed.units[unit].hwinfo.core_id == expected.hwinfo.core_id);
    CHECK(mixed.units[unit].unit.id == static_cast<int>(unit));
  }
}

TEST_CASE("Measurements are replaced by medians over equal units of a host only") {
  using dash::dart::Capability;
  // On the second host, the first unit has two cores, the others have one.
  std::vector<UnitHardware> hardware = invented_units(2, "core:4 pu:1", 4);
  hardware[4].hwinfo.num_cores = 2;
  const std::vector<std::int32_t> units{0, 1, 2, 3, 4, 5, 6};
  std::vector<Capability> measured{{9000, 3000, 0}, {11000, 2900, 0}, {10000, 3100, 0},
                                   {5000, 3050, 1}, {22000, 2000, 0}, {7000, 2100, 0},
                                   {6000, 2200, 0}};
  dash::dart::use_medians(hardware, units, measured);
  const auto memory = [&](std::size_t unit) { return measured[unit].memory_mbps; };
  const auto clock = [&](std::size_t unit) { return measured[unit].clock_mhz; };
  for (const std::size_t unit : {0, 1, 2}) {
    CHECK(memory(unit) == 10000);
    CHECK(clock(unit) == 3000);
  }
  CHECK(memory(3) == 5000);  // given by the setting
  CHECK(clock(3) == 3000);
  CHECK(memory(4) == 22000);
  CHECK(clock(4) == 2000);
  CHECK(memory(5) == 6000);
  CHECK(memory(6) == 6000);
  CHECK(clock(5) == clock(6));
}
