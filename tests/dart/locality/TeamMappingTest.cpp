// dash-test: serial link=objects

// The locations of units on a machine with a network, as input of the mapper, on simulated hosts.

#include "locality/TeamMapping.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "SampleMachines.h"
#include "apps/TemporaryFile.h"
#include "dash/Exception.h"
#include "dash/core/mapping/Evaluation.h"
#include "support/Catch.h"

using dash::dart::UnitHardware;
using dash::dart::units_on_machine;
using dash::dart::UnitsOnMachine;
using namespace dash::test;
using terrain::test::TemporaryFile;

namespace {

constexpr const char* two_numa_of_two = "package:1 numa:2 core:2 pu:1";

std::vector<std::string> node_names(const UnitsOnMachine& where) {
  std::vector<std::string> names;
  for (const auto& location : where.locations)
    names.push_back(where.machine.node(location.node).name);
  return names;
}

std::string error_of(const std::vector<UnitHardware>& hardware, const std::string& file) {
  try {
    units_on_machine(hardware, first_units(hardware.size()), file);
  } catch (const dash::exception::InvalidArgument& error) {
    return error.what();
  }
  return {};
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("Units are on the cores and NUMA domains of their nodes") {
  const std::vector<UnitHardware> hardware = invented_units(2, two_numa_of_two, 4);
  const std::vector<std::int32_t> units{6, 0, 3};
  const UnitsOnMachine where = units_on_machine(hardware, units, "");
  CHECK(where.machine.num_nodes() == 2);
  CHECK(node_names(where) == std::vector<std::string>{"host1", "host0", "host0"});
  REQUIRE(where.locations.size() == 3);
  CHECK(where.locations[0].core == 2);
  CHECK(where.locations[0].numa == 1);
  CHECK(where.locations[1].core == 0);
  CHECK(where.locations[1].numa == 0);
  CHECK(where.locations[2].core == 3);
}

TEST_CASE("Nodes that share a host have different names") {
  std::vector<UnitHardware> hardware = invented_units(2, two_numa_of_two, 4, 2);
  const UnitsOnMachine where = units_on_machine(hardware, first_units(8), "");
  CHECK(node_names(where) == std::vector<std::string>{"host0", "host0", "host0:1", "host0:1",
                                                      "host1", "host1", "host1:1", "host1:1"});
  // Two machines of the same name are two nodes as well.
  for (UnitHardware& unit : hardware)
    std::snprintf(unit.hwinfo.host, sizeof unit.hwinfo.host, "same");
  CHECK(units_on_machine(hardware, first_units(8), "").machine.num_nodes() == 4);
}

TEST_CASE("Units with unknown cores are numbered") {
  std::vector<UnitHardware> hardware = invented_units(1, two_numa_of_two, 3);
  for (UnitHardware& unit : hardware)
    unit.hwinfo.core_id = unit.hwinfo.numa_id = -1;
  const UnitsOnMachine where = units_on_machine(hardware, first_units(3), "");
  for (std::uint32_t unit = 0; unit < 3; ++unit)
    CHECK(where.locations[unit] == dash::core::mapping::UnitLocation{0, 0, unit});
}

TEST_CASE("A file describes the network of the nodes") {
  const TemporaryFile file(".conf",
                           "SwitchName=s0 Nodes=host[0-1]\nSwitchName=s1 Nodes=host[2-3]\n"
                           "SwitchName=top Switches=s[0-1]\n");
  // Units are distributed cyclically: 0 on host0, 1 on host2, 2 on host1, 3 on host3.
  std::vector<UnitHardware> hardware = invented_units(4, "core:1 pu:1", 1);
  std::swap(hardware[1].hwinfo.host, hardware[2].hwinfo.host);
  const UnitsOnMachine where = units_on_machine(hardware, first_units(4), file.path());
  CHECK(node_names(where) == std::vector<std::string>{"host0", "host2", "host1", "host3"});
  CHECK(where.machine.num_switch_levels() == 2);
  // In a row of units, neighbours share a switch.
  const dash::core::mapping::Grid row{{4}, {}, {}};
  const auto mapped = dash::core::mapping::map_grid(where.machine, where.locations, row);
  const auto before =
      evaluate(where.machine, where.locations, row, dash::core::mapping::unit_order(4));
  const auto after = evaluate(where.machine, where.locations, row, mapped);
  CHECK(after.hop_bytes < before.hop_bytes);
}

TEST_CASE("A file may omit further nodes of a host") {
  const TemporaryFile file(".conf", "SwitchName=s0 Nodes=host[0-1]\n");
  const std::vector<UnitHardware> hardware = invented_units(2, two_numa_of_two, 4, 2);
  const UnitsOnMachine where = units_on_machine(hardware, first_units(8), file.path());
  CHECK(node_names(where) == std::vector<std::string>{"host0", "host0", "host0", "host0", "host1",
                                                      "host1", "host1", "host1"});
}

TEST_CASE("A file that is malformed or lacks a host is refused") {
  const std::vector<UnitHardware> hardware = invented_units(2, two_numa_of_two, 1);
  const TemporaryFile file(".conf", "SwitchName=s0 Nodes=host0\n");
  const std::string error = error_of(hardware, file.path());
  CHECK(has(error, file.path()));
  CHECK(has(error, "\"host1\""));
  CHECK(has(error, "unit 1"));
  const TemporaryFile wrong(".conf", "SwitchName=s0 Nods=host[0-1]\n");
  CHECK(has(error_of(hardware, wrong.path()), "Nods"));
  CHECK(has(error_of(hardware, "/nowhere/topology.conf"), "/nowhere/topology.conf"));
}
