#pragma once

#include <cstddef>
#include <vector>

#include "dash/core/Export.h"
#include "dash/core/mapping/Evaluation.h"
#include "dash/dart/if/dart_types.h"

namespace dash::dart {

/// What dart_team_create_mapped is told; lists that are empty are what NULL is there.
struct GridOfUnits {
  std::vector<std::size_t> extents;
  std::vector<bool> periodic;
  std::vector<double> weights;
};

/// dart_team_create_mapped for C++.
/// \throws exception::InvalidArgument on all units alike
DASH_API dart_team_t create_mapped_team(dart_team_t parent, const GridOfUnits& grid);

/// What one exchange with all neighbours on the grid of a mapped team costs on each level of the
/// machine.
struct MappingReport {
  /// The units in the order of their global ids.
  core::mapping::Evaluation before;
  /// In the order of the team.
  core::mapping::Evaluation after;
};

/// \throws exception::InvalidArgument unless the team was made by dart_team_create_mapped
/// \collective no; the caller reads the file of DART_TOPOLOGY  \blocks never  \threads any
/// \cost  linear in units times dimensions
DASH_API MappingReport mapping_report(dart_team_t team);

}  // namespace dash::dart
