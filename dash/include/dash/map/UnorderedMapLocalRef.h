#pragma once

#include <cstddef>
#include <utility>

#include "dash/internal/dynamic/MapBulk.h"
#include "dash/internal/dynamic/MapStorage.h"
#include "dash/map/UnorderedMapLocalIter.h"

namespace dash {

template <class Key, class Mapped, class Hash, class Pred, class LocalMemSpace>
class UnorderedMap;

/// The elements of an UnorderedMap that the caller owns, as a local map. Never communicates. An
/// element inserted here is owned by the caller, regardless of the hasher. Other units find it
/// after the next barrier of the map, and from then on do not insert its key again.
/// \threads thread-safe
/// \ingroup containers
template <class Key, class Mapped, class Hash, class Pred, class LocalMemSpace>
class UnorderedMapLocalRef {
  using Map = UnorderedMap<Key, Mapped, Hash, Pred, LocalMemSpace>;

 public:
  using key_type = Key;
  using mapped_type = Mapped;
  /// Determines the owner of a key.
  using hasher = Hash;
  /// Determines which keys are equal.
  using key_equal = Pred;
  using value_type = std::pair<const Key, Mapped>;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using iterator = UnorderedMapLocalIter<Key, Mapped>;
  using const_iterator = iterator;
  using reference = value_type&;
  using const_reference = const value_type&;
  /// A native reference to a value.
  using mapped_type_reference = Mapped&;
  /// A native reference to a value, for reading.
  using const_mapped_type_reference = const Mapped&;

  /// Used by UnorderedMap, to which the object refers.
  explicit UnorderedMapLocalRef(Map* map) noexcept : _map(map) {}
  // Refers to the map that contains it, so it cannot be copied.
  UnorderedMapLocalRef(const UnorderedMapLocalRef&) = delete;
  UnorderedMapLocalRef& operator=(const UnorderedMapLocalRef&) = delete;

  /// The caller's first element.
  iterator begin() const noexcept { return _map->lbegin(); }
  /// The end of the caller's elements.
  iterator end() const noexcept { return _map->lend(); }
  /// As begin().
  const_iterator cbegin() const noexcept { return begin(); }
  /// As end().
  const_iterator cend() const noexcept { return end(); }
  /// Number of elements that the caller owns.
  size_type size() const { return _map->lsize(); }
  /// Whether the caller owns no element.
  bool empty() const { return size() == 0; }
  /// Number of the caller's elements for which memory is allocated.
  size_type capacity() const { return _map->lcapacity(); }
  /// Maximum number of elements of a unit, 2^30.
  size_type max_size() const noexcept { return internal::SlotStore::max_slots; }

  /// The unit that owns a key according to the hasher.
  size_type bucket(const key_type& key) const { return _map->bucket(key); }
  /// Number of units.
  size_type bucket_count() const noexcept { return _map->bucket_count(); }
  /// Number of the unit's elements that are local to the caller.
  size_type bucket_size(size_type bucket) const {
    return bucket == static_cast<size_type>(_map->team().myid().id) ? size() : 0;
  }
  /// The function that compares keys.
  key_equal key_eq() const { return _map->key_eq(); }
  /// The hasher. \pre the map is allocated
  hasher hash_function() const { return _map->hash_function(); }

  /// Inserts an element unless the caller has one with the same key.
  /// \returns an iterator to the element with the key, and whether it was inserted
  std::pair<iterator, bool> insert(const value_type& value) {
    const team_unit_t me = _map->team().myid();
    const internal::KeyLocation location = _map->location_of(value.first);
    const auto result = _map->access().insert(me, location.hash, value.first, value.second);
    if (result.changed && location.unit != me) _map->storage().mark_scattered();
    return {iterator_at(result), result.changed};
  }
  /// \overload
  /// The hint has no effect.
  iterator insert(const_iterator /*hint*/, const value_type& value) { return insert(value).first; }
  /// \overload
  /// For a range of elements.
  /// \param first, last  pairs of keys and values
  template <class It>
  void insert(It first, It last) requires(requires { (*first).second; }) {
    for (; first != last; ++first)
      insert(value_type((*first).first, (*first).second));
  }

  /// \returns an iterator to the caller's element with a key; end() if there is no such element
  iterator find(const key_type& key) const {
    const auto found = _map->access().find(_map->team().myid(), _map->hash_of(key), key);
    return found ? iterator_at(found) : end();
  }
  /// Number of elements of the caller with a key: 0 or 1.
  size_type count(const key_type& key) const { return find(key) == end() ? 0 : 1; }
  /// The value of a key; inserts the key at the caller if the caller does not have it.
  Mapped& operator[](const key_type& key) {
    return insert(value_type(key, Mapped())).first->second;
  }
  /// The value of a key.
  /// \throws exception::InvalidArgument if the caller has no such key
  Mapped& at(const key_type& key) const {
    const iterator found = find(key);
    if (found == end()) internal::throw_no_such_key();
    return found->second;
  }
  /// Erases the caller's element with a key.
  /// \returns number of erased elements, 0 or 1
  size_type erase(const key_type& key) {
    return _map->access().erase(_map->team().myid(), _map->hash_of(key), key) ? 1 : 0;
  }
  /// \returns the element after the erased one
  iterator erase(const_iterator position) {
    iterator next = position;
    ++next;
    const Key key = position->first;
    erase(key);
    return next;
  }
  /// Erases the elements of a range. \returns last
  iterator erase(const_iterator first, const_iterator last) {
    while (first != last)
      first = erase(first);
    return first;
  }

 private:
  template <class Lookup>
  iterator iterator_at(const Lookup& found) const noexcept {
    return iterator(_map->storage().slots(), found.slot.slot);
  }

  Map* _map;
};

}  // namespace dash
