#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "dash/dart/if/dart.h"

// Shared by dash-info and dash-tune.

namespace dash::tools {

/// \throws std::runtime_error if a call of the runtime has failed
inline void check(dart_ret_t code) {
  if (code != DART_OK) throw std::runtime_error(dart_last_error());
}

/// \pre not empty
inline double median(std::vector<double> samples) {
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

}  // namespace dash::tools
