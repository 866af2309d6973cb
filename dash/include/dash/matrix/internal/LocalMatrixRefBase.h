#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include "dash/Cartesian.h"
#include "dash/Team.h"
#include "dash/Types.h"
#include "dash/ViewSpec.h"
#include "dash/matrix/internal/SubDimensions.h"

namespace dash::internal {

/// Base class of views of the caller's elements of a matrix, independent of their memory layout:
/// access to elements, slices and sub-views.
///
/// \tparam Derived  provides index_of(coords), the index of an element relative to `_data`;
///         slice<U, dimension>(n) and part<U>(dimension, offset, extent) with elements of type U,
///         which is T or const T; offsets(), extents() and size()
template <class Derived, class T, dim_t NumViewDim, class PatternType>
class LocalMatrixRefBase {
  static constexpr std::size_t M = NumViewDim;

 public:
  using value_type = T;
  using pattern_type = PatternType;
  using index_type = typename PatternType::index_type;
  using size_type = typename PatternType::size_type;
  using difference_type = index_type;
  using reference = T&;
  using const_reference = const T&;
  using pointer = T*;
  /// An extent for each dimension.
  using extents_type = std::array<size_type, M>;
  /// Offsets or coordinates.
  using offsets_type = std::array<index_type, M>;
  /// Number of dimensions of the view.
  using rank = std::integral_constant<dim_t, NumViewDim>;
  /// Offsets and extents of the view.
  using viewspec_type = ViewSpec<NumViewDim, index_type>;

  /// Number of dimensions of the view.
  static constexpr dim_t ndim() { return NumViewDim; }

  /// Number of elements, all of which are local.
  size_type local_size() const { return self().size(); }
  /// Whether the view has no elements.
  bool empty() const { return self().size() == 0; }
  /// Offsets and extents of the view.
  viewspec_type viewspec() const { return viewspec_type(self().offsets(), self().extents()); }
  /// \pre the matrix is allocated
  const PatternType& pattern() const noexcept { return *_pattern; }
  /// The team that owns the matrix.
  Team& team() const noexcept { return _pattern->team(); }

  /// The element at an index, or the slice if there are several dimensions; no range check.
  decltype(auto) operator[](index_type n) { return element_or_slice<T>(n); }
  /// \overload
  decltype(auto) operator[](index_type n) const { return element_or_slice<const T>(n); }

  /// The element at coordinates; no range check.
  template <IntegerLike... Coords>
  requires(sizeof...(Coords) == M) T& operator()(Coords... coords) {
    return at(offsets_type{{static_cast<index_type>(coords)...}});
  }
  /// \overload
  template <IntegerLike... Coords>
  requires(sizeof...(Coords) == M) const T& operator()(Coords... coords) const {
    return at(offsets_type{{static_cast<index_type>(coords)...}});
  }
  /// The same as operator().
  template <IntegerLike... Coords>
  requires(sizeof...(Coords) == M) T& at(Coords... coords) { return (*this)(coords...); }
  /// \overload
  template <IntegerLike... Coords>
  requires(sizeof...(Coords) == M) const T& at(Coords... coords) const {
    return (*this)(coords...);
  }
  /// The element at coordinates given as an array; no range check.
  T& at(const offsets_type& coords) { return _data[self().index_of(coords)]; }
  /// \overload
  const T& at(const offsets_type& coords) const { return _data[self().index_of(coords)]; }

  /// The elements with a given index in a dimension; no range check.
  template <dim_t SubDimension>
  requires(NumViewDim > 1) auto sub(index_type n) {
    return self().template slice<T, SubDimension>(n);
  }
  /// \overload
  template <dim_t SubDimension>
  requires(NumViewDim > 1) auto sub(index_type n) const {
    return self().template slice<const T, SubDimension>(n);
  }

  /// The elements with `extent` consecutive indices in a dimension.
  /// \throws exception::OutOfRange unless offset + extent <= the extent of the dimension
  template <dim_t SubDimension>
  auto sub(size_type offset, size_type extent) {
    return checked_part<T, SubDimension>(offset, extent);
  }
  /// \overload
  template <dim_t SubDimension>
  auto sub(size_type offset, size_type extent) const {
    return checked_part<const T, SubDimension>(offset, extent);
  }

  /// The same as sub<0>(n).
  auto row(index_type n) requires(NumViewDim > 1) { return sub<0>(n); }
  /// \overload
  auto row(index_type n) const requires(NumViewDim > 1) { return sub<0>(n); }
  /// The same as sub<1>(n).
  auto col(index_type n) requires(NumViewDim > 1) { return sub<1>(n); }
  /// \overload
  auto col(index_type n) const requires(NumViewDim > 1) { return sub<1>(n); }
  /// The same as sub<0>(offset, extent).
  auto rows(size_type offset, size_type extent) { return sub<0>(offset, extent); }
  /// \overload
  auto rows(size_type offset, size_type extent) const { return sub<0>(offset, extent); }
  /// The same as sub<1>(offset, extent).
  auto cols(size_type offset, size_type extent) requires(NumViewDim > 1) {
    return sub<1>(offset, extent);
  }
  /// \overload
  auto cols(size_type offset, size_type extent) const requires(NumViewDim > 1) {
    return sub<1>(offset, extent);
  }

  /// \cond internal

 protected:
  constexpr LocalMatrixRefBase() noexcept = default;
  LocalMatrixRefBase(T* data, const PatternType* pattern) noexcept
      : _data(data), _pattern(pattern) {}

  T* _data = nullptr;
  const PatternType* _pattern = nullptr;

  /// \endcond

 private:
  const Derived& self() const noexcept { return static_cast<const Derived&>(*this); }

  template <class U>
  decltype(auto) element_or_slice(index_type n) const {
    if constexpr (NumViewDim == 1) {
      return static_cast<U&>(_data[self().index_of({{n}})]);
    } else {
      return self().template slice<U, 0>(n);
    }
  }

  template <class U, dim_t SubDimension>
  auto checked_part(size_type offset, size_type extent) const {
    static_assert(SubDimension >= 0 && SubDimension < NumViewDim);
    check_sub_range(SubDimension, static_cast<index_type>(offset), static_cast<index_type>(extent),
                    self().extents()[static_cast<std::size_t>(SubDimension)]);
    return self().template part<U>(SubDimension, static_cast<index_type>(offset), extent);
  }
};

}  // namespace dash::internal
