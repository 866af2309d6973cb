#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <type_traits>

#include "dash/Cartesian.h"
#include "dash/Types.h"

namespace dash {

/// An N-dimensional view of a linear range: the element at coordinates (i, j, ...) is the one at
/// their linear index in the given order.
///
/// Stores an iterator and is valid as long as the iterator.
/// \threads thread-safe
/// \ingroup views
template <class Iter, dim_t NumDimensions, MemArrange Arrangement = ROW_MAJOR>
class CartView {
  static_assert(std::random_access_iterator<Iter>,
                "dash::CartView: expected a random access iterator");

 public:
  using index_type = std::iter_difference_t<Iter>;
  using size_type = std::make_unsigned_t<index_type>;
  using value_type = std::iter_value_t<Iter>;
  using reference = std::iter_reference_t<Iter>;
  using iterator = Iter;
  using const_iterator = Iter;
  /// Converts between coordinates and linear indices.
  using cartesian_type = CartesianIndexSpace<NumDimensions, Arrangement, index_type>;
  /// One extent for each dimension.
  using extents_type = typename cartesian_type::extents_type;
  /// One coordinate for each dimension.
  using coords_type = typename cartesian_type::coords_type;

  /// \param first  the first element  \param extents  one for each dimension
  template <internal::IntegerLike... Extents>
  requires(sizeof...(Extents) == NumDimensions) constexpr explicit CartView(Iter first,
                                                                            Extents... extents)
      : _first(first), _cart(extents_type{{static_cast<size_type>(extents)...}}) {}
  /// \overload
  constexpr CartView(Iter first, const extents_type& extents) : _first(first), _cart(extents) {}

  /// A view of the elements of a range.
  template <std::ranges::range Range, internal::IntegerLike... Extents>
  requires(sizeof...(Extents) == NumDimensions &&
           std::is_convertible_v<std::ranges::iterator_t<Range&>,
                                 Iter>) constexpr explicit CartView(Range& range,
                                                                    Extents... extents)
      : CartView(Iter(std::ranges::begin(range)), extents...) {}

  /// Number of dimensions.
  static constexpr dim_t ndim() { return NumDimensions; }
  /// Number of dimensions.
  static constexpr dim_t rank() { return NumDimensions; }
  /// Number of elements: the product of the extents.
  constexpr size_type size() const { return _cart.size(); }
  /// Extent in one dimension.
  constexpr size_type extent(dim_t dimension) const { return _cart.extent(dimension); }
  /// Extent in each dimension.
  constexpr const extents_type& extents() const { return _cart.extents(); }

  /// Iterator to the first element.
  constexpr iterator begin() const { return _first; }
  /// The end of the size() elements that start at begin().
  constexpr iterator end() const { return _first + static_cast<index_type>(size()); }
  /// The element at a linear index; no range check.
  constexpr reference operator[](index_type n) const { return *(_first + n); }

  /// The element at coordinates; no range check.
  template <internal::IntegerLike... Coords>
  requires(sizeof...(Coords) == NumDimensions) constexpr reference at(Coords... coords) const {
    return (*this)[_cart.at(coords...)];
  }
  /// \overload
  constexpr reference at(const coords_type& coords) const { return (*this)[_cart.at(coords)]; }
  /// As at().
  template <internal::IntegerLike... Coords>
  requires(sizeof...(Coords) == NumDimensions) constexpr reference operator()(
      Coords... coords) const {
    return at(coords...);
  }

  /// Coordinates of the element at a linear index.
  constexpr coords_type coords(index_type n) const { return _cart.coords(n); }
  /// The first coordinate of the element at a linear index.
  constexpr index_type x(index_type n) const { return _cart.x(n); }
  /// The second coordinate of the element at a linear index.
  constexpr index_type y(index_type n) const requires(NumDimensions > 1) { return _cart.y(n); }
  /// The third coordinate of the element at a linear index.
  constexpr index_type z(index_type n) const requires(NumDimensions > 2) { return _cart.z(n); }

 private:
  Iter _first;
  cartesian_type _cart;
};

/// A view of as many dimensions as there are extents.
/// \ingroup views
template <class Iter, internal::IntegerLike... Extents>
requires std::random_access_iterator<Iter> CartView(Iter, Extents...)
->CartView<Iter, static_cast<dim_t>(sizeof...(Extents))>;
/// \overload
/// \ingroup views
template <std::ranges::range Range, internal::IntegerLike... Extents>
requires(!std::random_access_iterator<Range>) CartView(Range&, Extents...)
->CartView<std::ranges::iterator_t<Range&>, static_cast<dim_t>(sizeof...(Extents))>;

}  // namespace dash
