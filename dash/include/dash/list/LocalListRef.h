#pragma once

#include <cstddef>

#include "dash/internal/dynamic/ListStorage.h"
#include "dash/list/LocalListIter.h"

namespace dash {

template <class T, class LocalMemSpace>
class List;

/// The elements of a List that the caller owns, as a local list. Never communicates.
/// \threads thread-safe
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

  explicit LocalListRef(List<T, LocalMemSpace>* list) noexcept : _list(list) {}
  // Refers to the list that contains it, so it cannot be copied.
  LocalListRef(const LocalListRef&) = delete;
  LocalListRef& operator=(const LocalListRef&) = delete;

  iterator begin() const { return _list->lbegin(); }
  iterator end() const noexcept { return _list->lend(); }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const noexcept { return end(); }
  size_type size() const { return _list->lsize(); }
  bool empty() const { return size() == 0; }

  /// \pre not empty
  reference front() const { return *begin(); }
  reference back() const { return *--end(); }

  void push_back(const T& value) { insert_at({}, value, End::back); }
  void push_front(const T& value) { insert_at({}, value, End::front); }
  template <class... Args>
  void emplace_back(Args&&... args) {
    push_back(T(std::forward<Args>(args)...));
  }
  template <class... Args>
  void emplace_front(Args&&... args) {
    push_front(T(std::forward<Args>(args)...));
  }
  /// Without effect if the list is empty.
  void pop_back() { _list->storage().pop(me(), End::back); }
  void pop_front() { _list->storage().pop(me(), End::front); }

  /// \returns the new element, before `position`
  iterator insert(const_iterator position, const T& value) {
    return insert_at(position.cursor().name(), value, End::back);
  }
  /// \returns the element after the erased one
  iterator erase(const_iterator position) {
    iterator next = position;
    ++next;
    _list->storage().erase(me(), position.cursor().name());
    return next;
  }
  iterator erase(const_iterator first, const_iterator last) {
    while (first != last)
      first = erase(first);
    return first;
  }
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
