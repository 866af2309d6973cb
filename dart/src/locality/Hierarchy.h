#pragma once

#include <span>
#include <vector>

#include "launch/UnitHardware.h"
#include "locality/Domain.h"

namespace dash::dart {

/// The hierarchy of a team and the locations of its units in it.
struct Hierarchy {
  DomainPtr root;
  /// By id in the team.
  std::vector<dart_unit_locality_t> units;
};

/// Builds the hierarchy of a team from the hardware of its units.
/// \param team_units  global ids, in the order of the ids in the team
/// \param hardware    of all units, by global id
/// \cost linear in the cores of the units, logarithmic factors aside
Hierarchy build_hierarchy(dart_team_t team, std::span<const dart_unit_t> team_units,
                          std::span<const UnitHardware> hardware);

}  // namespace dash::dart
