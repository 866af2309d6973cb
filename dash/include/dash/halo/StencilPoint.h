#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <ostream>
#include <type_traits>
#include <utility>

#include "dash/Dimensional.h"
#include "dash/Exception.h"
#include "dash/halo/Types.h"

namespace dash::halo {

namespace internal {

/// A separate function, because a constexpr function cannot build the text of the message.
[[noreturn]] inline void throw_far_offset(long offset) {
  DASH_THROW(exception::InvalidArgument, "stencil point with the offset "
                                             << offset << "; expected an absolute value of at most "
                                             << std::numeric_limits<spoint_value_t>::max());
}

template <typename Value>
constexpr spoint_value_t checked_offset(Value offset) {
  constexpr long farthest = std::numeric_limits<spoint_value_t>::max();
  const auto wide = static_cast<long>(offset);
  if (wide < -farthest || wide > farthest) throw_far_offset(wide);
  return static_cast<spoint_value_t>(wide);
}

}  // namespace internal

/// One neighbour that a stencil reads: its offset from the centre and a coefficient.
/// \tparam CoeffT  type of the coefficient
/// \ingroup halo
template <dim_t NumDimensions, typename CoeffT = double>
class StencilPoint : public Dimensional<spoint_value_t, NumDimensions> {
  using Base = Dimensional<spoint_value_t, NumDimensions>;

 public:
  /// Type of an offset.
  using point_value_t = spoint_value_t;
  /// Type of the coefficient.
  using coefficient_t = CoeffT;

  /// The centre, with coefficient 1.
  constexpr StencilPoint() : Base(std::array<spoint_value_t, NumDimensions>{}) {}

  /// The point at the given offsets, with coefficient 1.
  /// \throws exception::InvalidArgument if the absolute value of an offset exceeds 32767
  template <typename... Values>
  requires(
      sizeof...(Values) == NumDimensions &&
      (std::is_convertible_v<Values, spoint_value_t> &&
       ...)) constexpr StencilPoint(Values... offsets)  // NOLINT(google-explicit-constructor): DASH's
      : Base(std::array<spoint_value_t, NumDimensions>{{internal::checked_offset(offsets)...}}) {}

  /// The point at the given offsets.
  /// \throws exception::InvalidArgument if the absolute value of an offset exceeds 32767
  template <typename... Values>
  requires(sizeof...(Values) == NumDimensions && (std::is_convertible_v<Values, spoint_value_t> &&
                                                  ...)) constexpr StencilPoint(CoeffT coefficient,
                                                                               Values... offsets)
      : Base(std::array<spoint_value_t, NumDimensions>{{internal::checked_offset(offsets)...}}),
        _coefficient(coefficient) {}

  /// Number of dimensions.
  static constexpr dim_t ndim() { return NumDimensions; }

  /// The factor by which the neighbour's value is weighted.
  constexpr CoeffT coefficient() const { return _coefficient; }

  /// Largest distance from the centre in any dimension.
  constexpr int max() const {
    int reach = 0;
    for (dim_t d = 0; d < NumDimensions; ++d) {
      const int offset = (*this)[d];
      reach = std::max(reach, offset < 0 ? -offset : offset);
    }
    return reach;
  }

  /// `coords` plus the offsets.
  template <typename IndexType>
  constexpr std::array<IndexType, NumDimensions> stencil_coords(
      const std::array<IndexType, NumDimensions>& coords) const {
    auto moved = coords;
    for (dim_t d = 0; d < NumDimensions; ++d) {
      moved[d] += (*this)[d];
    }
    return moved;
  }

  /// `coords` plus the offsets, and whether the result is outside of `view`.
  template <typename IndexType, typename ViewSpecT>
  constexpr std::pair<std::array<IndexType, NumDimensions>, bool> stencil_coords_check(
      const std::array<IndexType, NumDimensions>& coords, const ViewSpecT& view) const {
    const auto moved = stencil_coords(coords);
    bool halo = false;
    for (dim_t d = 0; d < NumDimensions; ++d) {
      const auto relative = moved[d] - static_cast<IndexType>(view.offset(d));
      halo = halo || relative < 0 || relative >= static_cast<IndexType>(view.extent(d));
    }
    return {moved, halo};
  }

  /// Equal offsets and equal coefficients.
  friend constexpr bool operator==(const StencilPoint& a, const StencilPoint& b) {
    return a.same_offsets(b) && a._coefficient == b._coefficient;
  }

  /// Whether all offsets are equal; ignores the coefficients.
  constexpr bool same_offsets(const StencilPoint& other) const {
    for (dim_t d = 0; d < NumDimensions; ++d) {
      if ((*this)[d] != other[d]) return false;
    }
    return true;
  }

  friend std::ostream& operator<<(std::ostream& os, const StencilPoint& point) {
    os << "StencilPoint<" << NumDimensions << ">(coefficient " << point._coefficient << ", offsets";
    for (dim_t d = 0; d < NumDimensions; ++d) {
      os << ' ' << static_cast<int>(point[d]);
    }
    return os << ')';
  }

 private:
  CoeffT _coefficient = static_cast<CoeffT>(1);
};

}  // namespace dash::halo
