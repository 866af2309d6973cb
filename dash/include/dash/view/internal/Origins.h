#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

#include "dash/Types.h"
#include "dash/iterator/IteratorTraits.h"
#include "dash/matrix/internal/SubDimensions.h"
#include "dash/view/internal/IndexMap.h"
#include "dash/view/internal/Sources.h"

/// \file
/// Operands of views: other views, containers, their local parts, ranges of iterators. Each is
/// reduced to a source of elements and a map from indices to the source.

namespace dash {

template <class It, class Sentinel>
class IteratorRange;
template <class ViewType, bool Global>
class IndexSet;

namespace internal {

/// Views of this library and types with the same interface.
template <class X>
concept MappedView = requires(const X& x) {
  x.source();
  x.map();
};

template <class X>
inline constexpr bool is_index_set = false;
template <class ViewType, bool Global>
inline constexpr bool is_index_set<IndexSet<ViewType, Global>> = true;

template <class X>
inline constexpr bool is_iterator_range = false;
template <class It, class Sentinel>
inline constexpr bool is_iterator_range<IteratorRange<It, Sentinel>> = true;

template <class X>
concept HasPattern = requires(const X& x) {
  typename X::pattern_type;
  x.pattern();
};

/// A container with elements at several units: Array, Matrix.
template <class X>
concept GlobalContainer =
    HasPattern<X> && !MappedView<X> && !is_iterator_range<X> && requires(const X& x) {
  { x.begin() } -> ContainerIterator;
  x.begin().globmem();
  x.local;
};

/// A box of such a container: MatrixRef.
template <class X>
concept GlobalBox = HasPattern<X> && !MappedView<X> && requires(const X& x) {
  { x.begin() } -> ContainerIterator;
  x.viewspec();
  x.dimensions();
};

/// The caller's elements of a container: one-dimensional, or as a box of local coordinates.
template <class X>
concept LocalArray = HasPattern<X> && !MappedView<X> && !is_iterator_range<X> && X::ndim() == 1 &&
                     requires(const X& x) {
  { x.begin() } -> std::contiguous_iterator;
};
template <class X>
concept LocalMatrix = HasPattern<X> && !LocalArray<X> && !GlobalBox<X> && requires(const X& x) {
  x.offsets();
  x.extents();
  { x.lbegin() } -> std::contiguous_iterator;
};

/// A type that refers to elements of another object: views store it by value.
template <class X>
concept Handle = std::ranges::view<X> ||(HasPattern<X>&& std::copy_constructible<X>);

template <class X>
concept NativeRange = !HasPattern<X> && !MappedView<X> && std::ranges::random_access_range<X&> &&
                      std::ranges::sized_range<X&>;

/// A type with elements that views can select.
template <class X>
concept Viewable = MappedView<std::remove_cvref_t<X>> || HasPattern<std::remove_cvref_t<X>> ||
    NativeRange<std::remove_reference_t<X>>;

/// Stores the operand of a view: a handle by value, a container by reference.
template <class X>
class Holder {
 public:
  constexpr explicit Holder(X& x) : _x(&x) {}
  constexpr X& get() const { return *_x; }

 private:
  X* _x;
};
template <Handle X>
class Holder<X> {
 public:
  constexpr explicit Holder(const X& x) : _x(x) {}
  constexpr X get() const { return _x; }

 private:
  X _x;
};

/// The operand type of a view of an X.
template <class X>
using DomainOf = std::conditional_t<Handle<std::remove_cvref_t<X>>, std::remove_cvref_t<X>,
                                    std::remove_reference_t<X>>;

/// Returns an operand: a handle by value, a container by reference.
template <class X>
constexpr decltype(auto) pass(X& x) {
  if constexpr (Handle<std::remove_const_t<X>>) {
    return std::remove_const_t<X>(x);
  } else {
    return (x);
  }
}

template <class Index, std::size_t N, class From>
constexpr std::array<Index, N> index_array(const From& values) {
  std::array<Index, N> result{};
  for (std::size_t d = 0; d < N; ++d)
    result[d] = static_cast<Index>(values[d]);
  return result;
}

template <class Source, class Extents>
constexpr auto box_map(const typename Source::coords_type& base, const Extents& extents) {
  using Index = typename Source::index_type;
  using Map = IndexMap<Source::ndim, Source::ndim, Index, Spacing::unit>;
  return Map(base, index_array<Index, static_cast<std::size_t>(Source::ndim)>(extents));
}
template <class Source>
constexpr auto range_map(typename Source::index_type first, typename Source::index_type size) {
  return IndexMap<1, 1, typename Source::index_type, Spacing::unit>({{first}}, {{size}});
}

/// The source and the map of an operand.
template <class Source, class Map>
struct Basis {
  Source source;
  Map map;
};

template <GlobalContainer X>
auto global_source(X& x) {
  using Source = GlobalSource<GlobIterOf<decltype(x.begin())>>;
  // For a container without memory, begin() has no global memory to refer to.
  return Source(x.size() > 0 ? &x.begin().globmem() : nullptr, x.pattern());
}

template <GlobalBox X>
auto box_basis(X& x) {
  using Source = GlobalSource<GlobIterOf<decltype(x.begin())>>;
  using Index = typename Source::index_type;
  constexpr dim_t M = std::remove_const_t<X>::ndim();
  using Map = IndexMap<M, Source::ndim, Index, Spacing::unit>;
  const Source source(&x.begin().globmem(), x.pattern());
  const auto extents =
      index_array<Index, static_cast<std::size_t>(M)>(selected(x.extents(), x.dimensions()));
  if constexpr (M == Source::ndim) {
    return Basis<Source, Map>{source, Map(x.offsets(), extents)};
  } else {
    return Basis<Source, Map>{source, Map(x.offsets(), extents, x.dimensions())};
  }
}

template <LocalMatrix X>
auto local_box_basis(X& x) {
  using Pattern = typename X::pattern_type;
  using T = std::remove_pointer_t<decltype(x.lbegin())>;
  if constexpr (std::remove_const_t<X>::ndim() < Pattern::ndim()) {
    using Source = SliceSource<X>;
    return Basis<Source, decltype(box_map<Source>({}, x.extents()))>{
        Source(x), box_map<Source>({}, x.extents())};
  } else {
    using Source = LocalSource<T, Pattern, Pattern::ndim()>;
    using Map = decltype(box_map<Source>(x.offsets(), x.extents()));
    if (x.size() == 0 || x.lbegin() == nullptr) return Basis<Source, Map>{Source(), Map()};
    T* const base = x.lbegin() - x.pattern().local_at(x.local_offsets());
    return Basis<Source, Map>{Source(base, &x.pattern()),
                              box_map<Source>(x.local_offsets(), x.extents())};
  }
}

template <class X>
auto iterator_range_basis(X& x) {
  using It = typename std::remove_const_t<X>::iterator;
  if constexpr (ContainerIterator<It>) {
    if constexpr (std::same_as<It, GlobIterOf<It>> && It::ndim() == 1) {
      using Source = GlobalSource<It>;
      return Basis<Source, decltype(range_map<Source>(0, 0))>{
          Source(&x.begin().globmem(), x.begin().pattern()),
          range_map<Source>(x.begin().pos(), x.end() - x.begin())};
    } else {
      using Source = IteratorSource<It>;
      return Basis<Source, decltype(range_map<Source>(0, 0))>{
          Source(x.begin()), range_map<Source>(0, x.end() - x.begin())};
    }
  } else {
    using Source = IteratorSource<It>;
    return Basis<Source, decltype(range_map<Source>(0, 0))>{
        Source(x.begin()), range_map<Source>(0, x.end() - x.begin())};
  }
}

/// The source and the map of any operand.
template <class X>
auto basis_of(X& x) {
  using Plain = std::remove_const_t<X>;
  if constexpr (MappedView<Plain>) {
    return Basis<typename Plain::source_type, typename Plain::map_type>{x.source(), x.map()};
  } else if constexpr (GlobalContainer<Plain>) {
    using Source = decltype(global_source(x));
    return Basis<Source, decltype(box_map<Source>({}, x.pattern().extents()))>{
        global_source(x), box_map<Source>({}, x.pattern().extents())};
  } else if constexpr (is_iterator_range<Plain>) {
    return iterator_range_basis(x);
  } else if constexpr (GlobalBox<Plain>) {
    return box_basis(x);
  } else if constexpr (LocalArray<Plain>) {
    using T = std::remove_pointer_t<decltype(std::to_address(x.begin()))>;
    using Source = LocalSource<T, typename Plain::pattern_type, 1>;
    const auto* pattern = x.begin() == nullptr ? nullptr : &x.pattern();
    return Basis<Source, decltype(range_map<Source>(0, 0))>{
        Source(x.begin(), pattern),
        range_map<Source>(0, static_cast<typename Source::index_type>(x.size()))};
  } else if constexpr (LocalMatrix<Plain>) {
    return local_box_basis(x);
  } else {
    static_assert(NativeRange<X>, "dash: expected a container, a view or a random access range");
    using Source = IteratorSource<std::ranges::iterator_t<X>>;
    return Basis<Source, decltype(range_map<Source>(0, 0))>{
        Source(std::ranges::begin(x)),
        range_map<Source>(0, static_cast<typename Source::index_type>(std::ranges::size(x)))};
  }
}

/// The source and the map of an index set: as above, except that for a container whose iteration
/// order is not row-major, the iteration order is used.
template <class X>
auto index_basis_of(X& x) {
  using Plain = std::remove_const_t<X>;
  if constexpr (GlobalContainer<Plain>) {
    using Pattern = typename Plain::pattern_type;
    if constexpr (Pattern::ndim() > 1 && !(Pattern::memory_order() == ROW_MAJOR &&
                                           Pattern::layout_properties::canonical)) {
      using Source = IteratorSource<decltype(x.begin())>;
      return Basis<Source, decltype(range_map<Source>(0, 0))>{
          Source(x.begin()), range_map<Source>(0, x.end() - x.begin())};
    } else {
      return basis_of(x);
    }
  } else {
    return basis_of(x);
  }
}

template <class X>
using BasisOf = decltype(basis_of(std::declval<X&>()));

}  // namespace internal

}  // namespace dash
