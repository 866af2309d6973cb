#pragma once

#include <vector>

#include "dash/core/mapping/Evaluation.h"
#include "dash/core/mapping/Links.h"

namespace dash::core::mapping {

/// Loads of a communication step.
struct Loads {
  std::vector<double> of_link;  ///< bytes on each directed link
  std::vector<double> joined;   ///< bytes between units, by their lowest common level
};

Loads count_loads(const Links& links, const Grid& grid, const GridMapping& mapping);

/// Bytes divided by bandwidth, summed over all links.
double cost_of(const Links& links, const Loads& loads);

}  // namespace dash::core::mapping
