#include "dash/dart/Placement.h"

#include <map>
#include <utility>

#include "api/Boundary.h"

namespace dash::dart {

std::vector<UnitPlacement> unit_placements() {
  const std::vector<UnitHardware>& units = Runtime::get().session().hardware();
  std::map<std::pair<std::int32_t, int>, int>
      users;  // number of units that use a core, by host and core
  for (const UnitHardware& unit : units) {
    for (const int core : unit.cores)
      ++users[{unit.host, core}];
  }
  std::vector<UnitPlacement> result;
  for (const UnitHardware& unit : units) {
    UnitPlacement placement;
    for (const int core : unit.cores)
      placement.core_share += 1.0 / users.at({unit.host, core});
    placement.node = unit.node;
    placement.host = unit.host;
    placement.host_name = unit.hwinfo.host;
    placement.processors = unit.processors;
    placement.cores = unit.hwinfo.num_cores;
    placement.numa = unit.hwinfo.numa_id;
    placement.numa_domains = unit.hwinfo.num_numa;
    result.push_back(std::move(placement));
  }
  return result;
}

bool is_on_node(std::int32_t unit) {
  return Runtime::get().session().layout().slots[static_cast<std::size_t>(unit)] >= 0;
}

int number_in_scope(const dart_hwinfo_t& hardware, dart_locality_scope_t scope) noexcept {
  // Scopes are ordered from the finest to the coarsest, so searching from the end finds the last-level cache.
  for (int i = hardware.num_scopes; i-- > 0;) {
    if (hardware.scopes[i].scope == scope) return hardware.scopes[i].index;
  }
  return -1;
}

}  // namespace dash::dart
