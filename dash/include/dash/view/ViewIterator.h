#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include "dash/Types.h"
#include "dash/iterator/IteratorTraits.h"
#include "dash/iterator/PositionIterator.h"

namespace dash {

namespace internal {

template <class Source>
struct LocalPointerOf {
  using type = void;
};
template <class It>
struct LocalPointerOf<GlobalSource<It>> {
  using type = typename It::local_type;
};
template <GlobalIterator It>
struct LocalPointerOf<IteratorSource<It>> {
  using type = typename It::local_type;
};

}  // namespace internal

/// Random access iterator over the elements of a view, or over the indices of an index set, in
/// row-major order. Models std::random_access_iterator as far as proxy references permit.
///
/// Stores source and map by value. Valid until the origin is deallocated, even after the view is
/// destroyed.
/// \tparam Source  provides the elements  \tparam Map  selects elements by coordinates of the
///         source
/// \threads externally synchronized per object
/// \ingroup views
template <class Source, class Map>
class ViewIterator
    : public internal::PositionIterator<ViewIterator<Source, Map>, typename Map::index_type> {
  using Base = internal::PositionIterator<ViewIterator, typename Map::index_type>;
  friend Base;

 public:
  using value_type = typename Source::value_type;
  using reference = typename Source::reference;
  using pointer = std::conditional_t<std::is_lvalue_reference_v<reference>,
                                     std::add_pointer_t<reference>, void>;
  using index_type = typename Map::index_type;
  /// For views of global memory, type of a native pointer to an element; otherwise void.
  using local_type = typename internal::LocalPointerOf<Source>::type;

  /// A singular iterator, which can only be assigned to.
  constexpr ViewIterator() = default;
  /// Used by the views: an iterator to the element at a position.
  constexpr ViewIterator(const Source& source, const Map& map, index_type position)
      : Base(position), _source(source), _map(map), _coords(map.view_coords(position)) {}

  /// The element, or a reference to it.
  constexpr reference operator*() const { return _source.at(_map.coords(_coords)); }
  /// Pointer to the element, which must be native memory.
  constexpr pointer operator->() const requires(std::is_lvalue_reference_v<reference>) {
    return &**this;
  }
  /// The element at a distance of n.
  constexpr reference operator[](index_type n) const {
    return _source.at(_map.coords_at(pos() + n));
  }

  /// Position in the view.
  constexpr index_type pos() const noexcept { return this->position(); }
  /// As pos().
  constexpr index_type rpos() const noexcept { return this->position(); }
  /// Linear global index of the element.
  constexpr index_type gpos() const { return _source.global_index(_map.coords(_coords)); }
  /// Owner of the element and its index in the owner's memory.
  constexpr auto lpos() const { return _source.owner(_map.coords(_coords)); }
  /// Used by the library: provides the elements by coordinates.
  constexpr const Source& source() const noexcept { return _source; }
  /// Used by the library: selects elements of the source.
  constexpr const Map& map() const noexcept { return _map; }
  /// The pattern that distributes the elements.
  const auto& pattern() const { return _source.pattern(); }
  /// The team of the pattern.
  auto& team() const { return pattern().team(); }
  /// The global memory of the container.
  auto& globmem() const {
    if constexpr (requires { _source.first(); }) {
      return _source.first().globmem();
    } else {
      return *_source.globmem();
    }
  }
  /// Whether the element is local to the caller.
  constexpr bool is_local() const { return local() != nullptr; }
  /// Native pointer to the element; nullptr if it is not local to the caller.
  constexpr auto local() const { return _source.local(_map.coords(_coords)); }

 private:
  constexpr void stepped() noexcept {
    // Increments the coordinates without a division; the first coordinate may exceed the extent.
    std::size_t m = _coords.size() - 1;
    for (++_coords[m]; m > 0 && _coords[m] == _map.extent(m); ++_coords[--m])
      _coords[m] = 0;
  }
  constexpr void moved() noexcept { _coords = _map.view_coords(pos()); }

  Source _source{};
  Map _map{};
  typename Map::view_coords_type _coords{};
};

/// Linear global index of the element at an iterator.
/// \ingroup views
template <class Source, class Map>
constexpr auto index(const ViewIterator<Source, Map>& it) {
  return it.gpos();
}

/// Number of elements from first to last.
/// \ingroup views
template <class Source, class Map>
constexpr auto distance(const ViewIterator<Source, Map>& first,
                        const ViewIterator<Source, Map>& last) {
  return last - first;
}

}  // namespace dash
