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
template <class Key, class Mapped, class Hash, class Pred, class LocalMemSpace>
class UnorderedMapLocalRef {
  using Map = UnorderedMap<Key, Mapped, Hash, Pred, LocalMemSpace>;

 public:
  using key_type = Key;
  using mapped_type = Mapped;
  using hasher = Hash;
  using key_equal = Pred;
  using value_type = std::pair<const Key, Mapped>;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using iterator = UnorderedMapLocalIter<Key, Mapped>;
  using const_iterator = iterator;
  using reference = value_type&;
  using const_reference = const value_type&;
  using mapped_type_reference = Mapped&;
  using const_mapped_type_reference = const Mapped&;

  explicit UnorderedMapLocalRef(Map* map) noexcept : _map(map) {}
  // Refers to the map that contains it, so it cannot be copied.
  UnorderedMapLocalRef(const UnorderedMapLocalRef&) = delete;
  UnorderedMapLocalRef& operator=(const UnorderedMapLocalRef&) = delete;

  iterator begin() const noexcept { return _map->lbegin(); }
  iterator end() const noexcept { return _map->lend(); }
  const_iterator cbegin() const noexcept { return begin(); }
  const_iterator cend() const noexcept { return end(); }
  size_type size() const { return _map->lsize(); }
  bool empty() const { return size() == 0; }
  size_type capacity() const { return _map->lcapacity(); }
  size_type max_size() const noexcept { return internal::SlotStore::max_slots; }

  /// bucket(): the unit that owns a key. bucket_size(): number of the unit's elements that are
  /// local to the caller.
  size_type bucket(const key_type& key) const { return _map->bucket(key); }
  size_type bucket_count() const noexcept { return _map->bucket_count(); }
  size_type bucket_size(size_type bucket) const {
    return bucket == static_cast<size_type>(_map->team().myid().id) ? size() : 0;
  }
  key_equal key_eq() const { return _map->key_eq(); }
  hasher hash_function() const { return _map->hash_function(); }

  /// Inserts an element unless the caller has one with the same key.
  std::pair<iterator, bool> insert(const value_type& value) {
    const team_unit_t me = _map->team().myid();
    const internal::KeyLocation location = _map->location_of(value.first);
    const auto result = _map->access().insert(me, location.hash, value.first, value.second);
    if (result.changed && location.unit != me) _map->storage().mark_scattered();
    return {iterator_at(result), result.changed};
  }
  iterator insert(const_iterator /*hint*/, const value_type& value) { return insert(value).first; }
  template <class It>
  void insert(It first, It last) requires(requires { (*first).second; }) {
    for (; first != last; ++first)
      insert(value_type((*first).first, (*first).second));
  }

  iterator find(const key_type& key) const {
    const auto found = _map->access().find(_map->team().myid(), _map->hash_of(key), key);
    return found ? iterator_at(found) : end();
  }
  size_type count(const key_type& key) const { return find(key) == end() ? 0 : 1; }
  Mapped& operator[](const key_type& key) {
    return insert(value_type(key, Mapped())).first->second;
  }
  /// \throws exception::InvalidArgument if the caller has no such key
  Mapped& at(const key_type& key) const {
    const iterator found = find(key);
    if (found == end()) internal::throw_no_such_key();
    return found->second;
  }
  size_type erase(const key_type& key) {
    return _map->access().erase(_map->team().myid(), _map->hash_of(key), key) ? 1 : 0;
  }
  iterator erase(const_iterator position) {
    iterator next = position;
    ++next;
    const Key key = position->first;
    erase(key);
    return next;
  }
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
