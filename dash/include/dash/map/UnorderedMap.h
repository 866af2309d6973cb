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

/// A hash table whose elements are distributed among the units of a team: the hasher says which unit
/// owns a key.
///
/// Any unit inserts, finds and erases at any time, whoever owns the key, without the owner taking part
/// in it, and while the table grows; what has been inserted is visible to all units at once. Elements
/// do not move: references and iterators are valid until their element is erased. barrier() gives back
/// memory that growth has left. Of elements of more than 3 KiB an insertion at another node writes the
/// rest when the key is visible already: until it returns others may read them in part, and must not
/// erase them.
///
/// \tparam Hash  says by hasher(key) which unit owns the key: a function of the key alone, as
///               HashUniform is; or HashLocal, whose answer is whoever asks. Then, and for keys that
///               `local` was given, other units look everywhere. Is made from the team, if it can be
/// \tparam Pred  says which keys are equal. Tables are searched by std::hash, or the bytes of keys that
///               have none, if Pred is std::equal_to; by the hasher's member hash_value(key), if it has
///               one; else one after the other
/// \threads any, but for construction, allocation, barrier() and destruction
/// \cost on a node an operation takes a cache miss or two; between nodes a message and its answer
template <class Key, class Mapped, class Hash = HashLocal<Key>, class Pred = std::equal_to<Key>,
          class LocalMemSpace = HostSpace>
class UnorderedMap {
  static_assert(internal::require_container_compatible<Key>());
  static_assert(internal::require_container_compatible<Mapped>());
  using Access = internal::MapAccess<Key, Mapped, Pred>;
  using Bulk = internal::MapBulk<Key, Mapped, Pred>;
  using Element = internal::MapElement<Key, Mapped>;

 public:
  using key_type = Key;
  using mapped_type = Mapped;
  using hasher = Hash;
  using key_equal = Pred;
  using value_type = std::pair<const Key, Mapped>;
  using index_type = default_index_t;
  using difference_type = default_index_t;
  using size_type = default_size_t;
  using iterator = UnorderedMapGlobIter<Key, Mapped>;
  using const_iterator = iterator;
  using local_iterator = UnorderedMapLocalIter<Key, Mapped>;
  using const_local_iterator = local_iterator;
  using reference = typename iterator::reference;
  using const_reference = typename iterator::const_reference;
  /// Of an Atomic, what GlobRef<Atomic<T>> is: `map[key].add(1)` by any number of units loses nothing.
  using mapped_type_reference =
      std::conditional_t<is_atomic<Mapped>::value, GlobRef<Mapped>, GlobSharedRef<Mapped>>;
  using const_mapped_type_reference =
      std::conditional_t<is_atomic<Mapped>::value, GlobRef<const Mapped>,
                         GlobSharedRef<const Mapped>>;
  using local_type = UnorderedMapLocalRef<Key, Mapped, Hash, Pred, LocalMemSpace>;
  using memory_type = internal::MapStorage;
  using glob_mem_type = memory_type;

  /// The caller's own elements.
  local_type local{this};

  /// \param nelem       elements of all units for which there is to be memory from the beginning
  /// \param nlocal_buf  the same of each unit; of several numbers the largest counts
  /// \collective over the team, unless the library is not initialised: then allocate() does it
  explicit UnorderedMap(size_type nelem = 0, Team& team = Team::All())
      : UnorderedMap(nelem, 0, team) {}
  UnorderedMap(size_type nelem, size_type nlocal_buf, Team& team = Team::All()) : _team(&team) {
    if (team.size() != 0) allocate(nelem, nlocal_buf, team);
  }
  explicit UnorderedMap(Team& team) : UnorderedMap(0, 0, team) {}

  UnorderedMap(const UnorderedMap&) = delete;
  UnorderedMap& operator=(const UnorderedMap&) = delete;
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

  /// \collective over the team  \blocks until all units have called it
  /// \throws exception::RuntimeError on all units if one lacks the memory,
  ///         exception::InvalidArgument for more than 2^30 elements of a unit to begin with
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
  bool allocate(size_type nelem, Team& team) { return allocate(nelem, 0, team); }
  /// \collective over the team, if allocated
  void deallocate() { _storage.reset(); }

  Team& team() const noexcept { return *_team; }
  const memory_type& globmem() const { return storage(); }
  /// Completes the caller's operations, waits for all units, and gives back memory that growth has
  /// left. No other thread of the unit may use the map meanwhile.
  /// \collective over the team
  void barrier() {
    if (_storage) _storage->barrier();
  }

  iterator begin() const {
    return _storage ? iterator(internal::SlotCursor::first(_storage->slots())) : iterator();
  }
  iterator end() const noexcept {
    return _storage ? iterator(internal::SlotCursor::last(_storage->slots())) : iterator();
  }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const noexcept { return end(); }
  local_iterator lbegin() const noexcept {
    return _storage ? local_iterator::first(_storage->slots()) : local_iterator();
  }
  local_iterator lend() const noexcept {
    return _storage ? local_iterator(_storage->slots(), internal::SlotStore::none)
                    : local_iterator();
  }
  const_local_iterator clbegin() const noexcept { return lbegin(); }
  const_local_iterator clend() const noexcept { return lend(); }

  /// Elements of all units, of which others may change the number meanwhile.
  /// \cost some words of the units of the node, a message for each unit of other nodes
  size_type size() const { return _storage ? _storage->size() : 0; }
  size_type lsize() const { return _storage ? _storage->size(_team->myid()) : 0; }
  bool empty() const { return size() == 0; }
  /// Elements for which there is memory.
  size_type capacity() const { return _storage ? _storage->slots().capacity() : 0; }
  size_type lcapacity() const { return _storage ? _storage->slots().capacity(_team->myid()) : 0; }
  size_type max_size() const noexcept { return internal::SlotStore::max_slots * _team->size(); }

  /// The unit that owns a key, and elements of a unit.
  size_type bucket(const key_type& key) const {
    return static_cast<size_type>(place_of(key).unit.id);
  }
  size_type bucket_count() const noexcept { return _team->size(); }
  size_type bucket_size(size_type bucket) const {
    return storage().size(team_unit_t(static_cast<dart_unit_t>(bucket)));
  }
  key_equal key_eq() const { return _equal; }
  hasher hash_function() const { return *_hash; }

  /// Inserts an element, unless its key is there.
  /// \returns where the element with the key is, and whether it was inserted
  /// \completion remote: visible to all units
  std::pair<iterator, bool> insert(const value_type& value) {
    const internal::MapKeyPlace place = place_of(value.first);
    if (is_scattered()) {
      if (iterator found = find_elsewhere(place, value.first); found != end()) {
        return {found, false};
      }
    }
    const auto result = access().insert(place.unit, place.hash, value.first, value.second);
    return {iterator_at(place.unit, result), result.changed};
  }
  iterator insert(const_iterator /*hint*/, const value_type& value) { return insert(value).first; }
  /// Inserts what is not there yet: faster than one by one.
  /// \param first, last  pairs of keys and values, at least a forward range
  /// \returns how many were inserted
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
        const auto [next, length] = advanced(first, last);
        typename Bulk::Inserts inserts;
        bulk().start_inserts(key_places(), first, length, inserts);
        for (auto& sent : inserts.sent)
          sent.operation.wait();
        n += Bulk::count(inserts);
        first = next;
      }
      return n;
    }
  }
  template <class... Args>
  std::pair<iterator, bool> emplace(Args&&... args) {
    return insert(value_type(std::forward<Args>(args)...));
  }

  /// Starts to insert elements. Those of the node are inserted on return; the source may be reused.
  /// \returns ready when all are visible; how many were inserted
  template <std::forward_iterator It>
  Future<size_type> insert_async(It first, It last) {
    if (!Bulk::gathers || is_scattered()) return Future<size_type>(insert(first, last));
    const auto inserts = std::make_shared<typename Bulk::Inserts>();
    while (first != last) {
      const auto [next, length] = advanced(first, last);
      bulk().start_inserts(key_places(), first, length, *inserts);
      first = next;
    }
    std::vector<exec::Operation> operations;
    for (const auto& sent : inserts->sent)
      operations.push_back(sent.operation);
    return exec::make_future(exec::when_all(operations), exec::Unit{}).then([inserts](exec::Unit) {
      return static_cast<size_type>(Bulk::count(*inserts));
    });
  }
  /// The same for one element: whether it was inserted.
  Future<bool> insert_async(const value_type& value) {
    const value_type* const first = &value;
    return insert_async(first, first + 1).then([](size_type n) { return n != 0; });
  }

  /// \returns end() if there is no such key
  iterator find(const key_type& key) const {
    const internal::MapKeyPlace place = place_of(key);
    if (const auto found = access().find(place.unit, place.hash, key)) {
      return iterator_at(place.unit, found);
    }
    return is_scattered() ? find_elsewhere(place, key) : end();
  }
  size_type count(const key_type& key) const { return find(key) == end() ? 0 : 1; }
  bool contains(const key_type& key) const { return count(key) != 0; }

  /// The values of many keys, faster than one by one: writes a std::optional<Mapped> for each to
  /// `out`, in their order. Each is as it was at one moment.
  template <std::forward_iterator It, class Out>
  Out find_values(It first, It last, Out out) const {
    constexpr bool in_place = requires {
      requires std::contiguous_iterator<Out>;
      requires std::is_same_v<std::iter_value_t<Out>, std::optional<Mapped>>;
    };
    std::vector<std::optional<Mapped>> found;
    while (first != last) {
      const auto [next, length] = advanced(first, last);
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
        bulk().find(key_places(), first, length, values);
      }
      if constexpr (!in_place) out = std::copy_n(values, length, out);
      first = next;
    }
    return out;
  }
  /// The value of a key, as it was at one moment; none if there is no such key.
  std::optional<Mapped> value_of(const key_type& key) const {
    const internal::MapKeyPlace place = place_of(key);
    std::optional<Mapped> value;
    bulk().find_one(place, key, value);
    if (value || !is_scattered()) return value;
    const iterator found = find_elsewhere(place, key);
    if (found != end()) bulk().find_one({found.lpos().unit, place.hash}, key, value);
    return value;
  }

  /// The value of a key, which is inserted if it is not there.
  mapped_type_reference operator[](const key_type& key) {
    return mapped_at<mapped_type_reference>(insert(value_type(key, Mapped())).first);
  }
  /// \throws exception::InvalidArgument if there is no such key
  mapped_type_reference at(const key_type& key) {
    const iterator found = find(key);
    if (found == end()) internal::throw_no_such_key();
    return mapped_at<mapped_type_reference>(found);
  }
  const_mapped_type_reference at(const key_type& key) const {
    const iterator found = find(key);
    if (found == end()) internal::throw_no_such_key();
    return mapped_at<const_mapped_type_reference>(found);
  }

  /// \returns elements erased, 0 or 1
  size_type erase(const key_type& key) {
    const internal::MapKeyPlace place = place_of(key);
    if (access().erase(place.unit, place.hash, key)) return 1;
    if (!is_scattered()) return 0;
    const iterator found = find_elsewhere(place, key);
    return found != end() && access().erase(found.lpos().unit, place.hash, key) ? 1 : 0;
  }
  /// \returns the element behind the erased one
  iterator erase(const_iterator position) {
    iterator next = position;
    ++next;
    const Key key = position->first;
    access().erase(position.lpos().unit, hash_of(key), key);
    return next;
  }
  iterator erase(const_iterator first, const_iterator last) {
    while (first != last)
      first = erase(first);
    return first;
  }
  /// Erases what the caller owns.
  void clear_local() {
    for (local_iterator it = lbegin(); it != lend();) {
      const Key key = (it++)->first;
      access().erase(_team->myid(), hash_of(key), key);
    }
  }
  /// Erases everything. \collective over the team
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
  /// The end of what is dealt with together, and how many that are.
  template <class It>
  static std::pair<It, std::size_t> advanced(It first, It last) {
    std::size_t n = 0;
    for (; n < Bulk::at_a_time && first != last; ++n)
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
  internal::MapKeyPlace place_of(const Key& key) const {
    storage();
    return key_places()(key);
  }
  auto key_places() const {
    return [this, nunits = _team->size()](const Key& key) -> internal::MapKeyPlace {
      const std::uint64_t hash = hash_of(key);
      team_unit_t unit;
      if constexpr (std::is_same_v<Hash, HashUniform<Key>>) {
        unit = _hash->owner(hash);
      } else {
        unit = (*_hash)(key);
        if (static_cast<std::size_t>(unit.id) >= nunits) [[unlikely]]
          internal::throw_wrong_owner(unit, nunits);
      }
      return {unit, hash};
    };
  }
  /// Whether keys may be with others than the hasher says.
  bool is_scattered() const {
    return internal::owns_what_it_inserts<Hash> || storage().is_scattered();
  }
  /// Looks for a key at all units but the one that the hasher says.
  iterator find_elsewhere(const internal::MapKeyPlace& place, const Key& key) const {
    for (const int unit : *_team) {
      if (unit == place.unit.id) continue;
      if (const auto found = access().find(team_unit_t(unit), place.hash, key)) {
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
