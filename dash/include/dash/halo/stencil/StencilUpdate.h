#pragma once

#include <cstddef>
#include <functional>

#include "dash/halo/stencil/Box.h"
#include "dash/halo/Types.h"

namespace dash::halo::internal {

/// The second of two values: how set_values_at() combines old and new by default.
struct Replace {
  template <typename T>
  constexpr T operator()(const T& /*old_value*/, const T& new_value) const {
    return new_value;
  }
};

/// Applies a stencil to the elements of a row.
///
/// `dst` is restricted so that loops over stencils of many points need no comparison of each pair of
/// addresses before they use vector instructions: a compiler gives up beyond some ten pairs.
template <typename ElementT, typename IndexT, typename OffsetsT, typename StencilFn>
inline void update_row(ElementT* center, ElementT* __restrict dst, IndexT offset, coord_t length,
                       const OffsetsT& stencil_offsets, StencilFn& fn) {
  // A copy, which no store to dst can change.
  const OffsetsT offsets = stencil_offsets;
  for (coord_t i = 0; i < length; ++i) {
    fn(center + i, dst + i, static_cast<IndexT>(offset + i), offsets);
  }
}

/// The same where source and destination may be the same memory.
template <typename ElementT, typename IndexT, typename OffsetsT, typename StencilFn>
inline void update_row_in_place(ElementT* center, ElementT* dst, IndexT offset, coord_t length,
                                const OffsetsT& stencil_offsets, StencilFn& fn) {
  for (coord_t i = 0; i < length; ++i) {
    fn(center + i, dst + i, static_cast<IndexT>(offset + i), stencil_offsets);
  }
}

/// Whether two ranges of `nelem` elements share memory.
template <typename ElementT>
bool overlap(const ElementT* a, const ElementT* b, coord_t nelem) {
  const std::less<const ElementT*> before;
  return before(a, b + nelem) && before(b, a + nelem);
}

}  // namespace dash::halo::internal
