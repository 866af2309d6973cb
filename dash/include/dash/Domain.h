#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <iosfwd>
#include <type_traits>

#include "dash/Dimensional.h"
#include "dash/Types.h"
#include "dash/core/Export.h"

namespace dash {

namespace internal {

[[noreturn]] DASH_API void throw_domain_ranges(std::size_t nranges, dim_t ndim);
[[noreturn]] DASH_API void throw_domain_range(long long first, long long last, dim_t dimension);

}  // namespace internal

/// An N-dimensional box of coordinates: an offset and an extent in each dimension.
/// \ingroup patterns
template <dim_t NumDimensions, typename IndexType = default_index_t>
class Domain {
  static constexpr std::size_t N = NumDimensions;

 public:
  using index_type = IndexType;
  using size_type = std::make_unsigned_t<IndexType>;
  /// One coordinate for each dimension.
  using offsets_type = std::array<index_type, N>;
  /// One extent for each dimension.
  using extents_type = std::array<size_type, N>;

  /// \param ranges  the first coordinate and the past-the-end coordinate of each dimension
  /// \throws exception::InvalidArgument unless there are N ranges, each with begin <= end
  Domain(std::initializer_list<std::array<index_type, 2>> ranges) {
    if (ranges.size() != N) internal::throw_domain_ranges(ranges.size(), NumDimensions);
    std::size_t d = 0;
    for (const auto& [first, last] : ranges) {
      if (last < first) internal::throw_domain_range(first, last, static_cast<dim_t>(d));
      _offsets[d] = first;
      _extents[d] = static_cast<size_type>(last - first);
      ++d;
    }
  }

  /// Number of dimensions: the template argument.
  static constexpr dim_t ndim() { return NumDimensions; }

  /// Moves the box: adds to its offsets.
  Domain& translate(const offsets_type& by) {
    for (std::size_t d = 0; d < N; ++d)
      _offsets[d] += by[d];
    return *this;
  }
  /// Changes the extents.
  Domain& resize(const extents_type& extents) {
    _extents = extents;
    return *this;
  }
  /// Adds to the extents.
  Domain& expand(const extents_type& by) {
    for (std::size_t d = 0; d < N; ++d)
      _extents[d] += by[d];
    return *this;
  }

  /// The first coordinate in each dimension.
  const offsets_type& offsets() const { return _offsets; }
  /// The first coordinate in one dimension.
  /// \throws exception::OutOfRange unless 0 <= dimension < ndim()
  index_type offset(dim_t dimension) const {
    internal::check_dimension(dimension, NumDimensions);
    return _offsets[static_cast<std::size_t>(dimension)];
  }
  /// Number of coordinates in each dimension.
  std::array<index_type, N> extents() const {
    std::array<index_type, N> result{};
    std::copy(_extents.begin(), _extents.end(), result.begin());
    return result;
  }
  /// Number of coordinates in one dimension.
  /// \throws exception::OutOfRange unless 0 <= dimension < ndim()
  size_type extent(dim_t dimension) const {
    internal::check_dimension(dimension, NumDimensions);
    return _extents[static_cast<std::size_t>(dimension)];
  }

  friend bool operator==(const Domain&, const Domain&) = default;

  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                                      const Domain& domain) {
    os << "Domain<" << NumDimensions << ">(offsets {";
    for (std::size_t d = 0; d < N; ++d)
      os << (d > 0 ? ", " : "") << domain._offsets[d];
    os << "}, extents {";
    for (std::size_t d = 0; d < N; ++d)
      os << (d > 0 ? ", " : "") << domain._extents[d];
    return os << "})";
  }

 private:
  offsets_type _offsets{};
  extents_type _extents{};
};

}  // namespace dash
