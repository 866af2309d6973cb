#include "locality/TeamMapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "dash/Exception.h"
#include "dash/core/Settings.h"
#include "dash/core/mapping/MachineFile.h"

namespace dash::dart {

namespace {

using core::mapping::Machine;

/// The name of a node: its host, and its number among the nodes of hosts of that name.
struct NodeName {
  std::string host;
  int number = 0;

  std::string full_name() const { return number == 0 ? host : host + ':' + std::to_string(number); }
};

/// Names of all nodes, by node number.
std::vector<NodeName> names_of_nodes(std::span<const UnitHardware> hardware) {
  std::map<std::int32_t, std::string> hosts;
  for (const UnitHardware& unit : hardware)
    hosts.try_emplace(unit.node, unit.hwinfo.host);
  std::map<std::string, int> counts;
  std::vector<NodeName> names;
  for (const auto& [node, host] : hosts)
    names.push_back({host, counts[host]++});
  return names;
}

Machine flat_machine(const std::vector<NodeName>& nodes) {
  std::vector<std::string> names;
  for (const NodeName& node : nodes)
    names.push_back(node.full_name());
  return Machine::flat(names);
}

std::uint32_t known_or_zero(int number) {
  return static_cast<std::uint32_t>(std::max(number, 0));
}

}  // namespace

UnitsOnMachine units_on_machine(std::span<const UnitHardware> hardware,
                                std::span<const std::int32_t> units, const std::string& file) {
  const std::vector<NodeName> names = names_of_nodes(hardware);
  UnitsOnMachine result;
  result.machine = file.empty() ? flat_machine(names) : core::mapping::read_machine(file);
  std::vector<std::optional<std::uint32_t>> found(names.size());
  std::map<std::uint32_t, std::uint32_t> seen;  // units of each node of the machine
  for (const std::int32_t id : units) {
    const UnitHardware& unit = hardware[static_cast<std::size_t>(id)];
    const NodeName& name = names[static_cast<std::size_t>(unit.node)];
    std::optional<std::uint32_t>& node = found[static_cast<std::size_t>(unit.node)];
    if (!node) node = result.machine.find(name.full_name());
    if (!node) node = result.machine.find(name.host);
    if (!node) {
      throw exception::InvalidArgument(
          fmt::format("the file {} (DART_TOPOLOGY) does not list the host \"{}\" of unit {}", file,
                      name.host, id));
    }
    // Units whose cores are unknown are placed one after the other.
    const std::uint32_t units_before = seen[*node]++;
    const int core = unit.hwinfo.core_id;
    result.locations.push_back({*node, known_or_zero(unit.hwinfo.numa_id),
                                core >= 0 ? static_cast<std::uint32_t>(core) : units_before});
  }
  return result;
}

}  // namespace dash::dart
