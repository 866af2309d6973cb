#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <type_traits>

#include "dash/Dimensional.h"
#include "dash/Types.h"
#include "dash/view/ViewIterator.h"
#include "dash/view/internal/IndexMap.h"
#include "dash/view/internal/Origins.h"
#include "dash/view/internal/ViewContiguousBlocks.h"

namespace dash {

template <class ViewType, bool Global>
class IndexSet;

namespace internal {

struct LocalOf;
struct GlobalOf;
struct ResolvedOf;

/// The most efficient iterator to the n-th element of a view.
template <class Source, class Map>
constexpr auto view_iterator(const Source& source, const Map& map, typename Map::index_type n) {
  if constexpr (requires { source.iterator(map, n); }) {
    return source.iterator(map, n);
  } else {
    return ViewIterator<Source, Map>(source, map, n);
  }
}

/// Base class of all views and index sets: the members of a random access range with extents. Used
/// instead of std::ranges::view_interface, which not all supported compilers can compile.
/// \tparam Derived  provides source() and map()
template <class Derived, class Source, class Map>
class ViewInterface {
  static constexpr std::size_t M = static_cast<std::size_t>(Map::ndim);

 public:
  using index_type = typename Map::index_type;
  using size_type = std::make_unsigned_t<index_type>;
  using difference_type = index_type;
  using value_type = typename Source::value_type;
  using iterator = decltype(view_iterator(std::declval<const Source&>(), std::declval<const Map&>(),
                                          index_type{}));
  using const_iterator = iterator;
  using reference = std::iter_reference_t<iterator>;
  using const_reference = reference;
  using extents_type = std::array<size_type, M>;
  using offsets_type = std::array<index_type, M>;
  using rank = std::integral_constant<dim_t, Map::ndim>;

  static constexpr dim_t ndim() { return Map::ndim; }

  constexpr iterator begin() const { return iterator_at(0); }
  constexpr iterator end() const { return iterator_at(map().size()); }
  constexpr size_type size() const { return static_cast<size_type>(map().size()); }
  constexpr bool empty() const { return map().size() == 0; }
  constexpr explicit operator bool() const { return !empty(); }

  /// The n-th element, in row-major order; no range check.
  constexpr reference operator[](index_type n) const {
    if constexpr (std::same_as<iterator, ViewIterator<Source, Map>>) {
      return source().at(map().coords_at(n));
    } else {
      return *iterator_at(n);
    }
  }
  /// The element at coordinates relative to the view; no range check.
  template <std::convertible_to<index_type>... Coords>
  requires(sizeof...(Coords) == M) constexpr reference at(Coords... coords) const {
    return source().at(map().coords({{static_cast<index_type>(coords)...}}));
  }
  constexpr reference at(const offsets_type& coords) const {
    return source().at(map().coords(coords));
  }
  constexpr reference front() const { return (*this)[0]; }
  constexpr reference back() const { return (*this)[map().size() - 1]; }
  /// The native memory of a contiguous view.
  constexpr auto data() const requires std::contiguous_iterator<iterator> {
    return std::to_address(begin());
  }

  constexpr extents_type extents() const {
    return internal::index_array<size_type, M>(map().extents());
  }
  constexpr size_type extent(dim_t dimension) const {
    check_dimension(dimension, Map::ndim);
    return static_cast<size_type>(map().extent(static_cast<std::size_t>(dimension)));
  }
  template <dim_t Dimension>
  constexpr size_type extent() const {
    return extent(Dimension);
  }
  /// Coordinates of the first element in the origin: global ones, or local ones for a local view.
  constexpr offsets_type offsets() const {
    offsets_type result{};
    for (std::size_t m = 0; m < M; ++m)
      result[m] = empty() ? map().base()[map().dim(m)] : map().coordinate(m, 0);
    return result;
  }
  constexpr index_type offset(dim_t dimension) const {
    check_dimension(dimension, Map::ndim);
    return offsets()[static_cast<std::size_t>(dimension)];
  }
  template <dim_t Dimension>
  constexpr index_type offset() const {
    return offset(Dimension);
  }

 private:
  constexpr decltype(auto) source() const { return static_cast<const Derived&>(*this).source(); }
  constexpr decltype(auto) map() const { return static_cast<const Derived&>(*this).map(); }
  constexpr iterator iterator_at(index_type n) const { return view_iterator(source(), map(), n); }
};

}  // namespace internal

/// A selection of the elements of an operand, which is a container or another view. It is a lazy
/// expression without cost until an element is accessed. Created by dash::sub, dash::local,
/// dash::block and others, see dash/View.h.
///
/// Refers to its container and is valid until the container is deallocated. Views are stored by
/// value, so expressions can be nested freely. Copies are cheap. Constness is a property of the
/// elements: a view of a const container is read-only.
/// \tparam DomainType  type of the operand
/// \tparam SourceType  provides the elements  \tparam MapType  selects elements of the source
/// \threads thread-safe
/// \ingroup views
template <class DomainType, class SourceType, class MapType>
class ViewMod : public internal::ViewInterface<ViewMod<DomainType, SourceType, MapType>, SourceType,
                                               MapType> {
 public:
  /// Type of the operand.
  using domain_type = std::remove_const_t<DomainType>;
  /// Used by the library: provides the elements by coordinates.
  using source_type = SourceType;
  /// Used by the library: selects elements of the source.
  using map_type = MapType;
  /// Type of index_set().
  using index_set_type = IndexSet<ViewMod, false>;
  using index_type = typename MapType::index_type;

  /// Used by the functions that create views.
  constexpr ViewMod(const internal::Holder<DomainType>& domain, const SourceType& source,
                    const MapType& map)
      : _domain(domain), _source(source), _map(map) {}

  /// The operand of the expression.
  constexpr decltype(auto) domain() const { return _domain.get(); }
  /// The indices of the elements.
  constexpr index_set_type index_set() const {
    return index_set_type(internal::Holder<ViewMod>(*this));
  }
  /// The pattern that distributes the elements.
  constexpr decltype(auto) pattern() const { return _source.pattern(); }

  /// Whether the elements are native memory of the caller.
  static constexpr bool is_local() { return SourceType::is_local; }
  /// Whether the n-th element is local to the caller.
  constexpr bool is_local(index_type n) const {
    return SourceType::is_local || _source.local(_map.coords_at(n)) != nullptr;
  }

  // F is a template parameter because it is defined later.
  /// The caller's elements of the view, see dash::local.
  template <class F = internal::LocalOf>
  constexpr auto local() const {
    return F()(*this);
  }
  /// The global view from which a local view was created, see dash::global.
  template <class F = internal::GlobalOf>
  constexpr auto global() const {
    return F()(*this);
  }
  /// The elements as a direct view of the origin, see dash::apply.
  template <class F = internal::ResolvedOf>
  constexpr auto apply() const {
    return F()(*this);
  }

  /// Whether both views have the same elements of the same origin.
  friend constexpr bool operator==(const ViewMod& a, const ViewMod& b) {
    return a._source == b._source && a._map == b._map;
  }

  /// \name Interface for the functions that create views
  /// @{

  /// Provides the elements by coordinates.
  constexpr const SourceType& source() const { return _source; }
  /// Selects elements of the source.
  constexpr const MapType& map() const { return _map; }
  /// A selection of other elements of the same operand and source.
  constexpr ViewMod with_map(const MapType& map) const { return ViewMod(_domain, _source, map); }
  /// @}

 private:
  internal::Holder<DomainType> _domain;
  SourceType _source;
  MapType _map;
};

namespace internal {

/// A view of a selection of elements of x.
template <class X, class Source, class Map>
constexpr auto make_view_mod(X& x, const Source& source, const Map& map) {
  using Domain = DomainOf<X>;
  return ViewMod<Domain, Source, Map>(Holder<Domain>(x), source, map);
}

/// Views refer to containers, which must exist as long as the view is used.
template <class X>
constexpr void require_outlives_view() {
  static_assert(std::is_lvalue_reference_v<X> || Handle<std::remove_cvref_t<X>>,
                "dash: a view of a temporary container would refer to destroyed elements; store "
                "the container in a variable");
}

}  // namespace internal

}  // namespace dash

/// \cond internal
template <class Domain, class Source, class Map>
inline constexpr bool std::ranges::enable_view<dash::ViewMod<Domain, Source, Map>> = true;
template <class Domain, class Source, class Map>
inline constexpr bool std::ranges::enable_borrowed_range<dash::ViewMod<Domain, Source, Map>> = true;
/// \endcond
