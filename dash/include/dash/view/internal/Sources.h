#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>

#include "dash/Types.h"
#include "dash/internal/Unit.h"
#include "dash/iterator/GlobIter.h"
#include "dash/iterator/GlobViewIter.h"
#include "dash/iterator/IteratorTraits.h"
#include "dash/view/internal/IndexMap.h"

/// \file
/// Sources provide the elements of views by coordinates. A source is a small value type with
///   at(coords)            a reference to an element
///   index(coords)         its linear index: the global index, or the index in the memory of its unit
///   global_index(coords)  its linear global index
///   owner(coords)         {unit, index in its memory}
///   local(coords)         native pointer, nullptr if it is not local to the caller
///   coords_of(index)      optional fast inverse of index(); no value if out of range
///   iterator(map, n)      optional, for maps with a better iterator than ViewIterator

namespace dash::internal {

/// The type of GlobIter for the elements that an iterator of a container or of its views refers to.
template <ContainerIterator It>
using GlobIterOf = std::remove_cvref_t<decltype(std::declval<const It&>().global())>;

template <class It>
struct BoxIterOf;
template <class... Params>
struct BoxIterOf<GlobIter<Params...>> {
  using type = GlobViewIter<Params...>;
};

/// Linear index of an element in the memory of its unit, by its local coordinates.
template <class Pattern, std::size_t K>
auto linear_local_index(const Pattern& pattern, team_unit_t unit,
                        const std::array<typename Pattern::index_type, K>& coords) {
  if constexpr (K == 1) {
    return coords[0];
  } else if (unit == pattern.team().myid()) {
    return pattern.local_at(coords);
  } else {
    return pattern.local_index(pattern.global(unit, coords)).index;
  }
}

/// Linear global index of an element, from its local coordinates or its index in its unit's memory.
template <class Pattern, std::size_t K>
auto linear_global_index(const Pattern& pattern, team_unit_t unit,
                         const std::array<typename Pattern::index_type, K>& coords) {
  if constexpr (K == static_cast<std::size_t>(Pattern::ndim())) {
    return pattern.global_at(pattern.global(unit, coords));
  } else {
    return pattern.global(unit, coords[0]);
  }
}

/// The inverse of linear_local_index(); no value if the unit has no such element.
template <dim_t K, class Pattern, class Index>
auto unit_coords(const Pattern& pattern, team_unit_t unit, Index index) {
  using Coords = std::array<Index, static_cast<std::size_t>(K)>;
  if (index < 0 || index >= static_cast<Index>(pattern.local_size(unit))) {
    return std::optional<Coords>();
  }
  if constexpr (K == 1) {
    return std::optional<Coords>({{index}});
  } else {
    return std::optional<Coords>(pattern.local_coords(pattern.coords(pattern.global(unit, index))));
  }
}

/// The inverse of linear_global_index(); no value if another unit owns the element.
template <dim_t K, class Pattern, class Index>
auto unit_coords_of_global(const Pattern& pattern, team_unit_t unit, Index index) {
  using Coords = std::array<Index, static_cast<std::size_t>(K)>;
  if (index < 0 || index >= static_cast<Index>(pattern.size())) return std::optional<Coords>();
  const auto location = pattern.local_index(pattern.coords(index));
  if (location.unit != unit) return std::optional<Coords>();
  if constexpr (K == 1) {
    return std::optional<Coords>({{location.index}});
  } else {
    return std::optional<Coords>(pattern.local_coords(pattern.coords(index)));
  }
}

/// The elements of a container, by global coordinates.
/// \tparam It  a GlobIter
template <class It>
class GlobalSource {
 public:
  using pattern_type = typename It::pattern_type;
  using globmem_type = typename It::globmem_type;
  using index_type = typename It::index_type;
  using value_type = typename It::value_type;
  using reference = typename It::reference;
  using element_type = std::remove_pointer_t<typename It::local_type>;
  using coords_type = typename pattern_type::coords_type;
  using global_iterator = It;

  static constexpr bool is_local = false;
  static constexpr dim_t ndim = pattern_type::ndim();

  constexpr GlobalSource() = default;
  constexpr GlobalSource(globmem_type* globmem, const pattern_type& pattern)
      : _globmem(globmem), _pattern(&pattern) {}

  const pattern_type& pattern() const { return *_pattern; }
  globmem_type* globmem() const { return _globmem; }

  reference at(const coords_type& coords) const {
    const auto location = _pattern->local_index(coords);
    return reference(element_gptr<element_type>(*_globmem, location.unit, location.index));
  }
  index_type index(const coords_type& coords) const { return _pattern->global_at(coords); }
  index_type global_index(const coords_type& coords) const { return index(coords); }
  std::optional<coords_type> coords_of(index_type index) const {
    if (index < 0 || index >= static_cast<index_type>(_pattern->size())) return std::nullopt;
    return _pattern->coords(index);
  }
  auto owner(const coords_type& coords) const { return _pattern->local_index(coords); }
  element_type* local(const coords_type& coords) const {
    const auto location = owner(coords);
    if (location.unit != _pattern->team().myid()) return nullptr;
    return static_cast<element_type*>(_globmem->local_begin()) + location.index;
  }

  /// For maps without strides and in the order of the container: an iterator of the container
  /// (one-dimensional), or of a box of the container. All algorithms accept both.
  template <class Map>
  requires(Map::spacing == Spacing::unit && Map::ndim == 1 && ndim == 1) It
      iterator(const Map& map, index_type position)
  const { return It(_globmem, *_pattern, map.base()[0] + position); }
  template <class Map>
  requires(Map::spacing == Spacing::unit && ndim > 1 && pattern_type::memory_order() == ROW_MAJOR &&
           pattern_type::layout_properties::canonical) auto iterator(const Map& map,
                                                                     index_type position) const {
    typename pattern_type::extents_type extents;
    extents.fill(1);
    for (std::size_t m = 0; m < static_cast<std::size_t>(Map::ndim); ++m)
      extents[map.dim(m)] = static_cast<typename pattern_type::size_type>(map.extent(m));
    const typename pattern_type::viewspec_type box(map.base(), extents);
    return typename BoxIterOf<It>::type(_globmem, *_pattern, box, position);
  }

  friend bool operator==(const GlobalSource&, const GlobalSource&) = default;

 private:
  globmem_type* _globmem = nullptr;
  const pattern_type* _pattern = nullptr;
};

/// The caller's elements of a container, as native memory: by local coordinates, or with K = 1 by
/// their index in it.
template <class T, class PatternType, dim_t K>
class LocalSource {
 public:
  using pattern_type = PatternType;
  using index_type = typename PatternType::index_type;
  using value_type = std::remove_cv_t<T>;
  using reference = T&;
  using coords_type = std::array<index_type, static_cast<std::size_t>(K)>;

  static constexpr bool is_local = true;
  static constexpr dim_t ndim = K;

  constexpr LocalSource() = default;
  /// \param base  the caller's first element  \param pattern  may be null if there is no element
  constexpr LocalSource(T* base, const PatternType* pattern) : _base(base), _pattern(pattern) {}

  const PatternType& pattern() const { return *_pattern; }
  team_unit_t unit() const { return _pattern->team().myid(); }
  bool has_pattern() const { return _pattern != nullptr; }

  reference at(const coords_type& coords) const { return *local(coords); }
  index_type index(const coords_type& coords) const {
    if constexpr (K == 1) {
      return coords[0];
    } else {
      return _pattern->local_at(coords);
    }
  }
  index_type global_index(const coords_type& coords) const {
    return linear_global_index(*_pattern, unit(), coords);
  }
  std::optional<coords_type> coords_of(index_type index) const {
    return unit_coords<K>(*_pattern, unit(), index);
  }
  std::optional<coords_type> coords_of_global(index_type index) const {
    return unit_coords_of_global<K>(*_pattern, unit(), index);
  }
  auto owner(const coords_type& coords) const {
    return typename PatternType::local_index_t{unit(), index(coords)};
  }
  T* local(const coords_type& coords) const { return _base + index(coords); }

  template <class Map>
  requires(Map::spacing == Spacing::unit && K == 1) T* iterator(const Map& map,
                                                                index_type n) const {
    return _base + map.base()[0] + n;
  }

  friend bool operator==(const LocalSource&, const LocalSource&) = default;

 private:
  T* _base = nullptr;
  const PatternType* _pattern = nullptr;
};

/// The elements of a unit in a container, as global memory; coordinates as of LocalSource.
/// \tparam It  a GlobIter
template <class It, dim_t K>
class RemoteSource {
 public:
  using pattern_type = typename It::pattern_type;
  using globmem_type = typename It::globmem_type;
  using index_type = typename It::index_type;
  using value_type = typename It::value_type;
  using reference = typename It::reference;
  using element_type = std::remove_pointer_t<typename It::local_type>;
  using coords_type = std::array<index_type, static_cast<std::size_t>(K)>;

  static constexpr bool is_local = false;
  static constexpr dim_t ndim = K;

  constexpr RemoteSource() = default;
  constexpr RemoteSource(globmem_type* globmem, const pattern_type& pattern, team_unit_t unit)
      : _globmem(globmem), _pattern(&pattern), _unit(unit) {}

  const pattern_type& pattern() const { return *_pattern; }
  bool has_pattern() const { return true; }
  team_unit_t unit() const { return _unit; }

  reference at(const coords_type& coords) const {
    return reference(element_gptr<element_type>(*_globmem, _unit, index(coords)));
  }
  index_type index(const coords_type& coords) const {
    return linear_local_index(*_pattern, _unit, coords);
  }
  index_type global_index(const coords_type& coords) const {
    return linear_global_index(*_pattern, _unit, coords);
  }
  std::optional<coords_type> coords_of(index_type index) const {
    return unit_coords<K>(*_pattern, _unit, index);
  }
  std::optional<coords_type> coords_of_global(index_type index) const {
    return unit_coords_of_global<K>(*_pattern, _unit, index);
  }
  auto owner(const coords_type& coords) const {
    return typename pattern_type::local_index_t{_unit, index(coords)};
  }
  element_type* local(const coords_type& coords) const {
    if (_unit != _pattern->team().myid()) return nullptr;
    return static_cast<element_type*>(_globmem->local_begin()) + index(coords);
  }

  friend bool operator==(const RemoteSource&, const RemoteSource&) = default;

 private:
  globmem_type* _globmem = nullptr;
  const pattern_type* _pattern = nullptr;
  team_unit_t _unit{};
};

/// The elements of a range of iterators, by their positions relative to its first element.
template <class It>
class IteratorSource {
  static constexpr bool is_global = ContainerIterator<It>;

 public:
  using index_type = std::iter_difference_t<It>;
  using value_type = std::iter_value_t<It>;
  using reference = std::iter_reference_t<It>;
  using coords_type = std::array<index_type, 1>;

  static constexpr bool is_local = !is_global;
  static constexpr dim_t ndim = 1;

  constexpr IteratorSource() = default;
  constexpr explicit IteratorSource(const It& first) : _first(first) {}

  constexpr const It& first() const { return _first; }
  const auto& pattern() const requires is_global { return _first.pattern(); }

  constexpr reference at(const coords_type& coords) const { return *(_first + coords[0]); }
  constexpr index_type index(const coords_type& coords) const {
    if constexpr (is_global) {
      return (_first + coords[0]).gpos();
    } else {
      return coords[0];
    }
  }
  constexpr index_type global_index(const coords_type& coords) const { return index(coords); }
  constexpr std::optional<coords_type> coords_of(index_type index) const
      requires(!requires { typename It::viewspec_type; }) {
    if constexpr (is_global) {
      return coords_type{{index - _first.gpos()}};
    } else {
      return coords_type{{index}};
    }
  }
  auto owner(const coords_type& coords) const requires is_global {
    return (_first + coords[0]).lpos();
  }
  auto local(const coords_type& coords) const requires is_global {
    return (_first + coords[0]).local();
  }

  template <class Map>
  requires(Map::spacing == Spacing::unit) constexpr It
      iterator(const Map& map, index_type n) const {
    return _first + map.base()[0] + n;
  }

  friend constexpr bool operator==(const IteratorSource& a, const IteratorSource& b) {
    if constexpr (is_global) {
      if (&a._first.pattern() != &b._first.pattern()) return false;
    }
    return a._first == b._first;
  }

 private:
  It _first{};
};

/// The elements of a LocalMatrixRef with fewer dimensions than its matrix, as native memory, by
/// coordinates.
template <class Slice>
class SliceSource {
  using Ref = std::remove_const_t<Slice>;

 public:
  using index_type = typename Ref::index_type;
  using value_type = std::remove_cv_t<typename Ref::value_type>;
  using coords_type = typename Ref::offsets_type;
  using reference = decltype(std::declval<Slice&>().at(std::declval<const coords_type&>()));

  static constexpr bool is_local = true;
  static constexpr dim_t ndim = Ref::ndim();

  constexpr SliceSource() = default;
  constexpr explicit SliceSource(const Ref& slice) : _slice(slice) {}

  const auto& pattern() const { return _slice.pattern(); }

  reference at(const coords_type& coords) const {
    Slice slice = _slice;
    return slice.at(coords);
  }
  /// Position in the slice.
  index_type index(const coords_type& coords) const {
    index_type position = 0;
    for (std::size_t d = 0; d < coords.size(); ++d)
      position = position * static_cast<index_type>(_slice.extents()[d]) + coords[d];
    return position;
  }

  friend bool operator==(const SliceSource& a, const SliceSource& b) {
    return a._slice.lbegin() == b._slice.lbegin() && a._slice.extents() == b._slice.extents();
  }

 private:
  Ref _slice{};
};

}  // namespace dash::internal
