#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

#include "dash/Collectives.h"
#include "dash/Future.h"
#include "dash/Team.h"
#include "dash/Types.h"
#include "dash/atomic/TypeTraits.h"
#include "dash/internal/element/ElementAccess.h"
#include "dash/internal/team/Collective.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

template <class T>
class Shared;
template <class T, typename IndexType, MemArrange Arrangement, class LocalMemSpace>
class Coarray;

namespace internal {

/// Iterators to native elements that can be read and written, including those of std::vector<bool>.
template <class It>
concept BroadcastIterator = std::forward_iterator<It> && !GlobalIterator<It> &&
                            std::is_trivially_copyable_v<std::iter_value_t<It>> &&
                            requires(It it, const std::iter_value_t<It>& value) {
  *it = value;
};

/// Contiguous buffer for the elements of a range that is not contiguous.
template <BroadcastIterator LocalIt>
class GatheredElements {
  using Raw = RawElement<std::iter_value_t<LocalIt>>;

 public:
  /// \param is_root  whether to copy the elements of the range to the buffer
  GatheredElements(LocalIt first, LocalIt last, bool is_root)
      : _first(first), _size(static_cast<std::size_t>(std::distance(first, last))) {
    _elements = std::make_unique_for_overwrite<Raw[]>(_size);
    if (!is_root) return;
    for (std::size_t i = 0; i < _size; ++i, ++first) {
      const std::iter_value_t<LocalIt> value = *first;
      std::memcpy(&_elements[i], &value, sizeof(value));
    }
  }

  Raw* data() const { return _elements.get(); }
  std::size_t size() const { return _size; }

  /// Assigns the buffered elements to the range.
  void scatter() const {
    LocalIt to = _first;
    for (std::size_t i = 0; i < _size; ++i, ++to)
      *to = value_of<std::iter_value_t<LocalIt>>(_elements[i]);
  }

 private:
  LocalIt _first;
  std::size_t _size;
  std::unique_ptr<Raw[]> _elements;
};

/// The value of a shared object on its owner; zero bytes on the other units.
template <class T>
auto own_value(const Shared<T>& shared) {
  RawElement<remove_atomic_t<T>> bytes{};
  const auto reference = shared.get();  // throws on all units if there is no value
  if (shared.team().myid() == shared.owner()) {
    const remove_atomic_t<T> value = reference.get();
    std::memcpy(&bytes, &value, sizeof(value));
  }
  return bytes;
}

}  // namespace internal

/// \addtogroup collectives
/// @{

/// Copies the root's elements of a native range to the ranges of all units.
/// \param first, last  a range with the same number of elements on all units, contiguous or not
/// \collective over the team  \blocks until the root has called it
/// \throws exception::InvalidArgument if the root is not in the team; with assertions, on all units
///         if their numbers of elements differ
/// \cost elements that are not contiguous are copied to a buffer; with assertions, an additional
///       all-gather
template <internal::BroadcastIterator LocalIt>
void broadcast(LocalIt first, LocalIt last, internal::TeamUnitArgument root,
               const Team& team = Team::All()) {
#ifdef DASH_ENABLE_ASSERTIONS
  internal::require_equal_sizes(static_cast<std::size_t>(std::distance(first, last)),
                                "dash::broadcast", team);
#endif
  if constexpr (std::contiguous_iterator<LocalIt>) {
    const auto size = static_cast<std::size_t>(last - first);
    internal::broadcast_bytes(std::to_address(first), size * sizeof(std::iter_value_t<LocalIt>),
                              root, team);
  } else {
    const bool is_root = team.myid() == root;
    const internal::GatheredElements<LocalIt> elements(first, last, is_root);
    internal::broadcast_bytes(elements.data(), elements.size() * sizeof(std::iter_value_t<LocalIt>),
                              root, team);
    if (!is_root) elements.scatter();
  }
}

/// Starts a broadcast. The ranges must not be accessed until completion.
/// \returns a future that is ready when the caller's elements are assigned; on the root, when they
///          may be modified. It holds an error if a unit of the caller's node has a different
///          number of elements
/// \collective over the team  \blocks never  \threads externally synchronized per team
template <internal::BroadcastIterator LocalIt>
Future<void> broadcast_async(LocalIt first, LocalIt last, internal::TeamUnitArgument root,
                             const Team& team = Team::All()) {
  if constexpr (std::contiguous_iterator<LocalIt>) {
    return bcast_async(std::to_address(first), static_cast<std::size_t>(last - first), root, team);
  } else {
    const bool is_root = team.myid() == root;
    internal::GatheredElements<LocalIt> elements(first, last, is_root);
    auto arrived = bcast_async(elements.data(), elements.size(), root, team);
    return arrived.then([elements = std::move(elements), is_root] {
      if (!is_root) elements.scatter();
    });
  }
}

/// Returns, on all units, the value that a shared object has when its owner calls the function.
/// \collective over the team of the object  \blocks until the owner has called it
/// \throws exception::RuntimeError on all units if the object has no value yet
template <class T>
remove_atomic_t<T> broadcast(const Shared<T>& shared) {
  auto bytes = internal::own_value(shared);
  internal::broadcast_bytes(&bytes, sizeof(bytes), shared.owner(), shared.team());
  return internal::value_of(bytes);
}

/// Asynchronous counterpart. \returns a future of the value
/// \contract{broadcast}  \blocks never
template <class T>
Future<remove_atomic_t<T>> broadcast_async(const Shared<T>& shared) {
  return bcast_async(internal::own_value(shared), shared.owner(), shared.team())
      .then([](const auto& bytes) { return internal::value_of(bytes); });
}

/// Copies the elements of the root to all units. No other access to the coarray is allowed during
/// the call.
/// \param root  id of the unit in the coarray's team
/// \collective over the team of the coarray  \blocks until the root has called it
/// \throws exception::InvalidArgument if the root is not in the team
template <class T, typename IndexType, MemArrange Arrangement, class LocalMemSpace>
void broadcast(Coarray<T, IndexType, Arrangement, LocalMemSpace>& coarray,
               internal::TeamUnitArgument root) {
  dash::broadcast(coarray.lbegin(), coarray.lend(), root, coarray.team());
}

/// Asynchronous counterpart.
/// \returns a future that is ready when the caller's elements are those of the root
/// \contract{broadcast}  \blocks never
template <class T, typename IndexType, MemArrange Arrangement, class LocalMemSpace>
Future<void> broadcast_async(Coarray<T, IndexType, Arrangement, LocalMemSpace>& coarray,
                             internal::TeamUnitArgument root) {
  return dash::broadcast_async(coarray.lbegin(), coarray.lend(), root, coarray.team());
}

/// @}

}  // namespace dash
