#pragma once

#include <cstddef>
#include <utility>

namespace dash::ce {

/// A sequence of indices as a type.
/// \ingroup utilities
template <std::size_t... I>
using index_sequence = std::index_sequence<I...>;

/// 0 ... N - 1.
/// \ingroup utilities
template <std::size_t N>
using make_index_sequence = std::make_index_sequence<N>;

namespace internal {
template <std::size_t... I>
constexpr auto reversed(std::index_sequence<I...>) {
  return std::index_sequence<(sizeof...(I) - 1 - I)...>();
}
}  // namespace internal

/// N - 1 ... 0.
/// \ingroup utilities
template <std::size_t N>
using make_rev_index_sequence = decltype(internal::reversed(std::make_index_sequence<N>()));

}  // namespace dash::ce
