#pragma once

#include <dash/Team.h>

#include <vector>

namespace kernels {

/// Addresses in this process of the local blocks of all units of an array; null for units on other
/// nodes and for units without elements.
template <class Array>
auto blocks_on_node(Array& array) {
  std::vector<typename Array::value_type*> blocks;
  for (const int unit : array.team()) {
    const auto block = array.on_node(dash::team_unit_t(unit));
    blocks.push_back(block.empty() ? nullptr : block.data());
  }
  return blocks;
}

}  // namespace kernels
