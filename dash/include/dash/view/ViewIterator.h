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
/// row-major order. As far as the references to elements allow, it models
/// std::random_access_iterator.
///
/// Holds what it needs by value, and is valid for as long as the origin is allocated, also when the
/// view that it was taken from is gone.
/// \tparam Source  where elements are  \tparam Map  which of them, as coordinates of the source
/// \threads any, one at a time per object
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
  /// Of views of global memory: a native pointer to an element, else void.
  using local_type = typename internal::LocalPointerOf<Source>::type;

  constexpr ViewIterator() = default;
  constexpr ViewIterator(const Source& source, const Map& map, index_type position)
      : Base(position), _source(source), _map(map), _coords(map.view_coords(position)) {}

  constexpr reference operator*() const { return _source.at(_map.coords(_coords)); }
  constexpr pointer operator->() const requires(std::is_lvalue_reference_v<reference>) {
    return &**this;
  }
  /// The element n further.
  constexpr reference operator[](index_type n) const {
    return _source.at(_map.coords_at(pos() + n));
  }

  /// Position in the view.
  constexpr index_type pos() const noexcept { return this->position(); }
  constexpr index_type rpos() const noexcept { return this->position(); }
  /// Linear global index of the element.
  constexpr index_type gpos() const { return _source.global_index(_map.coords(_coords)); }
  /// Owner of the element and its index in the owner's memory.
  constexpr auto lpos() const { return _source.owner(_map.coords(_coords)); }
  /// What the view is of, and where its elements are in that.
  constexpr const Source& source() const noexcept { return _source; }
  constexpr const Map& map() const noexcept { return _map; }
  const auto& pattern() const { return _source.pattern(); }
  auto& team() const { return pattern().team(); }
  auto& globmem() const {
    if constexpr (requires { _source.first(); }) {
      return _source.first().globmem();
    } else {
      return *_source.globmem();
    }
  }
  /// Whether the element is in the caller's own memory.
  constexpr bool is_local() const { return local() != nullptr; }
  /// Native pointer to the element; nullptr if it is not the caller's own.
  constexpr auto local() const { return _source.local(_map.coords(_coords)); }

 private:
  constexpr void stepped() noexcept {
    // The coordinates follow without a division; the first one may go beyond the end.
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
template <class Source, class Map>
constexpr auto index(const ViewIterator<Source, Map>& it) {
  return it.gpos();
}

/// Elements from first to last.
template <class Source, class Map>
constexpr auto distance(const ViewIterator<Source, Map>& first,
                        const ViewIterator<Source, Map>& last) {
  return last - first;
}

}  // namespace dash
