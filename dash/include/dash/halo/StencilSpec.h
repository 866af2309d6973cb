#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <limits>
#include <ostream>
#include <type_traits>
#include <utility>

#include "dash/Exception.h"
#include "dash/halo/StencilPoint.h"
#include "dash/halo/Types.h"

namespace dash::halo {

/// The neighbours that a stencil reads, in the order in which they are numbered. The centre is not
/// among them.
/// \tparam NumStencilPoints  number of neighbours
/// \ingroup halo
template <typename StencilPointT, std::size_t NumStencilPoints>
class StencilSpec {
 public:
  /// Number of dimensions.
  static constexpr dim_t NumDimensions = StencilPointT::ndim();

  /// A neighbour: its offset from the centre and a coefficient.
  using StencilPoint_t = StencilPointT;
  /// All neighbours.
  using StencilArray_t = std::array<StencilPointT, NumStencilPoints>;
  /// {lowest, highest} offset in one dimension.
  using DistanceDim_t = std::pair<spoint_value_t, spoint_value_t>;
  /// DistanceDim_t for each dimension.
  using DistanceAll_t = std::array<DistanceDim_t, NumDimensions>;

  /// The neighbours are numbered in the order of the array.
  constexpr StencilSpec(
      const StencilArray_t& points)  // NOLINT(google-explicit-constructor): DASH's
      : _points(points) {}

  /// Constructs from a braced list.
  constexpr explicit StencilSpec(const StencilPointT (&points)[NumStencilPoints]) {
    std::copy(std::begin(points), std::end(points), _points.begin());
  }

  /// The neighbours are numbered in the order of the arguments.
  template <typename... Points>
  requires(sizeof...(Points) == NumStencilPoints &&
           (std::same_as<std::remove_cvref_t<Points>, StencilPointT> &&
            ...)) constexpr explicit(NumStencilPoints == 1) StencilSpec(const Points&... points)
      : _points{{points...}} {}

  /// Number of neighbours.
  static constexpr std::size_t num_stencil_points() { return NumStencilPoints; }
  /// Number of dimensions.
  static constexpr dim_t ndim() { return NumDimensions; }

  /// All neighbours, in the order of their numbers.
  constexpr const StencilArray_t& specs() const { return _points; }

  /// The neighbour with a number from 0 to num_stencil_points() - 1.
  constexpr const StencilPointT& operator[](std::size_t i) const { return _points[i]; }

  /// Position of the point with these offsets, ignoring its coefficient.
  /// \returns {position, true} or {0, false}
  constexpr std::pair<std::size_t, bool> index(const StencilPointT& point) const {
    for (std::size_t i = 0; i < NumStencilPoints; ++i) {
      if (_points[i].same_offsets(point)) return {i, true};
    }
    return {0, false};
  }

  /// The reach in one dimension: {lowest offset, at most 0; highest offset, at least 0}.
  constexpr DistanceDim_t minmax_distances(dim_t dim) const {
    DistanceDim_t reach{0, 0};
    for (const auto& point : _points) {
      reach.first = std::min<spoint_value_t>(reach.first, point[dim]);
      reach.second = std::max<spoint_value_t>(reach.second, point[dim]);
    }
    return reach;
  }

  /// The reach in each dimension.
  constexpr DistanceAll_t minmax_distances() const {
    DistanceAll_t reach{};
    for (dim_t d = 0; d < NumDimensions; ++d) {
      reach[d] = minmax_distances(d);
    }
    return reach;
  }

  /// Difference of the highest and the lowest offset in one dimension, which the type of an offset
  /// might not be able to represent.
  constexpr int total_distances(dim_t dim) const {
    const auto reach = minmax_distances(dim);
    return reach.second - reach.first;
  }

  /// The difference of the highest and the lowest offset in each dimension.
  constexpr std::array<int, NumDimensions> total_distances() const {
    std::array<int, NumDimensions> distances{};
    for (dim_t d = 0; d < NumDimensions; ++d) {
      distances[d] = total_distances(d);
    }
    return distances;
  }

  friend std::ostream& operator<<(std::ostream& os, const StencilSpec& spec) {
    os << "StencilSpec<" << NumStencilPoints << ">(";
    for (std::size_t i = 0; i < NumStencilPoints; ++i) {
      os << (i == 0 ? "" : ", ") << spec._points[i];
    }
    return os << ')';
  }

 private:
  StencilArray_t _points{};
};

/// Creates stencil specifications of regular shapes.
/// \ingroup halo
template <typename StencilPointT>
class StencilSpecFactory {
  static constexpr dim_t NumDimensions = StencilPointT::ndim();
  static constexpr std::size_t NumPoints = NumRegionsMax<NumDimensions> - 1;

 public:
  /// A stencil with one point for each halo region.
  using StencilSpec_t = StencilSpec<StencilPointT, NumPoints>;

  /// All points with offsets of -dist, 0 or +dist in each dimension, except for the centre. Each
  /// halo region contains one of them, at its far end, so each region gets the width `dist`.
  /// \throws exception::InvalidArgument if dist does not fit a stencil point
  static constexpr StencilSpec_t full_stencil_spec(std::size_t dist) {
    if (dist > static_cast<std::size_t>(std::numeric_limits<spoint_value_t>::max())) {
      throw_too_wide(dist);
    }
    const auto width = static_cast<spoint_value_t>(dist);
    std::array<StencilPointT, NumPoints> points{};
    std::size_t position = 0;
    for (region_index_t region = 0; region <= NumPoints; ++region) {
      if (region == NumPoints / 2) continue;  // the centre
      region_index_t rest = region;
      for (dim_t d = NumDimensions; d-- > 0; rest /= 3) {
        points[position][d] = static_cast<spoint_value_t>((static_cast<int>(rest % 3) - 1) * width);
      }
      ++position;
    }
    return StencilSpec_t(points);
  }

 private:
  // Separate, because a constant expression cannot construct the text.
  [[noreturn]] static void throw_too_wide(std::size_t dist) {
    DASH_THROW(exception::InvalidArgument, "a halo width of "
                                               << dist << " exceeds the maximum, "
                                               << std::numeric_limits<spoint_value_t>::max());
  }
};

}  // namespace dash::halo
