#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "dash/Types.h"
#include "dash/core/Export.h"
#include "dash/view/internal/IndexList.h"

namespace dash::internal {

[[noreturn]] DASH_API void throw_view_range(dim_t dimension, long long first, long long last,
                                            long long extent);
[[noreturn]] DASH_API void throw_view_step(long long step);

/// Distances between the indices of a view in a dimension of its origin: one, a constant, or given
/// by a list.
enum class Spacing : unsigned char { unit, strided, listed };

/// The mechanism behind all views: maps the M-dimensional indices of a view to K-dimensional
/// coordinates of its origin, dimension by dimension. M < K if some dimensions of the origin are
/// fixed.
///
/// A value type without reference to elements. Coordinates are computed when an element is
/// accessed.
template <dim_t NumViewDim, dim_t NumDimensions, class IndexType, Spacing S>
class IndexMap {
  static constexpr std::size_t M = NumViewDim;
  static constexpr std::size_t K = NumDimensions;
  static_assert(M > 0 && M <= K);

  template <int>
  struct None {};

  template <dim_t, dim_t, class, Spacing>
  friend class IndexMap;

 public:
  using index_type = IndexType;
  using coords_type = std::array<IndexType, K>;
  using view_coords_type = std::array<IndexType, M>;
  using dims_type = std::array<std::size_t, M>;
  using lists_type = std::array<IndexList<IndexType>, K>;

  static constexpr Spacing spacing = S;
  static constexpr dim_t ndim = NumViewDim;
  static constexpr dim_t origin_ndim = NumDimensions;

  /// An empty map.
  constexpr IndexMap() = default;
  /// A map to a box.
  constexpr IndexMap(const coords_type& base,
                     const view_coords_type& extents) requires(S == Spacing::unit && M == K)
      : _base(base), _extents(extents) {}
  /// A map to a box in some of the dimensions; the other coordinates are fixed.
  constexpr IndexMap(const coords_type& base, const view_coords_type& extents,
                     const dims_type& dims) requires(S == Spacing::unit && M < K)
      : _base(base), _extents(extents), _dims(dims) {}

  /// A copy with other values for the dimensions.
  template <Spacing From>
  constexpr IndexMap(const IndexMap<NumViewDim, NumDimensions, IndexType, From>& other,
                     const coords_type& base, const view_coords_type& extents,
                     const view_coords_type& strides)
      : _base(base), _extents(extents) {
    if constexpr (M < K) _dims = other._dims;
    if constexpr (S != Spacing::unit) _strides = strides;
  }
  /// A copy in which each dimension is given by a list. The base of a dimension of the view is an
  /// offset into its list.
  template <Spacing From>
  IndexMap(const IndexMap<NumViewDim, NumDimensions, IndexType, From>& other,
           lists_type lists) requires(S == Spacing::listed) {
    if constexpr (M < K) _dims = other._dims;
    _strides.fill(1);
    bool empty = false;
    for (auto& list : lists) {
      list.finish();
      empty = empty || list.size() == 0;
    }
    for (std::size_t m = 0; m < M; ++m)
      _extents[m] = empty ? 0 : lists[dim(m)].size();
    _lists = std::make_shared<const lists_type>(std::move(lists));
  }

  constexpr std::size_t dim(std::size_t m) const {
    if constexpr (M < K) {
      return _dims[m];
    } else {
      return m;
    }
  }
  constexpr const coords_type& base() const { return _base; }
  constexpr const view_coords_type& extents() const { return _extents; }
  constexpr IndexType extent(std::size_t m) const { return _extents[m]; }
  constexpr IndexType stride(std::size_t m) const {
    if constexpr (S == Spacing::unit) {
      return 1;
    } else {
      return _strides[m];
    }
  }
  /// Extent and stride in a dimension of the origin.
  constexpr std::pair<IndexType, IndexType> progression(std::size_t k) const {
    for (std::size_t m = 0; m < M; ++m) {
      if (dim(m) == k) return {extent(m), stride(m)};
    }
    return {1, 1};
  }
  constexpr IndexType size() const {
    IndexType size = 1;
    for (const auto extent : _extents)
      size *= extent;
    return size;
  }

  /// Coordinate in dimension dim(m) of the origin.
  constexpr IndexType coordinate(std::size_t m, IndexType i) const {
    return listed(dim(m), _base[dim(m)] + i * stride(m));
  }
  constexpr coords_type coords(const view_coords_type& view_coords) const {
    coords_type result = _base;
    for (std::size_t m = 0; m < M; ++m)
      result[dim(m)] += view_coords[m] * stride(m);
    if constexpr (S == Spacing::listed) {
      for (std::size_t k = 0; k < K; ++k)
        result[k] = listed(k, result[k]);
    }
    return result;
  }

  /// The same by the dimension of the origin, which may be fixed.
  constexpr IndexType coordinate_in(std::size_t k, IndexType i) const {
    return listed(k, _base[k] + i * progression(k).second);
  }

  /// Coordinates in the view of an element, from its position in row-major order.
  constexpr view_coords_type view_coords(IndexType position) const {
    view_coords_type result{};
    for (std::size_t m = M - 1; m > 0; --m) {
      if (_extents[m] == 0) continue;
      result[m] = position % _extents[m];
      position /= _extents[m];
    }
    result[0] = position;
    return result;
  }
  constexpr IndexType position(const view_coords_type& view_coords) const {
    IndexType position = 0;
    for (std::size_t m = 0; m < M; ++m)
      position = position * _extents[m] + view_coords[m];
    return position;
  }
  constexpr coords_type coords_at(IndexType position) const {
    return coords(view_coords(position));
  }

  /// Index in the view's dimension that maps to a coordinate of the origin's dimension k; -1 if
  /// there is none.
  constexpr IndexType find(std::size_t k, IndexType coordinate) const {
    if constexpr (S == Spacing::listed) {
      coordinate = (*_lists)[k].position_of(coordinate);
      if (coordinate < 0) return -1;
    }
    const auto [extent, stride] = progression(k);
    const IndexType distance = coordinate - _base[k];
    if (distance < 0 || distance % stride != 0) return -1;
    return distance / stride < extent ? distance / stride : -1;
  }
  /// The position of the element with given coordinates in the origin; -1 if it is not in the view.
  constexpr IndexType find(const coords_type& coords) const {
    if (size() == 0) return -1;
    view_coords_type found{};
    for (std::size_t k = 0; k < K; ++k) {
      const IndexType i = find(k, coords[k]);
      if (i < 0) return -1;
      for (std::size_t m = 0; m < M; ++m) {
        if (dim(m) == k) found[m] = i;
      }
    }
    return position(found);
  }

  /// A map restricted to the indices first ... last - 1 of dimension m.
  /// \throws exception::OutOfRange unless 0 <= first <= last <= extent(m)
  constexpr IndexMap sub(std::size_t m, long long first, long long last) const {
    if (first < 0 || last < first || last > static_cast<long long>(_extents[m])) {
      throw_view_range(static_cast<dim_t>(m), first, last, _extents[m]);
    }
    IndexMap result = *this;
    result._base[dim(m)] += static_cast<IndexType>(first) * stride(m);
    result._extents[m] = static_cast<IndexType>(last - first);
    return result;
  }

  /// A map restricted to every step-th index of dimension m, starting with the first.
  /// \throws exception::InvalidArgument unless step > 0
  constexpr auto strided(std::size_t m, long long step) const {
    if (step <= 0) throw_view_step(step);
    using Strided =
        IndexMap<NumViewDim, NumDimensions, IndexType, S == Spacing::unit ? Spacing::strided : S>;
    // A step larger than the extent selects only the first index.
    const long long longest = std::max<long long>(_extents[m], 1);
    const auto by = static_cast<IndexType>(std::min(step, longest));
    view_coords_type strides{};
    for (std::size_t d = 0; d < M; ++d)
      strides[d] = stride(d) * (d == m ? by : 1);
    auto extents = _extents;
    extents[m] = (extents[m] + by - 1) / by;
    Strided result(*this, _base, extents, strides);
    if constexpr (S == Spacing::listed) result._lists = _lists;
    return result;
  }

  friend constexpr bool operator==(const IndexMap& a, const IndexMap& b) {
    if (a._extents != b._extents) return false;
    if (a.size() == 0) return true;
    for (std::size_t m = 0; m < M; ++m) {
      if (a.dim(m) != b.dim(m)) return false;
    }
    if constexpr (S == Spacing::listed) {
      // Bases and strides are offsets in lists; they can be compared only within the same lists.
      if (a._lists != b._lists) {
        for (IndexType i = 0; i < a.size(); ++i) {
          if (a.coords_at(i) != b.coords_at(i)) return false;
        }
        return true;
      }
    }
    for (std::size_t m = 0; m < M; ++m) {
      if (a.extent(m) > 1 && a.stride(m) != b.stride(m)) return false;
    }
    return a._base == b._base;
  }

 private:
  constexpr IndexType listed(std::size_t k, IndexType i) const {
    if constexpr (S == Spacing::listed) {
      return (*_lists)[k][i];
    } else {
      return i;
    }
  }

  coords_type _base{};
  view_coords_type _extents{};
  [[no_unique_address]] std::conditional_t<S == Spacing::unit, None<0>, view_coords_type>
      _strides{};
  [[no_unique_address]] std::conditional_t<(M < K), dims_type, None<1>> _dims{};
  [[no_unique_address]] std::conditional_t<S == Spacing::listed, std::shared_ptr<const lists_type>,
                                           None<2>>
      _lists{};
};

/// A map to a one-dimensional list of indices.
template <class Index>
auto listed_map(IndexList<Index> list) {
  using Map = IndexMap<1, 1, Index, Spacing::listed>;
  return Map(IndexMap<1, 1, Index, Spacing::unit>(), typename Map::lists_type{{std::move(list)}});
}

}  // namespace dash::internal
