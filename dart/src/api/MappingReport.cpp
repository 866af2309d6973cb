#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "api/Boundary.h"
#include "dash/core/Settings.h"
#include "dash/dart/Mapping.h"
#include "locality/TeamMapping.h"

namespace dash::dart {

MappingReport mapping_report(dart_team_t id) {
  Runtime& runtime = Runtime::get();
  const Team& team = runtime.team(id);
  if (team.grid().extents.empty()) {
    throw_error(DART_ERR_INVAL,
                "team {} has no grid; expected a team made by dart_team_create_mapped", id);
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
    return core::mapping::evaluate(where.machine, where.locations, team.grid(), mapping);
  };
  return MappingReport{cost_of(core::mapping::unit_order(units.size())),
                       cost_of(core::mapping::mapping_of(std::move(unit_at)))};
}

}  // namespace dash::dart
