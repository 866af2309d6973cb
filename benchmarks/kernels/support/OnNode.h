#pragma once

#include <dash/dart/Access.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace kernels {

/// Where the units' parts of an array in equal blocks are in this process: null for those on other
/// nodes, and for units without a part.
/// \param block  elements of each unit, but for the last ones
template <class Array>
auto parts_on_node(Array& array, std::size_t block) {
  using T = typename Array::value_type;
  std::vector<T*> parts;
  for (std::size_t unit = 0; unit < array.team().size(); ++unit) {
    const std::size_t first = std::min<std::size_t>(unit * block, array.size());
    const std::size_t n = std::min<std::size_t>(block, array.size() - first);
    const auto gptr = array.gptr_at(static_cast<typename Array::index_type>(n == 0 ? 0 : first));
    parts.push_back(n == 0 ? nullptr
                           : static_cast<T*>(dash::dart::on_node_address(gptr, n * sizeof(T))));
  }
  return parts;
}

}  // namespace kernels
