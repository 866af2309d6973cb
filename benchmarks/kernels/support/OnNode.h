#pragma once

#include <dash/Team.h>

#include <vector>

namespace kernels {

/// Where the units' parts of an array are in this process: null for those on other nodes, and for
/// units without a part.
template <class Array>
auto parts_on_node(Array& array) {
  std::vector<typename Array::value_type*> parts;
  for (const int unit : array.team()) {
    const auto part = array.on_node(dash::team_unit_t(unit));
    parts.push_back(part.empty() ? nullptr : part.data());
  }
  return parts;
}

}  // namespace kernels
