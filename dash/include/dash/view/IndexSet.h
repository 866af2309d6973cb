#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>

#include "dash/Types.h"
#include "dash/view/Closure.h"
#include "dash/view/Global.h"
#include "dash/view/Local.h"
#include "dash/view/Sub.h"
#include "dash/view/ViewMod.h"
#include "dash/view/internal/BlockGrid.h"

namespace dash {

namespace internal {

/// A source of the indices of the elements of another source.
/// \tparam Global  whether to use global indices even if elements are indexed by unit
template <class Source, bool Global>
class IndexSource {
 public:
  using index_type = typename Source::index_type;
  using value_type = index_type;
  using reference = index_type;
  using coords_type = typename Source::coords_type;

  static constexpr bool is_local = Source::is_local && !Global;
  static constexpr dim_t ndim = Source::ndim;

  constexpr IndexSource() = default;
  constexpr explicit IndexSource(const Source& source) : _source(source) {}

  constexpr const Source& elements() const { return _source; }
  constexpr index_type at(const coords_type& coords) const {
    if constexpr (Global) {
      return _source.global_index(coords);
    } else {
      return _source.index(coords);
    }
  }
  constexpr index_type global_index(const coords_type& coords) const {
    return _source.global_index(coords);
  }
  constexpr std::optional<coords_type> coords_of(index_type index) const
      requires(Global || requires(const Source& s) { s.coords_of(index_type{}); }) {
    if constexpr (Global) {
      return _source.coords_of_global(index);
    } else {
      return _source.coords_of(index);
    }
  }

 private:
  Source _source{};
};

template <class X>
using IndexBasisOf = decltype(index_basis_of(std::declval<X&>()));
template <class X, bool Global>
using IndexSourceOf = IndexSource<decltype(IndexBasisOf<X>::source), Global>;
template <class X>
using IndexMapOf = decltype(IndexBasisOf<X>::map);

template <class View, bool Global, class Base>
class Preimage;
struct IndexOf;

}  // namespace internal

/// The indices of the elements of a view or a container, in the order of its elements: linear
/// global indices for a global range, indices in the memory of the unit for a local one. For a
/// range of blocks, the indices of the blocks.
///
/// A lazy range, like the view itself, which it stores.
/// \tparam ViewType  the view or container  \tparam Global  whether to use global indices for local
///         ranges, too
/// \threads thread-safe
/// \ingroup views
template <class ViewType, bool Global = false>
class IndexSet : public internal::ViewInterface<IndexSet<ViewType, Global>,
                                                internal::IndexSourceOf<ViewType, Global>,
                                                internal::IndexMapOf<ViewType>> {
  static constexpr bool by_unit = internal::is_unit_source<
      std::remove_const_t<decltype(internal::IndexBasisOf<ViewType>::source)>>;
  static constexpr bool of_view = internal::MappedView<std::remove_const_t<ViewType>>;

 public:
  using view_type = ViewType;
  /// Used by the library: provides the indices by coordinates.
  using source_type = internal::IndexSourceOf<ViewType, Global>;
  /// Used by the library: selects coordinates of the source.
  using map_type = internal::IndexMapOf<ViewType>;
  using index_type = typename map_type::index_type;

  /// Whether the indices refer to the memory of a unit.
  static constexpr bool is_indexed_by_unit = by_unit && !Global;

  /// Used by dash::index().
  constexpr explicit IndexSet(const internal::Holder<ViewType>& view) : _view(view) {
    auto&& x = _view.get();
    const auto basis = internal::index_basis_of(x);
    _source = source_type(basis.source);
    _map = basis.map;
  }

  /// The index of the first element.
  /// \pre not empty
  constexpr index_type first() const { return this->front(); }
  /// The index of the last element.
  /// \pre not empty
  constexpr index_type last() const { return this->back(); }
  /// The indices of every n-th element, in the first dimension.
  template <class F = internal::IndexOf>
  constexpr auto step(index_type n) const {
    return F()(internal::StridedOf<0>{n}(_view.get()));
  }

  /// The indices of the view's operand; for a container, this index set.
  template <class F = internal::IndexOf>
  constexpr auto domain() const {
    if constexpr (of_view) {
      return F()(_view.get().domain());
    } else {
      return *this;
    }
  }
  /// The pattern that distributes the elements.
  constexpr decltype(auto) pattern() const { return _source.elements().pattern(); }

  /// The indices of the caller's elements in its memory.
  template <class F = internal::IndexOf>
  constexpr auto local() const {
    if constexpr (by_unit) {
      return IndexSet<ViewType, false>(_view);
    } else {
      return F()(internal::LocalOf()(_view.get()));
    }
  }
  /// The global indices of the same elements.
  constexpr auto global() const { return IndexSet<ViewType, by_unit>(_view); }

  /// Whether this is the index set of a local view and does not contain global indices.
  static constexpr bool is_local() { return source_type::is_local; }
  /// Whether the set omits indices between the first and the last one.
  constexpr bool is_strided() const {
    return this->size() > 1 && static_cast<index_type>(this->size()) != last() - first() + 1;
  }

  /// The inverse: pre()[index] is the position of an index in this set, or -1 if it is not in the
  /// set.
  /// \cost constant, or logarithmic; linear in the set for blocks and ranges of box iterators
  constexpr auto pre() const { return internal::Preimage<IndexSet, Global, source_type>(*this); }
  /// Position, in the view's operand, of the n-th element, or of the first element of the n-th
  /// block.
  template <class F = internal::IndexOf>
  constexpr index_type rel(index_type n) const {
    if constexpr (of_view) {
      const auto domain = F()(_view.get().domain());
      const auto coords = _map.coords_at(n);
      if constexpr (requires { _source.elements().first_index(coords); }) {
        return domain.pre()[_source.elements().first_index(coords)];
      } else if constexpr (decltype(domain)::is_indexed_by_unit == is_indexed_by_unit) {
        return domain.pre()[_source.at(coords)];
      } else {
        return domain.pre()[_source.global_index(coords)];
      }
    } else {
      return n;
    }
  }

  friend constexpr bool operator==(const IndexSet& a, const IndexSet& b) {
    return a._source.elements() == b._source.elements() && a._map == b._map;
  }

  /// \name Interface for the functions that create views
  /// @{

  /// Provides the indices by coordinates.
  constexpr const source_type& source() const { return _source; }
  /// Selects coordinates of the source.
  constexpr const map_type& map() const { return _map; }
  /// Identifies index sets; without effect.
  void index_set_base() const {}
  /// @}

 private:
  internal::Holder<ViewType> _view;
  source_type _source;
  map_type _map;
};

namespace internal {

/// The inverse of an index set.
template <class Set, bool Global, class Source>
class Preimage {
 public:
  using index_type = typename Set::index_type;

  constexpr explicit Preimage(const Set& set) : _set(set) {}

  constexpr index_type operator[](index_type index) const {
    if constexpr (requires(const Source& source) { source.coords_of(index); }) {
      if (_set.empty()) return -1;
      const auto coords = _set.source().coords_of(index);
      return coords ? _set.map().find(*coords) : index_type{-1};
    } else {
      const auto size = static_cast<index_type>(_set.size());
      index_type position = 0;
      while (position < size && _set[position] != index)
        ++position;
      return position < size ? position : -1;
    }
  }
  constexpr index_type operator()(index_type index) const { return (*this)[index]; }

 private:
  Set _set;
};

struct IndexOf {
  template <class X>
  constexpr auto operator()(X&& x) const {
    using Plain = std::remove_cvref_t<X>;
    if constexpr (std::integral<Plain>) {
      return x;
    } else if constexpr (requires { x.gpos(); }) {
      return x.gpos();
    } else {
      require_outlives_view<X>();
      return IndexSet<DomainOf<X>>(Holder<DomainOf<X>>(x));
    }
  }
};

}  // namespace internal

/// The index set of a view or a container; an integer is returned unchanged.
/// \threads thread-safe  \cost none until an index is used
/// \ingroup views
template <class X>
requires(std::integral<std::remove_cvref_t<X>> ||
         internal::Viewable<X>) constexpr auto index(X&& x) {
  return internal::IndexOf()(std::forward<X>(x));
}
/// \overload
/// For x | index().
/// \ingroup views
constexpr auto index() {
  return ViewClosure<internal::IndexOf>();
}

/// The index set of a container.
/// \ingroup views
template <class X>
using IndexSetIdentity = IndexSet<X>;
/// The index set of a selection, see dash::sub.
/// \tparam Dim  unused
/// \ingroup views
template <class View, dim_t Dim = 0>
using IndexSetSub = IndexSet<View>;
/// The index set of a local view: local indices.
/// \ingroup views
template <class View>
using IndexSetLocal = IndexSet<View>;
/// The global indices of the elements of a view.
/// \ingroup views
template <class View>
using IndexSetGlobal = IndexSet<View, true>;
/// The index set of a range of blocks: the indices of the blocks.
/// \ingroup views
template <class View>
using IndexSetBlocks = IndexSet<View>;

}  // namespace dash

/// \cond internal
template <class View, bool Global>
inline constexpr bool std::ranges::enable_view<dash::IndexSet<View, Global>> = true;
template <class View, bool Global>
inline constexpr bool std::ranges::enable_borrowed_range<dash::IndexSet<View, Global>> = true;
/// \endcond
