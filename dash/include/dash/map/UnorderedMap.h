#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Atomic.h"
#include "dash/Future.h"
#include "dash/GlobSharedRef.h"
#include "dash/Team.h"
#include "dash/Types.h"
#include "dash/internal/container/ContainerStorage.h"
#include "dash/internal/dynamic/KeyHash.h"
#include "dash/internal/dynamic/MapBulk.h"
#include "dash/internal/dynamic/MapStorage.h"
#include "dash/map/HashLocal.h"
#include "dash/map/UnorderedMapGlobIter.h"
#include "dash/map/UnorderedMapLocalIter.h"
#include "dash/map/UnorderedMapLocalRef.h"
#include "dash/memory/MemorySpace.h"

namespace dash {

/// A hash table whose elements are distributed among the units of a team: the hasher determines the
/// owner of a key.
///
/// Any unit can insert, find and erase elements at any time, without participation of the owner,
/// and while the table grows. Inserted elements are visible to all units immediately. Elements do
/// not move: references and iterators are valid until their element is erased. barrier() frees
/// memory that became unused when the table grew. An insertion at another node of an element of
/// more than 3 KiB makes the key visible before all of the element is written: until the insertion
/// returns, other units may read the element partially, and must not erase it.
///
/// With the default hasher, HashLocal, the unit that inserts a key owns it, and a search visits all
/// units. HashUniform distributes keys evenly, and a search visits one unit.
///
/// \tparam Hash  hasher(key) returns the unit that owns the key. It is a function of the key alone,
///         like HashUniform; or HashLocal (the default), which returns the calling unit. With
///         HashLocal, and after a barrier for keys inserted through `local`, searches visit all
///         units. Constructed from the team if possible
/// \tparam Pred  determines which keys are equal. Tables use the hasher's member hash_value(key) if
///         there is one; otherwise, if Pred is std::equal_to, std::hash, or the bytes of keys
///         without std::hash; otherwise they are searched linearly
/// \threads thread-safe, except construction, allocation, clear(), barrier(), move, swap() and
///          destruction
/// \cost within a node, one or two cache misses per operation; between nodes, a message and its
///         reply
/// \ingroup containers
template <class Key, class Mapped, class Hash = HashLocal<Key>, class Pred = std::equal_to<Key>,
          class LocalMemSpace = HostSpace>
class UnorderedMap {
  static_assert(internal::ContainerElement<Key>::value);
  static_assert(internal::ContainerElement<Mapped>::value);
  using Access = internal::MapAccess<Key, Mapped, Pred>;
  using Bulk = internal::MapBulk<Key, Mapped, Pred>;
  using Element = internal::MapElement<Key, Mapped>;

 public:
  using key_type = Key;
  using mapped_type = Mapped;
  /// Determines the owner of a key.
  using hasher = Hash;
  /// Determines which keys are equal.
  using key_equal = Pred;
  using value_type = std::pair<const Key, Mapped>;
  using index_type = default_index_t;
  using difference_type = default_index_t;
  using size_type = default_size_t;
  using iterator = UnorderedMapGlobIter<Key, Mapped>;
  using const_iterator = iterator;
  using local_iterator = UnorderedMapLocalIter<Key, Mapped>;
  /// The same as local_iterator.
  using const_local_iterator = local_iterator;
  using reference = typename iterator::reference;
  using const_reference = typename iterator::const_reference;
  /// For an Atomic this is GlobRef<Atomic<T>>, so concurrent `map[key].add(1)` of several units is
  /// safe.
  using mapped_type_reference =
      std::conditional_t<is_atomic<Mapped>::value, GlobRef<Mapped>, GlobSharedRef<Mapped>>;
  /// As mapped_type_reference, for reading.
  using const_mapped_type_reference =
      std::conditional_t<is_atomic<Mapped>::value, GlobRef<const Mapped>,
                         GlobSharedRef<const Mapped>>;
  using local_type = UnorderedMapLocalRef<Key, Mapped, Hash, Pred, LocalMemSpace>;
  using memory_type = internal::MapStorage;
  using glob_mem_type = memory_type;

  /// The caller's elements.
  local_type local{this};

  /// \param nelem  total number of elements for which memory is allocated initially
  /// \collective over the team, unless the library is not initialized; then call allocate() later
  explicit UnorderedMap(size_type nelem = 0, Team& team = Team::All())
      : UnorderedMap(nelem, 0, team) {}
  /// \overload
  /// \param nlocal_buf  number of elements of each unit; the larger of the two requirements applies
  UnorderedMap(size_type nelem, size_type nlocal_buf, Team& team = Team::All()) : _team(&team) {
    if (team.size() != 0) allocate(nelem, nlocal_buf, team);
  }
  /// \overload
  explicit UnorderedMap(Team& team) : UnorderedMap(0, 0, team) {}

  UnorderedMap(const UnorderedMap&) = delete;
  UnorderedMap& operator=(const UnorderedMap&) = delete;
  /// Moves the elements; `other` is then not allocated. References and iterators remain valid.
  UnorderedMap(UnorderedMap&& other) noexcept
      : _team(other._team),
        _hash(std::move(other._hash)),
        _equal(std::move(other._equal)),
        _storage(std::move(other._storage)) {}
  /// \collective over the team of this map, if it is allocated
  UnorderedMap& operator=(UnorderedMap&& other) noexcept {
    _team = other._team;
    _hash = std::move(other._hash);
    _equal = std::move(other._equal);
    _storage = std::move(other._storage);
    return *this;
  }
  /// \collective over the team, if allocated
  ~UnorderedMap() = default;

  /// Allocates memory, after deallocate().
  /// \param nelem, nlocal_buf  as for the constructor
  /// \param team  the team if the map was constructed with Team::Null(); otherwise without effect
  /// \returns true
  /// \collective over the team  \blocks until all units have called it
  /// \throws exception::RuntimeError on all units if one does not have enough memory,
  ///         exception::InvalidArgument for more than 2^30 elements of a unit
  bool allocate(size_type nelem = 0, size_type nlocal_buf = 0, Team& team = Team::All()) {
    deallocate();
    Team& owner = _team->is_null() ? team : *_team;
    _team = &owner;
    const size_type each = (nelem + owner.size() - 1) / std::max<size_type>(owner.size(), 1);
    _hash.emplace(make_hash(owner));
    _storage.reset(new internal::MapStorage(Element::layout(), alignof(value_type),
                                            std::max(each, nlocal_buf), owner));
    return true;
  }
  /// \overload
  bool allocate(size_type nelem, Team& team) { return allocate(nelem, 0, team); }
  /// Frees all elements.
  /// \collective over the team, if allocated
  void deallocate() { _storage.reset(); }

  /// The team whose units own the elements.
  Team& team() const noexcept { return *_team; }
  /// The storage of the elements, for the library.
  /// \throws exception::RuntimeError if the map is not allocated
  const memory_type& globmem() const { return storage(); }
  /// Completes the caller's operations, waits for all units, and frees memory that became unused
  /// when the table grew. No other thread of the unit may use the map during the call.
  /// \collective over the team
  void barrier() {
    if (_storage) _storage->barrier();
  }

  /// The first element of the first unit that has any.
  iterator begin() const {
    return _storage ? iterator(internal::SlotCursor::first(_storage->slots())) : iterator();
  }
  /// The end of the elements of all units.
  iterator end() const noexcept {
    return _storage ? iterator(internal::SlotCursor::last(_storage->slots())) : iterator();
  }
  /// As begin().
  const_iterator cbegin() const { return begin(); }
  /// As end().
  const_iterator cend() const noexcept { return end(); }
  /// The caller's first element.
  local_iterator lbegin() const noexcept {
    return _storage ? local_iterator::first(_storage->slots()) : local_iterator();
  }
  /// The end of the caller's elements.
  local_iterator lend() const noexcept {
    return _storage ? local_iterator(_storage->slots(), internal::SlotStore::none)
                    : local_iterator();
  }
  /// As lbegin().
  const_local_iterator clbegin() const noexcept { return lbegin(); }
  /// As lend().
  const_local_iterator clend() const noexcept { return lend(); }

  /// Number of elements of all units; other units may change it concurrently.
  /// \cost a few loads for the units of the node, a message for each unit of other nodes
  size_type size() const { return _storage ? _storage->size() : 0; }
  /// Number of elements that the caller owns.
  size_type lsize() const { return _storage ? _storage->size(_team->myid()) : 0; }
  /// Whether no unit has elements. \cost as size()
  bool empty() const { return size() == 0; }
  /// The number of elements that was requested at the allocation, rounded up to a multiple of the number of units. For a
  /// unit with more elements than its part of that number, the number for which it has memory counts instead.
  /// \cost as size()
  size_type capacity() const { return _storage ? internal::capacity_of(*_storage) : 0; }
  /// The caller's part of capacity().
  size_type lcapacity() const {
    return _storage ? internal::capacity_of(*_storage, _team->myid()) : 0;
  }
  /// Maximum number of elements: 2^30 for each unit.
  size_type max_size() const noexcept { return internal::SlotStore::max_slots * _team->size(); }

  /// The unit that owns a key.
  size_type bucket(const key_type& key) const {
    return static_cast<size_type>(location_of(key).unit.id);
  }
  /// Number of units.
  size_type bucket_count() const noexcept { return _team->size(); }
  /// Number of elements of a unit. \cost a message if the unit is on another node
  size_type bucket_size(size_type bucket) const {
    return storage().size(team_unit_t(static_cast<dart_unit_t>(bucket)));
  }
  /// The function that compares keys.
  key_equal key_eq() const { return _equal; }
  /// The hasher. \pre the map is allocated
  hasher hash_function() const { return *_hash; }

  /// Inserts an element unless its key exists.
  /// \returns an iterator to the element with the key, and whether it was inserted
  /// \completion remote: visible to all units
  std::pair<iterator, bool> insert(const value_type& value) {
    const internal::KeyLocation location = location_of(value.first);
    if (is_scattered()) {
      if (iterator found = find_at_other_units(location, value.first); found != end()) {
        return {found, false};
      }
    }
    const auto result = access().insert(location.unit, location.hash, value.first, value.second);
    return {iterator_at(location.unit, result), result.changed};
  }
  /// \overload
  /// The hint has no effect.
  iterator insert(const_iterator /*hint*/, const value_type& value) { return insert(value).first; }
  /// \overload
  /// For a range of elements: faster than inserting them one by one.
  /// \param first, last  pairs of keys and values
  /// \returns the number of inserted elements
  template <std::input_iterator It>
  requires requires(It it) { (*it).second; }
  size_type insert(It first, It last) {
    if constexpr (!std::forward_iterator<It>) {
      const std::vector<std::pair<Key, Mapped>> values(first, last);
      return insert(values.begin(), values.end());
    } else if (is_scattered()) {
      size_type n = 0;
      for (; first != last; ++first) {
        if (insert(value_type((*first).first, (*first).second)).second) ++n;
      }
      return n;
    } else {
      size_type n = 0;
      while (first != last) {
        const auto [next, length] = next_chunk(first, last);
        typename Bulk::PendingInserts inserts;
        bulk().start_inserts(key_locator(), first, length, inserts);
        for (auto& sent : inserts.sent)
          sent.operation.wait();
        n += Bulk::count(inserts);
        first = next;
      }
      return n;
    }
  }
  /// Inserts an element constructed from the arguments; otherwise as insert().
  template <class... Args>
  std::pair<iterator, bool> emplace(Args&&... args) {
    return insert(value_type(std::forward<Args>(args)...));
  }

  /// Starts inserting elements. Elements of units on the caller's node are inserted on return. The
  /// source may be reused on return.
  /// \returns a future of the number of inserted elements; ready when all are visible
  template <std::forward_iterator It>
  Future<size_type> insert_async(It first, It last) {
    if (!Bulk::batches_remote_keys || is_scattered()) return Future<size_type>(insert(first, last));
    const auto inserts = std::make_shared<typename Bulk::PendingInserts>();
    while (first != last) {
      const auto [next, length] = next_chunk(first, last);
      bulk().start_inserts(key_locator(), first, length, *inserts);
      first = next;
    }
    std::vector<exec::Operation> operations;
    for (const auto& sent : inserts->sent)
      operations.push_back(sent.operation);
    return exec::make_future(exec::when_all(operations), exec::Unit{}).then([inserts](exec::Unit) {
      return static_cast<size_type>(Bulk::count(*inserts));
    });
  }
  /// \overload
  /// For one element.
  /// \returns a future of whether it was inserted
  Future<bool> insert_async(const value_type& value) {
    const value_type* const first = &value;
    return insert_async(first, first + 1).then([](size_type n) { return n != 0; });
  }

  /// \returns an iterator to the element with a key; end() if there is no such key
  iterator find(const key_type& key) const {
    const internal::KeyLocation location = location_of(key);
    if (const auto found = access().find(location.unit, location.hash, key)) {
      return iterator_at(location.unit, found);
    }
    return is_scattered() ? find_at_other_units(location, key) : end();
  }
  /// Number of elements with a key: 0 or 1.
  size_type count(const key_type& key) const { return find(key) == end() ? 0 : 1; }
  /// Whether there is an element with a key.
  bool contains(const key_type& key) const { return count(key) != 0; }

  /// Looks up many keys, faster than one by one: writes a std::optional<Mapped> for each to `out`,
  /// in order. Each value is consistent, as of some moment during the call.
  template <std::forward_iterator It, class Out>
  Out find_values(It first, It last, Out out) const {
    constexpr bool in_place = requires {
      requires std::contiguous_iterator<Out>;
      requires std::is_same_v<std::iter_value_t<Out>, std::optional<Mapped>>;
    };
    std::vector<std::optional<Mapped>> found;
    while (first != last) {
      const auto [next, length] = next_chunk(first, last);
      std::optional<Mapped>* values = nullptr;
      if constexpr (in_place) {
        values = std::to_address(out);
        out += static_cast<difference_type>(length);
      } else {
        found.resize(length);
        values = found.data();
      }
      if (is_scattered()) {
        std::transform(first, next, values, [this](const Key& key) { return value_of(key); });
      } else {
        bulk().find(key_locator(), first, length, values);
      }
      if constexpr (!in_place) out = std::copy_n(values, length, out);
      first = next;
    }
    return out;
  }
  /// The value of a key, consistent as of some moment during the call; no value if there is no such
  /// key.
  std::optional<Mapped> value_of(const key_type& key) const {
    const internal::KeyLocation location = location_of(key);
    std::optional<Mapped> value;
    bulk().find_one(location, key, value);
    if (value || !is_scattered()) return value;
    const iterator found = find_at_other_units(location, key);
    if (found != end()) bulk().find_one({found.lpos().unit, location.hash}, key, value);
    return value;
  }

  /// The value of a key; inserts the key if it does not exist.
  mapped_type_reference operator[](const key_type& key) {
    return mapped_at<mapped_type_reference>(insert(value_type(key, Mapped())).first);
  }
  /// The value of a key.
  /// \throws exception::InvalidArgument if there is no such key
  mapped_type_reference at(const key_type& key) {
    const iterator found = find(key);
    if (found == end()) internal::throw_no_such_key();
    return mapped_at<mapped_type_reference>(found);
  }
  /// \overload
  const_mapped_type_reference at(const key_type& key) const {
    const iterator found = find(key);
    if (found == end()) internal::throw_no_such_key();
    return mapped_at<const_mapped_type_reference>(found);
  }

  /// Erases the element with a key.
  /// \returns number of erased elements, 0 or 1
  size_type erase(const key_type& key) {
    const internal::KeyLocation location = location_of(key);
    if (access().erase(location.unit, location.hash, key)) return 1;
    if (!is_scattered()) return 0;
    const iterator found = find_at_other_units(location, key);
    return found != end() && access().erase(found.lpos().unit, location.hash, key) ? 1 : 0;
  }
  /// \returns the element after the erased one
  iterator erase(const_iterator position) {
    iterator next = position;
    ++next;
    const Key key = position->first;
    access().erase(position.lpos().unit, hash_of(key), key);
    return next;
  }
  /// Erases the elements of a range. \returns last
  iterator erase(const_iterator first, const_iterator last) {
    while (first != last)
      first = erase(first);
    return first;
  }
  /// Erases the elements that the caller owns.
  void clear_local() {
    for (local_iterator it = lbegin(); it != lend();) {
      const Key key = (it++)->first;
      access().erase(_team->myid(), hash_of(key), key);
    }
  }
  /// Erases all elements. \collective over the team
  void clear() {
    if (!_storage) return;
    _team->barrier();
    clear_local();
    barrier();
  }

  friend void swap(UnorderedMap& a, UnorderedMap& b) noexcept {
    std::swap(a._team, b._team);
    std::swap(a._hash, b._hash);
    std::swap(a._equal, b._equal);
    std::swap(a._storage, b._storage);
  }

 private:
  friend local_type;
  /// The end of the next chunk of elements that is processed at once, and its size.
  template <class It>
  static std::pair<It, std::size_t> next_chunk(It first, It last) {
    std::size_t n = 0;
    for (; n < Bulk::chunk_size && first != last; ++n)
      ++first;
    return {first, n};
  }

  static Hash make_hash(Team& team) {
    if constexpr (std::is_constructible_v<Hash, Team&>) {
      return Hash(team);
    } else {
      return Hash();
    }
  }

  internal::MapStorage& storage() const {
    if (!_storage) [[unlikely]]
      internal::throw_not_allocated("dash::UnorderedMap");
    return *_storage;
  }
  Access access() const { return Access(storage(), _equal); }
  Bulk bulk() const { return Bulk(storage(), _equal); }

  std::uint64_t hash_of(const Key& key) const {
    return internal::table_hash<Key, Hash, Pred>(*_hash, key);
  }
  internal::KeyLocation location_of(const Key& key) const {
    storage();
    return key_locator()(key);
  }
  auto key_locator() const {
    return [this, nunits = _team->size()](const Key& key) -> internal::KeyLocation {
      const std::uint64_t hash = hash_of(key);
      team_unit_t unit;
      if constexpr (std::is_same_v<Hash, HashUniform<Key>>) {
        unit = _hash->owner(hash);
      } else {
        unit = internal::owner_of_key(*_hash, key);
        if (static_cast<std::size_t>(unit.id) >= nunits) [[unlikely]]
          internal::throw_wrong_owner(unit, nunits);
      }
      return {unit, hash};
    };
  }
  /// Whether keys may be stored at units other than the one that the hasher returns.
  bool is_scattered() const {
    return internal::owner_is_inserter<Hash> || storage().is_scattered();
  }
  /// Searches all units for a key, except the unit that the hasher returns.
  iterator find_at_other_units(const internal::KeyLocation& location, const Key& key) const {
    for (const int unit : *_team) {
      if (unit == location.unit.id) continue;
      if (const auto found = access().find(team_unit_t(unit), location.hash, key)) {
        return iterator_at(team_unit_t(unit), found);
      }
    }
    return end();
  }
  iterator iterator_at(team_unit_t unit, const typename Access::Lookup& found) const noexcept {
    return iterator(internal::SlotCursor(_storage->slots(), unit, found.slot.slot));
  }
  template <class Reference>
  static Reference mapped_at(const iterator& it) {
    const auto mapped = (*it).template get<1>();
    if constexpr (is_atomic<Mapped>::value) {
      return Reference(mapped.dart_gptr());
    } else {
      return {mapped.dart_gptr(), mapped.on_node_address(), mapped.is_local()};
    }
  }

  Team* _team;
  std::optional<Hash> _hash;
  Pred _equal{};
  std::unique_ptr<internal::MapStorage, internal::StorageDeleter<internal::MapStorage>> _storage;
};

}  // namespace dash
