#pragma once

#include <cstddef>

#include "dash/internal/dynamic/ListStorage.h"
#include "dash/list/LocalListIter.h"

namespace dash {

template <class T, class LocalMemSpace>
class List;

/// The elements of a List that the caller owns, as a local list. Never communicates.
/// \threads thread-safe
/// \ingroup containers
template <class T, class LocalMemSpace>
class LocalListRef {
  using End = internal::ListStorage::End;

 public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using iterator = LocalListIter<T>;
  using const_iterator = iterator;
  using reference = T&;
  using const_reference = const T&;

  /// Used by List.
  explicit LocalListRef(List<T, LocalMemSpace>* list) noexcept : _list(list) {}
  // Refers to the list that contains it, so it cannot be copied.
  LocalListRef(const LocalListRef&) = delete;
  LocalListRef& operator=(const LocalListRef&) = delete;

  /// Iterator to the caller's first element.
  iterator begin() const { return _list->lbegin(); }
  /// The end of the caller's elements.
  iterator end() const noexcept { return _list->lend(); }
  /// As begin().
  const_iterator cbegin() const { return begin(); }
  /// As end().
  const_iterator cend() const noexcept { return end(); }
  /// Number of elements of the caller.
  size_type size() const { return _list->lsize(); }
  /// Whether the caller has no elements.
  bool empty() const { return size() == 0; }

  /// The caller's first element.
  /// \pre not empty
  reference front() const { return *begin(); }
  /// The caller's last element.
  /// \pre not empty
  reference back() const { return *--end(); }

  /// Adds an element after the caller's last one.
  void push_back(const T& value) { insert_at({}, value, End::back); }
  /// Adds an element before the caller's first one.
  void push_front(const T& value) { insert_at({}, value, End::front); }
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
  /// Removes the caller's last element. Without effect if the list is empty.
  void pop_back() { _list->storage().pop(me(), End::back); }
  /// Removes the caller's first element. Without effect if the list is empty.
  void pop_front() { _list->storage().pop(me(), End::front); }

  /// Inserts a copy of `value` before `position`.
  /// \returns the new element
  iterator insert(const_iterator position, const T& value) {
    return insert_at(position.cursor().name(), value, End::back);
  }
  /// Erases an element; without effect if already erased.
  /// \returns the element after the erased one
  iterator erase(const_iterator position) {
    iterator next = position;
    ++next;
    _list->storage().erase(me(), position.cursor().name());
    return next;
  }
  /// Erases the elements of [first, last).
  /// \returns last
  iterator erase(const_iterator first, const_iterator last) {
    while (first != last)
      first = erase(first);
    return first;
  }
  /// Erases the caller's elements.
  void clear() { erase(begin(), end()); }

 private:
  team_unit_t me() const noexcept { return _list->team().myid(); }
  iterator insert_at(internal::SlotName before, const T& value, End end) {
    auto& storage = _list->storage();
    return iterator({storage, me(), storage.insert(me(), &value, before, end)});
  }

  List<T, LocalMemSpace>* _list;
};

}  // namespace dash
