#pragma once

/// \file
/// Views store a box in all dimensions of their origin, and the list of the dimensions of the view.

#include <array>
#include <cstddef>
#include <utility>

#include "dash/Types.h"
#include "dash/core/Export.h"

namespace dash::internal {

[[noreturn]] DASH_API void throw_sub_range(dim_t dimension, long long offset, long long extent,
                                           long long available);

/// \throws exception::OutOfRange unless offset + extent indices are available
template <class Index, class Size>
void check_sub_range(dim_t dimension, Index offset, Index extent, Size available) {
  if (offset < 0 || extent < 0 || offset > static_cast<Index>(available) ||
      extent > static_cast<Index>(available) - offset) {
    throw_sub_range(dimension, static_cast<long long>(offset), static_cast<long long>(extent),
                    static_cast<long long>(available));
  }
}

/// The array without its d-th value.
template <class V, std::size_t N>
constexpr std::array<V, N - 1> without(const std::array<V, N>& values, std::size_t d) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<V, N - 1>{{values[I < d ? I : I + 1]...}};
  }
  (std::make_index_sequence<N - 1>());
}

/// The values of the given dimensions.
template <class V, std::size_t N, std::size_t M>
constexpr std::array<V, M> selected(const std::array<V, N>& values,
                                    const std::array<std::size_t, M>& dims) {
  std::array<V, M> result{};
  for (std::size_t d = 0; d < M; ++d)
    result[d] = values[dims[d]];
  return result;
}

template <std::size_t N>
constexpr std::array<std::size_t, N> all_dimensions() {
  std::array<std::size_t, N> dims{};
  for (std::size_t d = 0; d < N; ++d)
    dims[d] = d;
  return dims;
}

}  // namespace dash::internal
