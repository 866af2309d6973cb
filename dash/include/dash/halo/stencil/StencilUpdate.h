#pragma once

#include <cstddef>
#include <functional>

#include "dash/halo/Types.h"
#include "dash/halo/stencil/Box.h"

namespace dash::halo::internal {

/// Selects the second of two values: the default combination of old and new values in
/// set_values_at().
struct Replace {
  template <typename T>
  constexpr T operator()(const T& /*old_value*/, const T& new_value) const {
    return new_value;
  }
};

/// Applies a stencil to the elements of a row.
///
/// `dst` is restricted so that compilers vectorize loops over stencils with many points: otherwise
/// they need a runtime check of each pair of addresses, and give up beyond about ten pairs.
template <typename ElementT, typename IndexType, typename OffsetsT, typename StencilFn>
inline void update_row(ElementT* center, ElementT* __restrict dst, IndexType offset, coord_t length,
                       const OffsetsT& stencil_offsets, StencilFn& fn) {
  // A local copy, which stores to dst cannot modify.
  const OffsetsT offsets = stencil_offsets;
  for (coord_t i = 0; i < length; ++i) {
    fn(center + i, dst + i, static_cast<IndexType>(offset + i), offsets);
  }
}

/// The same if source and destination may overlap.
template <typename ElementT, typename IndexType, typename OffsetsT, typename StencilFn>
inline void update_row_in_place(ElementT* center, ElementT* dst, IndexType offset, coord_t length,
                                const OffsetsT& stencil_offsets, StencilFn& fn) {
  for (coord_t i = 0; i < length; ++i) {
    fn(center + i, dst + i, static_cast<IndexType>(offset + i), stencil_offsets);
  }
}

/// Whether two ranges of `nelem` elements share memory.
template <typename ElementT>
bool overlap(const ElementT* a, const ElementT* b, coord_t nelem) {
  const std::less<const ElementT*> before;
  return before(a, b + nelem) && before(b, a + nelem);
}

}  // namespace dash::halo::internal
