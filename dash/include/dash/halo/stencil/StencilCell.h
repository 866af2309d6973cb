#pragma once

/// \file
/// The objects by which the function of a stencil reads an element and its neighbours.

#include <array>
#include <cstddef>
#include <type_traits>

#include "dash/Exception.h"
#include "dash/halo/Types.h"
#include "dash/halo/stencil/Box.h"
#include "dash/halo/stencil/PointTable.h"

namespace dash::halo {

namespace internal {

/// Where the neighbours of an inner element are, relative to it.
template <dim_t N, MemArrange Arrange, std::size_t NumPoints>
struct InnerOffsets {
  std::array<coord_t, NumPoints> points;
  Coords<N> strides;
  const PointTable<N, NumPoints>* table;

  coord_t operator()(const Coords<N>& offsets) const {
    DASH_ASSERT((*table)(offsets) <= NumPoints);
    constexpr dim_t fastest = dim_at<N, Arrange>(N - 1);
    coord_t distance = offsets[fastest];
    for (dim_t d = 0; d < N; ++d) {
      if (d != fastest) distance += offsets[d] * strides[d];
    }
    return distance;
  }
};

/// Elements of a line for which each stencil point is on the same side of the block's borders.
template <dim_t N>
struct StencilSegment {
  std::size_t part;  ///< of the border, see StencilCore
  Coords<N> coords;  ///< of the first element
  dim_t along;       ///< dimension of the line
  coord_t length;
};

/// A line of elements at equal distances, and the addresses of their stencil points.
template <typename ElementT, dim_t N, std::size_t NumPoints>
struct StencilLine {
  coord_t position;  ///< position of the first element in the block's memory
  coord_t length;
  coord_t stride;  ///< distance of elements in the block's memory; 1 for a row
  /// The stencil points of the first element and the element itself, and their distances between
  /// neighbouring elements, which are 1 in a row.
  std::array<const ElementT*, NumPoints + 1> points;
  std::array<coord_t, NumPoints + 1> strides;
  const PointTable<N, NumPoints>* table;
};

}  // namespace internal

/// An element whose neighbours are in the block, as passed to the function of a stencil.
/// \ingroup halo
template <typename ElementT, dim_t N, MemArrange Arrange, std::size_t NumPoints>
class InnerCell {
  using Offsets_t = internal::InnerOffsets<N, Arrange, NumPoints>;

 public:
  /// Used by the library.
  InnerCell(const ElementT* center, internal::coord_t lpos, const Offsets_t& offsets)
      : _center(center), _lpos(lpos), _offsets(offsets) {}

  /// The element.
  ElementT center() const { return *_center; }
  /// The element, as center().
  ElementT operator*() const { return *_center; }
  /// The value at a stencil point, given by its position in the stencil specification; not
  /// weighted.
  ElementT operator[](std::size_t point) const { return _center[_offsets.points[point]]; }
  /// The value at a stencil point, given by its offsets; not weighted. `cell(0, 0)` is the element.
  /// \pre the stencil specification contains the point
  template <typename... Distances>
  requires(sizeof...(Distances) == N && (std::is_integral_v<Distances> && ...)) ElementT operator()(
      Distances... offsets) const {
    return _center[_offsets({{static_cast<internal::coord_t>(offsets)...}})];
  }
  /// Position in the block's memory.
  default_index_t lpos() const { return static_cast<default_index_t>(_lpos); }

 private:
  const ElementT* _center;
  internal::coord_t _lpos;
  const Offsets_t& _offsets;
};

/// An element whose stencil may reach halos, as passed to the function of a stencil.
/// \tparam IsInRow  whether its line is contiguous in memory
/// \ingroup halo
template <typename ElementT, dim_t N, std::size_t NumPoints, bool IsInRow>
class BorderCell {
  using Line_t = internal::StencilLine<ElementT, N, NumPoints>;

 public:
  /// Used by the library.
  /// \param index  index in the line
  BorderCell(const Line_t& line, internal::coord_t index) : _line(line), _index(index) {}

  /// The element.
  ElementT center() const { return (*this)[NumPoints]; }
  /// The element, as center().
  ElementT operator*() const { return center(); }
  /// The value at a stencil point, given by its position in the stencil specification; not
  /// weighted.
  ElementT operator[](std::size_t point) const {
    return _line.points[point][IsInRow ? _index : _index * _line.strides[point]];
  }
  /// The value at a stencil point, given by its offsets; not weighted. `cell(0, 0)` is the element.
  /// \pre the stencil specification contains the point
  template <typename... Distances>
  requires(sizeof...(Distances) == N && (std::is_integral_v<Distances> && ...)) ElementT operator()(
      Distances... offsets) const {
    return (*this)[(*_line.table)({{static_cast<internal::coord_t>(offsets)...}})];
  }
  /// Position in the block's memory.
  default_index_t lpos() const {
    return static_cast<default_index_t>(_line.position +
                                        (IsInRow ? _index : _index * _line.stride));
  }

 private:
  const Line_t& _line;
  internal::coord_t _index;
};

}  // namespace dash::halo
