#include "locality/TeamMapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "api/Runtime.h"
#include "dash/Exception.h"
#include "dash/core/Settings.h"
#include "dash/core/mapping/MachineFile.h"
#include "dash/dart/Mapping.h"

namespace dash::dart {

namespace {

using core::mapping::Machine;

/// The name of a node of MPI's: its host, and which of the nodes on hosts of that name.
struct NodeName {
  std::string host;
  int number = 0;

  std::string text() const { return number == 0 ? host : host + ':' + std::to_string(number); }
};

/// By node.
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
    names.push_back(node.text());
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
    if (!node) node = result.machine.find(name.text());
    if (!node) node = result.machine.find(name.host);
    if (!node) {
      throw exception::InvalidArgument(fmt::format(
          "the file {} (DART_TOPOLOGY) does not know the host \"{}\", which unit {} runs "
          "on",
          file, name.host, id));
    }
    // Where nobody knows a core, units come one after the other.
    const std::uint32_t before = seen[*node]++;
    const int core = unit.hwinfo.core_id;
    result.places.push_back({*node, known_or_zero(unit.hwinfo.numa_id),
                             core >= 0 ? static_cast<std::uint32_t>(core) : before});
  }
  return result;
}

MappingReport mapping_report(dart_team_t id) {
  return translated([&] {
    Runtime& runtime = Runtime::get();
    const Team& team = runtime.team(id);
    if (team.grid().extents.empty()) {
      throw_error(DART_ERR_INVAL,
                  "team {} has no grid; expected one that dart_team_create_mapped has made", id);
    }
    std::vector<std::int32_t> units = team.layout().units;
    std::sort(units.begin(), units.end());
    const UnitsOnMachine where =
        units_on_machine(runtime.session().hardware(), units, core::settings().topology_file);
    std::vector<std::uint32_t> unit_at;
    for (const std::int32_t unit : team.layout().units) {
      const auto found = std::lower_bound(units.begin(), units.end(), unit);
      unit_at.push_back(static_cast<std::uint32_t>(found - units.begin()));
    }
    const auto cost_of = [&](const core::mapping::GridMapping& mapping) {
      return core::mapping::evaluate(where.machine, where.places, team.grid(), mapping);
    };
    return MappingReport{cost_of(core::mapping::unit_order(units.size())),
                         cost_of(core::mapping::mapping_of(std::move(unit_at)))};
  });
}

}  // namespace dash::dart
