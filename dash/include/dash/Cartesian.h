#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <type_traits>

#include "dash/Dimensional.h"
#include "dash/Types.h"
#include "dash/ViewSpec.h"
#include "dash/core/Export.h"

namespace dash {

namespace internal {

[[noreturn]] DASH_API void throw_negative_extent(long long extent, dim_t dimension);
[[noreturn]] DASH_API void throw_size_overflow(dim_t ndim);

template <class T>
concept IntegerLike = std::is_convertible_v<T, long long> && !std::is_floating_point_v<T>;

/// \throws exception::InvalidArgument if the value is negative
template <class S, class Value>
constexpr S checked_extent(const Value& value, dim_t dimension) {
  if constexpr (std::is_integral_v<Value> && std::is_unsigned_v<Value>) {
    return static_cast<S>(value);
  } else {
    if (static_cast<long long>(value) < 0) {
      throw_negative_extent(static_cast<long long>(value), dimension);
    }
    return static_cast<S>(value);
  }
}

template <class S, std::size_t N>
constexpr S product(const std::array<S, N>& factors) {
  S size = 1;
  bool overflow = false;
  for (const S factor : factors) {
    // A range without elements has size 0, even if the product of its other extents overflows.
    if (factor == 0) return 0;
    overflow = __builtin_mul_overflow(size, factor, &size) || overflow;
  }
  if (overflow) throw_size_overflow(static_cast<dim_t>(N));
  return size;
}

/// For each dimension, the distance in elements between neighbours in memory.
template <MemArrange Order, class Index, class S, std::size_t N>
constexpr std::array<Index, N> canonical_strides(const std::array<S, N>& extents) {
  std::array<Index, N> strides{};
  Index stride = 1;
  for (std::size_t i = 0; i < N; ++i) {
    const std::size_t d = Order == ROW_MAJOR ? N - 1 - i : i;
    strides[d] = stride;
    stride *= static_cast<Index>(extents[d]);
  }
  return strides;
}

}  // namespace internal

/// The extents of an N-dimensional range.
/// \ingroup patterns
template <dim_t NumDimensions, typename SizeType = default_size_t>
class CartesianSpace {
  static_assert(NumDimensions > 0, "dash: the number of dimensions has to be positive");

 public:
  /// Number of dimensions.
  using ndim = std::integral_constant<dim_t, NumDimensions>;
  using size_type = SizeType;
  using index_type = std::make_signed_t<SizeType>;
  /// One extent for each dimension.
  using extents_type = std::array<SizeType, NumDimensions>;

  /// All extents 0.
  constexpr CartesianSpace() = default;

  /// \param extents  one for each dimension
  /// \throws exception::InvalidArgument if an extent is negative, exception::OutOfRange if the
  ///         size cannot be represented
  template <internal::IntegerLike... Extents>
  requires(sizeof...(Extents) == NumDimensions) constexpr CartesianSpace(
      const Extents&... extents) {  // NOLINT: as DASH's
    resize(extents...);
  }

  /// Only provides the error message for a wrong number of extents.
  template <internal::IntegerLike... Extents>
  requires(sizeof...(Extents) > 1 &&
           sizeof...(Extents) !=
               NumDimensions) explicit constexpr CartesianSpace(const Extents&...) {
    static_assert(sizeof...(Extents) == NumDimensions,
                  "dash::SizeSpec, TeamSpec: pass one extent for each dimension");
  }

  /// \overload
  constexpr CartesianSpace(const extents_type& extents) { resize(extents); }  // NOLINT: as DASH's

  /// Replaces all extents.
  /// \throws exception::InvalidArgument if an extent is negative, exception::OutOfRange if the size
  ///         cannot be represented
  template <internal::IntegerLike... Extents>
  requires(sizeof...(Extents) == NumDimensions &&
           NumDimensions > 0) constexpr void resize(const Extents&... extents) {
    dim_t dimension = 0;
    // A braced list guarantees the order of evaluation.
    resize(extents_type{{internal::checked_extent<SizeType>(extents, dimension++)...}});
  }

  /// \overload
  template <class T>
  constexpr void resize(const std::array<T, NumDimensions>& extents) {
    for (dim_t d = 0; d < NumDimensions; ++d) {
      _extents[static_cast<std::size_t>(d)] =
          internal::checked_extent<SizeType>(extents[static_cast<std::size_t>(d)], d);
    }
    _size = internal::product(_extents);
  }

  /// Changes the extent of one dimension.
  /// \throws exception::OutOfRange unless 0 <= dimension < N, or if the size cannot be represented
  constexpr void resize_dim(dim_t dimension, SizeType extent) {
    internal::check_dimension(dimension, NumDimensions);
    auto extents = _extents;
    extents[static_cast<std::size_t>(dimension)] = extent;
    resize(extents);
  }

  /// As resize_dim(). With two dimensions, two arguments are the extents of both.
  constexpr void resize(dim_t dimension, SizeType extent) requires(NumDimensions != 2) {
    resize_dim(dimension, extent);
  }

  /// Number of dimensions.
  constexpr dim_t rank() const { return NumDimensions; }
  /// Number of elements: the product of the extents.
  constexpr SizeType size() const { return _size; }
  /// Extent in each dimension.
  constexpr const extents_type& extents() const { return _extents; }
  /// Extent in one dimension.
  /// \throws exception::OutOfRange unless 0 <= dimension < N
  constexpr SizeType extent(dim_t dimension) const {
    internal::check_dimension(dimension, NumDimensions);
    return _extents[static_cast<std::size_t>(dimension)];
  }

  friend constexpr bool operator==(const CartesianSpace& a, const CartesianSpace& b) {
    return a._extents == b._extents;
  }

  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                                      const CartesianSpace& space) {
    return space.print(os, "CartesianSpace");
  }

 protected:
  /// Prints the extents after the name of a class.
  template <class Stream>
  Stream& print(Stream& os, const char* of) const {
    os << of << '<' << NumDimensions << ">(";
    for (std::size_t d = 0; d < NumDimensions; ++d)
      os << (d > 0 ? ", " : "") << _extents[d];
    os << ')';
    return os;
  }

  /// Extent in each dimension.
  extents_type _extents{};
  /// Product of the extents.
  SizeType _size = 0;
};

/// The number of elements in each dimension, as an argument of patterns and containers.
/// \ingroup patterns
template <dim_t NumDimensions, typename SizeType = default_size_t>
class SizeSpec : public CartesianSpace<NumDimensions, SizeType> {
 public:
  using CartesianSpace<NumDimensions, SizeType>::CartesianSpace;
  constexpr SizeSpec() = default;
  /// Extents that a program has computed as floating-point numbers; their fractions are discarded.
  /// \pre they fit into long long
  template <std::floating_point... Extents>
  requires(sizeof...(Extents) == NumDimensions) explicit constexpr SizeSpec(Extents... extents)
      : SizeSpec(static_cast<long long>(extents)...) {}

  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                                      const SizeSpec& sizes) {
    return sizes.print(os, "SizeSpec");
  }
};

/// The extents of an N-dimensional range and the order of its elements: linear index from
/// coordinates and back.
/// \ingroup patterns
template <dim_t NumDimensions, MemArrange Arrangement = ROW_MAJOR,
          typename IndexType = default_index_t>
class CartesianIndexSpace : public CartesianSpace<NumDimensions, std::make_unsigned_t<IndexType>> {
  static_assert(Arrangement == ROW_MAJOR || Arrangement == COL_MAJOR,
                "dash::CartesianIndexSpace: the order has to be ROW_MAJOR or COL_MAJOR");
  using Base = CartesianSpace<NumDimensions, std::make_unsigned_t<IndexType>>;

 public:
  using index_type = IndexType;
  using size_type = std::make_unsigned_t<IndexType>;
  /// One extent for each dimension.
  using extents_type = std::array<size_type, NumDimensions>;
  /// One coordinate for each dimension.
  using coords_type = std::array<IndexType, NumDimensions>;

  using Base::Base;
  constexpr CartesianIndexSpace() = default;
  /// A space with the extents of a SizeSpec.
  constexpr explicit CartesianIndexSpace(const SizeSpec<NumDimensions, size_type>& sizes)
      : Base(sizes.extents()) {}

  /// Order of the elements: the template argument.
  static constexpr MemArrange memory_order() { return Arrangement; }

  /// Linear index of the element at `coords`; no range check.
  template <MemArrange Order = Arrangement, class T>
  constexpr IndexType at(const std::array<T, NumDimensions>& coords) const {
    IndexType index = 0;
    for (dim_t i = 0; i < NumDimensions; ++i) {
      const auto d = dimension_at<Order>(i);
      index = index * static_cast<IndexType>(this->_extents[d]) + static_cast<IndexType>(coords[d]);
    }
    return index;
  }

  /// \overload
  template <MemArrange Order = Arrangement, internal::IntegerLike... Coords>
  requires(sizeof...(Coords) == NumDimensions) constexpr IndexType
      at(const Coords&... coords) const {
    return at<Order>(coords_type{{static_cast<IndexType>(coords)...}});
  }

  /// Linear index of the element at `coords` relative to a view of this range.
  template <MemArrange Order = Arrangement, class T>
  constexpr IndexType at(const std::array<T, NumDimensions>& coords,
                         const ViewSpec<NumDimensions, IndexType>& view) const {
    coords_type absolute{};
    for (std::size_t d = 0; d < NumDimensions; ++d) {
      absolute[d] = static_cast<IndexType>(coords[d]) + view.offsets()[d];
    }
    return at<Order>(absolute);
  }

  /// Coordinates of the element at a linear index: inverse of at().
  template <MemArrange Order = Arrangement>
  constexpr coords_type coords(IndexType index) const {
    return coords_in<Order>(index, this->_extents);
  }

  /// Coordinates in this range of the element at a linear index of a view of it.
  template <MemArrange Order = Arrangement>
  constexpr coords_type coords(IndexType index,
                               const ViewSpec<NumDimensions, IndexType>& view) const {
    auto result = coords_in<Order>(index, view.extents());
    for (std::size_t d = 0; d < NumDimensions; ++d)
      result[d] += view.offsets()[d];
    return result;
  }

  /// Whether the element at a linear index has the coordinate `offset` in a dimension.
  constexpr bool includes_index(IndexType index, dim_t dimension, IndexType offset) const {
    internal::check_dimension(dimension, NumDimensions);
    return coords(index)[static_cast<std::size_t>(dimension)] == offset;
  }

  /// The first coordinate of the element at a linear index.
  constexpr IndexType x(IndexType index) const { return coords(index)[0]; }
  /// The second coordinate of the element at a linear index.
  constexpr IndexType y(IndexType index) const requires(NumDimensions > 1) {
    return coords(index)[1];
  }
  /// The third coordinate of the element at a linear index.
  constexpr IndexType z(IndexType index) const requires(NumDimensions > 2) {
    return coords(index)[2];
  }

 private:
  /// The i-th dimension in the order of decreasing distance between neighbours in memory.
  template <MemArrange Order>
  static constexpr std::size_t dimension_at(dim_t i) {
    return static_cast<std::size_t>(Order == ROW_MAJOR ? i : NumDimensions - 1 - i);
  }

  template <MemArrange Order>
  static constexpr coords_type coords_in(IndexType index, const extents_type& extents) {
    coords_type result{};
    for (dim_t i = NumDimensions - 1; i > 0; --i) {
      const auto d = dimension_at<Order>(i);
      const auto extent = static_cast<IndexType>(extents[d]);
      if (extent == 0) continue;
      result[d] = index % extent;
      index /= extent;
    }
    result[dimension_at<Order>(0)] = index;
    return result;
  }
};

}  // namespace dash
