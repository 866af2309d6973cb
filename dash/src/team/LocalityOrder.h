#pragma once

#include <vector>

#include "dash/dart/Placement.h"
#include "dash/internal/Unit.h"

namespace dash::internal {

/// The other units of a unit's node, in the order in which it takes work from them: first the units
/// of its NUMA domain, then the rest. Within each group, a unit starts with its successor, so that
/// units do not all take work from the same one.
/// \param placements  placements of the units of a team, indexed by their ids in the team
std::vector<team_unit_t> locality_order(const std::vector<dart::UnitPlacement>& placements,
                                        team_unit_t myid);

}  // namespace dash::internal
