#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "dash/Types.h"

namespace dash::halo::internal {

/// Signed, because coordinates relative to a block may be negative.
using coord_t = std::ptrdiff_t;

template <dim_t N>
using Coords = std::array<coord_t, N>;

/// A range of coordinates in one dimension, [begin, end).
struct Interval {
  coord_t begin = 0;
  coord_t end = 0;

  constexpr coord_t size() const { return end > begin ? end - begin : 0; }

  constexpr bool contains(coord_t coord) const { return coord >= begin && coord < end; }

  constexpr Interval intersect(const Interval& other) const {
    const coord_t low = std::max(begin, other.begin);
    return {low, std::max(low, std::min(end, other.end))};
  }

  friend constexpr bool operator==(const Interval&, const Interval&) = default;
};

/// The dimension at a position in the order from the slowest to the fastest dimension.
template <dim_t N, MemArrange Arrange>
constexpr dim_t dim_at(dim_t position) {
  return Arrange == COL_MAJOR ? N - 1 - position : position;
}

/// Distances in elements between neighbours in a canonical array with these extents.
template <dim_t N, MemArrange Arrange>
constexpr Coords<N> canonical_strides(const Coords<N>& extents) {
  Coords<N> strides{};
  coord_t stride = 1;
  for (dim_t p = N; p-- > 0;) {
    const dim_t d = dim_at<N, Arrange>(p);
    strides[d] = stride;
    stride *= extents[d];
  }
  return strides;
}

template <dim_t N>
constexpr coord_t dot(const Coords<N>& a, const Coords<N>& b) {
  coord_t sum = 0;
  for (dim_t d = 0; d < N; ++d) {
    sum += a[d] * b[d];
  }
  return sum;
}

/// A range of coordinates in N dimensions.
template <dim_t N>
struct Box {
  std::array<Interval, N> range{};

  constexpr const Interval& operator[](dim_t d) const { return range[d]; }
  constexpr Interval& operator[](dim_t d) { return range[d]; }

  constexpr Coords<N> first() const {
    Coords<N> coords{};
    for (dim_t d = 0; d < N; ++d) {
      coords[d] = range[d].begin;
    }
    return coords;
  }

  constexpr Coords<N> extents() const {
    Coords<N> sizes{};
    for (dim_t d = 0; d < N; ++d) {
      sizes[d] = range[d].size();
    }
    return sizes;
  }

  constexpr coord_t size() const {
    coord_t product = 1;
    for (const auto& interval : range) {
      product *= interval.size();
    }
    return product;
  }

  constexpr bool empty() const { return size() == 0; }

  constexpr bool contains(const Coords<N>& coords) const {
    for (dim_t d = 0; d < N; ++d) {
      if (!range[d].contains(coords[d])) return false;
    }
    return true;
  }

  /// Coordinates of the element at a position in the traversal of the box in memory order.
  template <MemArrange Arrange>
  constexpr Coords<N> coords_at(coord_t position) const {
    Coords<N> coords{};
    for (dim_t p = N; p-- > 0;) {
      const dim_t d = dim_at<N, Arrange>(p);
      const coord_t extent = range[d].size();
      coords[d] = range[d].begin + position % extent;
      position /= extent;
    }
    return coords;
  }

  friend constexpr bool operator==(const Box&, const Box&) = default;
};

/// Calls fn(coords of the first element, number of elements) for each row of the box, which is
/// contiguous in the fastest dimension, in memory order.
template <MemArrange Arrange, dim_t N, typename Fn>
constexpr void for_each_row(const Box<N>& box, Fn&& fn) {
  if (box.empty()) return;
  constexpr dim_t fastest = dim_at<N, Arrange>(N - 1);
  auto coords = box.first();
  const coord_t length = box[fastest].size();
  while (true) {
    fn(static_cast<const Coords<N>&>(coords), length);
    dim_t p = N - 1;
    while (p > 0) {
      const dim_t d = dim_at<N, Arrange>(p - 1);
      if (++coords[d] < box[d].end) break;
      coords[d] = box[d].begin;
      --p;
    }
    if (p == 0) return;
  }
}

/// The elements of a box as a view specification.
template <typename ViewSpecT, dim_t N>
constexpr ViewSpecT to_view(const Box<N>& box) {
  typename ViewSpecT::offsets_type offsets{};
  typename ViewSpecT::extents_type extents{};
  for (dim_t d = 0; d < N; ++d) {
    offsets[d] = static_cast<typename ViewSpecT::index_type>(box[d].begin);
    extents[d] = static_cast<typename ViewSpecT::size_type>(box[d].size());
  }
  return ViewSpecT(offsets, extents);
}

/// Converts coordinates to another integer type.
template <dim_t N, typename CoordsT>
constexpr Coords<N> to_coords(const CoordsT& coords) {
  Coords<N> result{};
  for (dim_t d = 0; d < N; ++d) {
    result[d] = static_cast<coord_t>(coords[d]);
  }
  return result;
}

}  // namespace dash::halo::internal
