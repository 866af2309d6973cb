#pragma once

#include <vector>

#include "dash/dart/Placement.h"
#include "dash/internal/Unit.h"

namespace dash::internal {

/// The other units of a unit's node, in the order in which it takes work from them: those of its NUMA
/// domain, then the rest. Among equally near ones each unit begins with the one after itself, so that
/// not all come to the same.
/// \param placements  of the units of a team, by their ids in it
std::vector<team_unit_t> near_first(const std::vector<dart::UnitPlacement>& placements,
                                    team_unit_t myid);

}  // namespace dash::internal
