#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "dash/GlobSharedRef.h"
#include "dash/Team.h"
#include "dash/Types.h"
#include "dash/internal/container/ContainerStorage.h"
#include "dash/internal/dynamic/ListStorage.h"
#include "dash/internal/team/Collective.h"
#include "dash/list/GlobListIter.h"
#include "dash/list/LocalListIter.h"
#include "dash/list/LocalListRef.h"
#include "dash/memory/MemorySpace.h"

namespace dash {

/// A doubly linked list that concatenates one list per unit of a team: first the elements of unit
/// 0, then those of unit 1, and so on.
///
/// Any unit can insert and erase elements anywhere at any time, without participation of the owner,
/// and while other units iterate over the list. All units see the change immediately. `local` is
/// the caller's own list; inserting there needs no communication. Elements do not move. Memory of
/// erased elements is reused after the next barrier(). An insertion at another node of an element
/// of nearly 4 KiB or more makes the element visible before all of it is written: until the
/// insertion returns, other units may read it partially.
/// \threads thread-safe, except for construction, allocation, clear(), resize(), barrier(), move,
///          swap() and destruction
/// \cost within a node, a few instructions per operation, under a lock of the unit's list; between
///         nodes, a message and its reply
/// \ingroup containers
template <class T, class LocalMemSpace = HostSpace>
class List {
  static_assert(internal::ContainerElement<T>::value);
  using End = internal::ListStorage::End;

 public:
  using value_type = T;
  using index_type = default_index_t;
  using size_type = default_size_t;
  using difference_type = default_index_t;
  using iterator = GlobListIter<T>;
  using const_iterator = iterator;
  using local_iterator = LocalListIter<T>;
  /// As local_iterator.
  using const_local_iterator = local_iterator;
  using reference = GlobSharedRef<T>;
  using const_reference = GlobSharedRef<const T>;
  using local_pointer = T*;
  using local_type = LocalListRef<T, LocalMemSpace>;

  /// The caller's elements.
  local_type local{this};

  /// Creates an empty list.
  /// \param nelem  total number of elements for which memory is allocated initially
  /// \collective over the team, unless the library is not initialized; then call allocate() later
  explicit List(size_type nelem = 0, Team& team = Team::All()) : List(nelem, 0, team) {}
  /// \overload
  /// \param nelem       total number of elements for which memory is allocated initially
  /// \param nlocal_buf  the same for each unit; the larger of the two requirements applies
  List(size_type nelem, size_type nlocal_buf, Team& team = Team::All()) : _team(&team) {
    if (team.size() != 0) allocate(nelem, nlocal_buf, team);
  }
  /// Creates an empty list.
  /// \collective over the team, unless the library is not initialized; then call allocate() later
  explicit List(Team& team) : List(0, 0, team) {}

  List(const List&) = delete;
  List& operator=(const List&) = delete;
  /// Takes over the elements; `other` is not allocated afterwards.
  List(List&& other) noexcept : _team(other._team), _storage(std::move(other._storage)) {}
  /// Frees the memory of this list, then takes over the elements of `other`.
  /// \collective over the team of this list, if it is allocated
  List& operator=(List&& other) noexcept {
    _team = other._team;
    _storage = std::move(other._storage);
    return *this;
  }
  /// Frees the memory.
  /// \collective over the team, if allocated
  ~List() = default;

  /// Allocates an empty list, after a deallocation if necessary. See the constructor for the
  /// arguments.
  /// \returns true
  /// \collective over the team  \throws exception::RuntimeError on all units if one lacks memory,
  ///         exception::InvalidArgument for more than 2^30 elements of a unit
  bool allocate(size_type nelem = 0, size_type nlocal_buf = 0, Team& team = Team::All()) {
    deallocate();
    Team& owner = _team->is_null() ? team : *_team;
    _team = &owner;
    const size_type each = (nelem + owner.size() - 1) / std::max<size_type>(owner.size(), 1);
    _storage.reset(
        new internal::ListStorage(sizeof(T), alignof(T), std::max(each, nlocal_buf), owner));
    return true;
  }
  /// \overload
  bool allocate(size_type nelem, Team& team) { return allocate(nelem, 0, team); }
  /// Waits for all units, then frees the memory; without effect if not allocated.
  /// \collective over the team, if allocated
  void deallocate() { _storage.reset(); }

  /// The team whose units own the elements.
  Team& team() const noexcept { return *_team; }
  /// Completes the caller's operations and waits for all units. Memory of erased elements may be
  /// reused afterwards. No other thread of the unit may use the list during the call.
  /// \collective over the team
  void barrier() {
    if (_storage) _storage->barrier();
  }

  /// Iterator to the first element of all units.
  iterator begin() const {
    return _storage ? iterator(internal::ListCursor::first(*_storage)) : iterator();
  }
  /// The end of the elements of all units.
  iterator end() const noexcept {
    return _storage ? iterator(internal::ListCursor::last(*_storage)) : iterator();
  }
  /// As begin().
  const_iterator cbegin() const { return begin(); }
  /// As end().
  const_iterator cend() const noexcept { return end(); }
  /// Iterator to the caller's first element.
  local_iterator lbegin() const {
    if (!_storage) return {};
    const team_unit_t me = _team->myid();
    return local_iterator({*_storage, me, _storage->end_of(me, End::front)});
  }
  /// The end of the caller's elements.
  local_iterator lend() const noexcept {
    return _storage ? local_iterator({*_storage, _team->myid(), {}}) : local_iterator();
  }

  /// Number of elements of all units. \cost a message for each unit of another node
  size_type size() const { return _storage ? _storage->size() : 0; }
  /// Number of elements of the caller.
  size_type lsize() const { return _storage ? _storage->size(_team->myid()) : 0; }
  /// Whether no unit has elements.
  /// \cost as size()
  bool empty() const { return size() == 0; }
  /// The number of elements that was requested at the allocation, rounded up to a multiple of the number of units. For a
  /// unit with more elements than its part of that number, the number for which it has memory counts instead.
  /// \cost as size()
  size_type capacity() const { return _storage ? internal::capacity_of(*_storage) : 0; }
  /// The caller's part of capacity().
  size_type lcapacity() const {
    return _storage ? internal::capacity_of(*_storage, _team->myid()) : 0;
  }
  /// The largest number of elements that the units of the team can store.
  size_type max_size() const noexcept { return internal::SlotStore::max_slots * _team->size(); }

  /// The first element of all units.
  /// \pre not empty
  reference front() const { return *begin(); }
  /// The last element of all units.
  /// \pre not empty
  reference back() const { return *--end(); }

  /// Adds an element after the last one, at the last unit.
  /// \completion remote: visible to all units
  void push_back(const T& value) { insert_at(last_unit(), {}, value, End::back); }
  /// Adds an element before the first one, at unit 0.
  /// \completion remote: visible to all units
  void push_front(const T& value) { insert_at(team_unit_t(0), {}, value, End::front); }
  /// As push_back(), with an element constructed from the arguments.
  template <class... Args>
  void emplace_back(Args&&... args) {
    push_back(T(std::forward<Args>(args)...));
  }
  /// As push_front(), with an element constructed from the arguments.
  template <class... Args>
  void emplace_front(Args&&... args) {
    push_front(T(std::forward<Args>(args)...));
  }
  /// Removes the last element; without effect if the list is empty. Concurrent calls remove
  /// different elements.
  void pop_back() {
    for (int unit = last_unit().id; unit >= 0; --unit) {
      if (storage().pop(team_unit_t(unit), End::back)) return;
    }
  }
  /// Removes the first element; without effect if the list is empty. Concurrent calls remove
  /// different elements.
  void pop_front() {
    for (const int unit : *_team) {
      if (storage().pop(team_unit_t(unit), End::front)) return;
    }
  }

  /// Inserts before `position`, at the unit that owns the element at `position`.
  /// \returns the new element
  /// \throws exception::InvalidArgument if the element at `position` was erased before the last
  ///         barrier
  iterator insert(const_iterator position, const T& value) {
    if (position == end()) return insert_at(last_unit(), {}, value, End::back);
    const internal::ListCursor& cursor = position.cursor();
    return insert_at(cursor.unit(), cursor.name(), value, End::back);
  }
  /// Inserts the elements of [first, last) before `position`, one by one.
  /// \returns the first new element; `position` if there is none
  template <class It>
  iterator insert(const_iterator position, It first, It last) requires(requires { *first; }) {
    iterator inserted = position;
    for (bool is_first = true; first != last; ++first, is_first = false) {
      const iterator it = insert(position, *first);
      if (is_first) inserted = it;
    }
    return inserted;
  }
  /// Erases an element; without effect if already erased.
  /// \returns the element after the erased one
  iterator erase(const_iterator position) {
    iterator next = position;
    ++next;
    storage().erase(position.cursor().unit(), position.cursor().name());
    return next;
  }
  /// Erases the elements of [first, last).
  /// \returns last
  iterator erase(const_iterator first, const_iterator last) {
    while (first != last)
      first = erase(first);
    return first;
  }
  /// Erases all elements. \collective over the team
  void clear() { resize(0); }
  /// Removes the last elements, or adds copies of `value` at the end.
  /// \param nelem  the same on all units
  /// \collective over the team  \blocks until all units have called it
  void resize(size_type nelem, const T& value = T{}) {
    if (!_storage) internal::throw_not_allocated("dash::List");
    barrier();
    const size_type mine = lsize();
    const internal::Gathered<size_type> sizes(&mine, *_team);
    size_type before = 0;
    size_type all = 0;
    for (std::size_t unit = 0; unit < sizes.size(); ++unit) {
      if (unit < static_cast<std::size_t>(_team->myid().id)) before += sizes[unit];
      all += sizes[unit];
    }
    const size_type kept = nelem < before ? 0 : std::min(mine, nelem - before);
    internal::Call(*_team, "dash::List::resize").run([&] {
      for (size_type i = mine; i > kept; --i)
        local.pop_back();
      for (size_type i = all; i < nelem && _team->myid() == last_unit(); ++i)
        local.push_back(value);
    });
    barrier();
  }

  friend void swap(List& a, List& b) noexcept {
    std::swap(a._team, b._team);
    std::swap(a._storage, b._storage);
  }

 private:
  friend local_type;

  internal::ListStorage& storage() const {
    if (!_storage) [[unlikely]]
      internal::throw_not_allocated("dash::List");
    return *_storage;
  }
  team_unit_t last_unit() const noexcept {
    return team_unit_t(static_cast<dart_unit_t>(_team->size()) - 1);
  }
  iterator insert_at(team_unit_t unit, internal::SlotName before, const T& value, End end) {
    return iterator({storage(), unit, storage().insert(unit, &value, before, end)});
  }

  Team* _team;
  std::unique_ptr<internal::ListStorage, internal::StorageDeleter<internal::ListStorage>> _storage;
};

}  // namespace dash
