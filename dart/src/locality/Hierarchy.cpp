#include "locality/Hierarchy.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <string>
#include <utility>

namespace dash::dart {

namespace {

/// Location of a unit: node, host name, NUMA domain. Locations sort in the order of the tree.
struct UnitLocation {
  std::int32_t node;
  std::string_view host;
  int numa;
  dart_unit_t unit;
  friend auto operator<=>(const UnitLocation&, const UnitLocation&) = default;
};

class HierarchyBuilder {
 public:
  HierarchyBuilder(dart_team_t team, std::span<const UnitHardware> hardware)
      : _team(team), _hardware(hardware) {}

  DomainPtr build(std::span<const dart_unit_t> units) {
    DomainPtr root = new_domain();
    root->scope = DART_LOCALITY_SCOPE_GLOBAL;
    root->team = _team;
    root->global_index = 0;
    std::array<Domain*, 4> open{root.get(), nullptr, nullptr, nullptr};  // GLOBAL to NUMA
    const UnitLocation* previous = nullptr;
    const std::vector<UnitLocation> locations = sorted_locations(units);
    for (const UnitLocation& location : locations) {
      const UnitHardware& hardware = _hardware[static_cast<std::size_t>(location.unit)];
      const bool same_node = previous != nullptr && previous->node == location.node;
      const bool same_host = same_node && previous->host == location.host;
      const bool same_numa = same_host && previous->numa == location.numa;
      if (!same_node) open[1] = &append(*open[0], DART_LOCALITY_SCOPE_NODE, hardware);
      if (!same_host) open[2] = &append(*open[1], DART_LOCALITY_SCOPE_MODULE, hardware);
      if (!same_numa) open[3] = &append(*open[2], DART_LOCALITY_SCOPE_NUMA, hardware);
      append_unit(*open[3], location.unit, hardware);
      previous = &location;
    }
    sum_up_all(*root);
    return root;
  }

 private:
  std::vector<UnitLocation> sorted_locations(std::span<const dart_unit_t> units) const {
    std::vector<UnitLocation> locations;
    locations.reserve(units.size());
    for (const dart_unit_t unit : units) {
      const UnitHardware& hardware = _hardware[static_cast<std::size_t>(unit)];
      locations.push_back({hardware.node, hardware.hwinfo.host, hardware.hwinfo.numa_id, unit});
    }
    std::sort(locations.begin(), locations.end());
    return locations;
  }

  Domain& append(Domain& parent, dart_locality_scope_t scope, const UnitHardware& hardware) {
    DomainPtr domain = new_domain();
    domain->scope = scope;
    domain->team = _team;
    domain->global_index = _counts[scope]++;
    domain->relative_index = parent.num_domains;
    domain->num_nodes = 1;
    domain->node_id = scope == DART_LOCALITY_SCOPE_NODE ? domain->global_index : parent.node_id;
    std::memcpy(domain->host, hardware.hwinfo.host, sizeof domain->host);
    const bool within_numa = scope >= DART_LOCALITY_SCOPE_NUMA;
    domain->shared_mem_bytes = std::max(
        within_numa ? hardware.hwinfo.numa_memory_bytes : hardware.hwinfo.system_memory_bytes, 0);
    reserve_child(parent);
    Domain& adopted = adopt_child(parent, std::move(domain), parent.num_domains);
    name_child(adopted);
    return adopted;
  }

  void append_unit(Domain& numa, dart_unit_t unit, const UnitHardware& hardware) {
    Domain& domain = append(numa, DART_LOCALITY_SCOPE_UNIT, hardware);
    set_units(domain, {unit});
    domain.num_cores = std::max(hardware.hwinfo.num_cores, 0);
    for (const int core : hardware.cores) {
      Domain& child = append(domain, DART_LOCALITY_SCOPE_CORE, hardware);
      set_units(child, {unit});
      child.num_cores = 1;
      const auto next = static_cast<int>(_cores.size());
      child.global_index = _cores.try_emplace({hardware.host, core}, next).first->second;
    }
  }

  static void sum_up_all(Domain& domain) {
    for (int i = 0; i < domain.num_domains; ++i)
      sum_up_all(*domain.children[i]);
    if (domain.num_domains > 0) sum_up(domain);
  }

  dart_team_t _team;
  std::span<const UnitHardware> _hardware;
  std::map<dart_locality_scope_t, int> _counts;
  std::map<std::pair<std::int32_t, int>, int> _cores;  // numbers of cores, by host and core
};

/// The UNIT domains below `domain`, by the global ids of their units.
void find_units(const Domain& domain, std::vector<std::pair<dart_unit_t, const Domain*>>& units) {
  if (domain.scope == DART_LOCALITY_SCOPE_UNIT) {
    units.emplace_back(domain.unit_ids[0].id, &domain);
    return;
  }
  for (int i = 0; i < domain.num_domains; ++i)
    find_units(*domain.children[i], units);
}

}  // namespace

Hierarchy build_hierarchy(dart_team_t team, std::span<const dart_unit_t> team_units,
                          std::span<const UnitHardware> hardware) {
  Hierarchy result;
  result.root = HierarchyBuilder(team, hardware).build(team_units);
  result.units.resize(team_units.size());
  for (std::size_t unit = 0; unit < team_units.size(); ++unit) {
    dart_unit_locality_t& locality = result.units[unit];
    locality.unit = dart_create_team_unit(static_cast<dart_unit_t>(unit));
    locality.team = team;
    locality.hwinfo = hardware[static_cast<std::size_t>(team_units[unit])].hwinfo;
  }
  std::vector<std::pair<dart_unit_t, const Domain*>> domains;
  domains.reserve(team_units.size());
  find_units(*result.root, domains);
  std::sort(domains.begin(), domains.end());
  for (std::size_t unit = 0; unit < team_units.size(); ++unit) {
    const auto found = std::lower_bound(
        domains.begin(), domains.end(), team_units[unit],
        [](const auto& domain, dart_unit_t global) { return domain.first < global; });
    // As in DASH 0.4, the tag is that of the unit's first core, if its cores are known.
    const Domain& domain = *found->second;
    const Domain& named = domain.num_domains > 0 ? *domain.children[0] : domain;
    std::memcpy(result.units[unit].domain_tag, named.domain_tag,
                sizeof result.units[unit].domain_tag);
  }
  return result;
}

}  // namespace dash::dart
