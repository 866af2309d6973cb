#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <type_traits>

#include "dash/Dimensional.h"
#include "dash/Types.h"

namespace dash {

/// Begin and extent of a view in one dimension.
/// \ingroup views
template <typename IndexType = default_index_t>
struct ViewPair {
  /// Index of the first element.
  IndexType offset;
  /// Number of elements.
  IndexType extent;
  friend constexpr bool operator==(const ViewPair&, const ViewPair&) = default;

  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                                      const ViewPair& view) {
    return os << "ViewPair(offset " << view.offset << ", extent " << view.extent << ')';
  }
};

/// The corners of a view that contains the elements with begin <= coords < end in each dimension.
/// \ingroup views
template <dim_t NumDimensions, typename IndexType = default_index_t>
struct ViewRegion {
  /// The first index in each dimension.
  std::array<IndexType, NumDimensions> begin;
  /// The end of the indices in each dimension.
  std::array<IndexType, NumDimensions> end;
  friend constexpr bool operator==(const ViewRegion&, const ViewRegion&) = default;

  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                                      const ViewRegion& view) {
    os << "ViewRegion<" << NumDimensions << ">(begin {";
    for (std::size_t d = 0; d < NumDimensions; ++d)
      os << (d > 0 ? ", " : "") << view.begin[d];
    os << "}, end {";
    for (std::size_t d = 0; d < NumDimensions; ++d)
      os << (d > 0 ? ", " : "") << view.end[d];
    return os << "})";
  }
};

/// The indices begin ... end - 1 of one dimension.
/// \ingroup views
template <typename IndexType = default_index_t>
struct ViewRange {
  /// The first index.
  IndexType begin;
  /// The end of the indices.
  IndexType end;
  friend constexpr bool operator==(const ViewRange&, const ViewRange&) = default;

  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                                      const ViewRange& view) {
    return os << "ViewRange(begin " << view.begin << ", end " << view.end << ')';
  }
};

/// A box in an N-dimensional index space: an offset and an extent for each dimension.
/// \ingroup views
template <dim_t NumDimensions, typename IndexType = default_index_t>
class ViewSpec {
 public:
  using index_type = IndexType;
  using size_type = std::make_unsigned_t<IndexType>;
  /// The indices of a dimension.
  using range_type = ViewRange<IndexType>;
  /// The corners of the box.
  using region_type = ViewRegion<NumDimensions, IndexType>;
  /// One extent for each dimension.
  using extents_type = std::array<size_type, NumDimensions>;
  /// One offset for each dimension.
  using offsets_type = std::array<IndexType, NumDimensions>;

  /// An empty view: all extents 0.
  constexpr ViewSpec() = default;

  /// A view with offset 0.
  constexpr explicit ViewSpec(const extents_type& extents) { resize(extents); }

  /// \param offsets  the first index in each dimension
  /// \param extents  number of indices in each dimension
  constexpr ViewSpec(const offsets_type& offsets, const extents_type& extents) : _offsets(offsets) {
    resize(extents);
  }

  /// A view with offset 0.
  template <typename... Extents>
  requires(sizeof...(Extents) == NumDimensions &&
           (std::is_integral_v<Extents> && ...)) constexpr explicit ViewSpec(Extents... extents)
      : ViewSpec(extents_type{{static_cast<size_type>(extents)...}}) {}

  /// \overload
  // For lists, since ViewSpec<2>({10, 8}) could also copy ViewSpec<2>(10, 8).
  template <std::integral Extent>
  constexpr explicit ViewSpec(const Extent (&extents)[NumDimensions])
      : ViewSpec(converted<size_type>(extents)) {}
  /// \overload
  template <std::integral Offset, std::integral Extent>
  constexpr ViewSpec(const Offset (&offsets)[NumDimensions], const Extent (&extents)[NumDimensions])
      : ViewSpec(converted<index_type>(offsets), converted<size_type>(extents)) {}

  /// Number of dimensions: the template argument.
  static constexpr dim_t ndim() { return NumDimensions; }

  /// Replaces the extents; the offsets remain the same.
  constexpr void resize(const extents_type& extents) {
    _extents = extents;
    update_size();
  }
  /// \overload
  template <typename... Extents>
  requires(sizeof...(Extents) == NumDimensions &&
           (std::is_integral_v<Extents> && ...)) constexpr void resize(Extents... extents) {
    resize(extents_type{{static_cast<size_type>(extents)...}});
  }

  /// Changes offset and extent in one dimension.
  /// \throws exception::OutOfRange unless 0 <= dimension < N
  constexpr void resize_dim(dim_t dimension, index_type offset, size_type extent) {
    internal::check_dimension(dimension, NumDimensions);
    _offsets[static_cast<std::size_t>(dimension)] = offset;
    _extents[static_cast<std::size_t>(dimension)] = extent;
    update_size();
  }

  /// The view without one of its dimensions.
  /// \throws exception::OutOfRange unless 0 <= dimension < N
  constexpr ViewSpec<NumDimensions - 1, IndexType> slice(dim_t dimension) const
      requires(NumDimensions > 1) {
    internal::check_dimension(dimension, NumDimensions);
    std::array<IndexType, NumDimensions - 1> offsets{};
    std::array<size_type, NumDimensions - 1> extents{};
    for (std::size_t d = 0, to = 0; d < NumDimensions; ++d) {
      if (d == static_cast<std::size_t>(dimension)) continue;
      offsets[to] = _offsets[d];
      extents[to] = _extents[d];
      ++to;
    }
    return ViewSpec<NumDimensions - 1, IndexType>(offsets, extents);
  }

  /// Restricts size() and rank() to the first `rank` dimensions.
  /// \throws exception::OutOfRange unless 1 <= rank <= N
  constexpr void set_rank(dim_t rank) {
    internal::check_dimension(rank - 1, NumDimensions);
    _rank = rank;
    update_size();
  }

  /// Number of elements: the product of the extents in the first rank() dimensions.
  constexpr size_type size() const { return _size; }
  /// Extent in one dimension.
  /// \throws exception::OutOfRange unless 0 <= dimension < N
  constexpr size_type size(dim_t dimension) const { return extent(dimension); }
  /// Number of dimensions, or the argument of set_rank().
  constexpr dim_t rank() const { return _rank; }

  /// Extent in each dimension.
  constexpr const extents_type& extents() const { return _extents; }
  /// Extent in one dimension.
  /// \throws exception::OutOfRange unless 0 <= dimension < N
  constexpr size_type extent(dim_t dimension) const {
    internal::check_dimension(dimension, NumDimensions);
    return _extents[static_cast<std::size_t>(dimension)];
  }
  /// The first index in each dimension.
  constexpr const offsets_type& offsets() const { return _offsets; }
  /// The first index in one dimension.
  /// \throws exception::OutOfRange unless 0 <= dimension < N
  constexpr index_type offset(dim_t dimension) const {
    internal::check_dimension(dimension, NumDimensions);
    return _offsets[static_cast<std::size_t>(dimension)];
  }
  /// The indices of one dimension.
  /// \throws exception::OutOfRange unless 0 <= dimension < N
  constexpr range_type range(dim_t dimension) const {
    const auto begin = offset(dimension);
    return {begin, begin + static_cast<index_type>(extent(dimension))};
  }
  /// The corners of the box.
  constexpr region_type region() const {
    region_type corners{_offsets, _offsets};
    for (std::size_t d = 0; d < NumDimensions; ++d) {
      corners.end[d] += static_cast<index_type>(_extents[d]);
    }
    return corners;
  }

  friend constexpr bool operator==(const ViewSpec& a, const ViewSpec& b) {
    return a._extents == b._extents && a._offsets == b._offsets && a._rank == b._rank;
  }

  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                                      const ViewSpec& view) {
    os << "ViewSpec<" << NumDimensions << ">(offsets {";
    for (std::size_t d = 0; d < NumDimensions; ++d)
      os << (d > 0 ? ", " : "") << view._offsets[d];
    os << "}, extents {";
    for (std::size_t d = 0; d < NumDimensions; ++d)
      os << (d > 0 ? ", " : "") << view._extents[d];
    return os << "})";
  }

 private:
  template <class To, class From>
  static constexpr std::array<To, NumDimensions> converted(const From (&values)[NumDimensions]) {
    std::array<To, NumDimensions> result{};
    for (std::size_t d = 0; d < NumDimensions; ++d)
      result[d] = static_cast<To>(values[d]);
    return result;
  }

  constexpr void update_size() {
    _size = 1;
    for (dim_t d = 0; d < _rank; ++d)
      _size *= _extents[static_cast<std::size_t>(d)];
  }

  offsets_type _offsets{};
  extents_type _extents{};
  size_type _size = 0;
  dim_t _rank = NumDimensions;
};

}  // namespace dash
