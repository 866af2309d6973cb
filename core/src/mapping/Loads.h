#pragma once

#include <vector>

#include "dash/core/mapping/Evaluation.h"
#include "dash/core/mapping/Links.h"

namespace dash::core::mapping {

/// What a step puts on each link.
struct Loads {
  std::vector<double> of_link;  ///< bytes
  std::vector<double> joined;   ///< by level, bytes between units that it joins
};

Loads count_loads(const Links& links, const Grid& grid, const GridMapping& mapping);

/// Bytes over bandwidth, summed up over all links.
double cost_of(const Links& links, const Loads& loads);

}  // namespace dash::core::mapping
