#pragma once

#include <cstddef>
#include <vector>

#include "dash/core/Export.h"
#include "dash/core/mapping/Evaluation.h"
#include "dash/dart/if/dart_types.h"

namespace dash::dart {

/// Arguments of dart_team_create_mapped; an empty list corresponds to NULL.
struct GridOfUnits {
  std::vector<std::size_t> extents;
  std::vector<bool> periodic;
  std::vector<double> weights;
};

/// C++ form of dart_team_create_mapped.
/// \throws exception::InvalidArgument on all units if it throws on one
DASH_API dart_team_t create_mapped_team(dart_team_t parent, const GridOfUnits& grid);

/// Cost of one exchange with all neighbours on the grid of a mapped team, by level of the machine.
struct MappingReport {
  /// With the units in the order of their global ids.
  core::mapping::Evaluation before;
  /// With the units in the order of the team.
  core::mapping::Evaluation after;
};

/// Evaluates the mapping of a team.
/// \collective no; the caller reads the file of DART_TOPOLOGY  \blocks never  \threads thread-safe
/// \throws exception::InvalidArgument  unless the team was made by dart_team_create_mapped
/// \cost   linear in units times dimensions
DASH_API MappingReport mapping_report(dart_team_t team);

}  // namespace dash::dart
