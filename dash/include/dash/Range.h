#pragma once

#include <utility>

#include "dash/Types.h"

namespace dash {

/// \name Begin, end and size of a range, by its members
/// @{
template <class RangeType>
constexpr auto begin(RangeType&& range) -> decltype(std::forward<RangeType>(range).begin()) {
  return std::forward<RangeType>(range).begin();
}
template <class RangeType>
constexpr auto end(RangeType&& range) -> decltype(std::forward<RangeType>(range).end()) {
  return std::forward<RangeType>(range).end();
}
template <class RangeType>
constexpr auto size(RangeType&& range) -> decltype(std::forward<RangeType>(range).size()) {
  return std::forward<RangeType>(range).size();
}
/// @}

}  // namespace dash
