#include "DashSearch.h"

#include <dash/algorithm/MinMax.h>

namespace min_element {

std::size_t DashSearch::first() const {
  return _array.lsize() == 0 ? 0 : static_cast<std::size_t>(_array.pattern().global(0));
}

std::uint64_t DashSearch::find(kernels::Stopwatch&) {
  return static_cast<std::uint64_t>(dash::min_element(_array.begin(), _array.end()).pos());
}

}  // namespace min_element
