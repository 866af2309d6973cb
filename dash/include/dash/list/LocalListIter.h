#pragma once

#include <cstddef>
#include <iterator>

#include "dash/internal/dynamic/ListStorage.h"

namespace dash {

/// Iterates over the elements of a List that the caller owns. They are native memory and do not
/// move.
/// \ingroup iterators
template <class T>
class LocalListIter {
 public:
  using iterator_category = std::bidirectional_iterator_tag;
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using index_type = std::ptrdiff_t;
  using reference = T&;
  using pointer = T*;

  /// A singular iterator, which can only be assigned to.
  LocalListIter() noexcept = default;
  /// Used by List.
  /// \param cursor  position in the caller's list; at the end, its slot name is empty
  explicit LocalListIter(const internal::ListCursor& cursor) noexcept : _cursor(cursor) {}

  /// The element.
  reference operator*() const noexcept { return *local(); }
  /// Access to a member of the element.
  pointer operator->() const noexcept { return local(); }
  /// Native pointer to the element.
  pointer local() const noexcept { return reinterpret_cast<T*>(_cursor.value_on_node()); }
  /// As local().
  explicit operator pointer() const noexcept { return local(); }
  /// Global pointer to the element.
  dart_gptr_t dart_gptr() const { return _cursor.value_gptr(); }

  /// Advances to the caller's next element.
  LocalListIter& operator++() {
    _cursor.step(internal::ListStorage::End::back);
    return *this;
  }
  /// Advances to the caller's next element.
  /// \returns the iterator before the call
  LocalListIter operator++(int) {
    LocalListIter before = *this;
    ++*this;
    return before;
  }
  /// Goes back to the caller's previous element.
  LocalListIter& operator--() {
    using End = internal::ListStorage::End;
    if (_cursor.name()) {
      _cursor.step(End::front);
    } else {
      _cursor = internal::ListCursor(_cursor.list(), _cursor.unit(),
                                     _cursor.list().end_of(_cursor.unit(), End::back));
    }
    return *this;
  }
  /// Goes back to the caller's previous element.
  /// \returns the iterator before the call
  LocalListIter operator--(int) {
    LocalListIter before = *this;
    --*this;
    return before;
  }

  /// The iterator after n elements, or before -n.
  /// \cost proportional to the distance
  friend LocalListIter operator+(LocalListIter it, difference_type n) {
    for (; n > 0; --n)
      ++it;
    for (; n < 0; ++n)
      --it;
    return it;
  }
  /// \overload
  friend LocalListIter operator-(const LocalListIter& it, difference_type n) { return it + -n; }

  friend bool operator==(const LocalListIter& a, const LocalListIter& b) noexcept {
    return a._cursor == b._cursor;
  }

  /// Used by List: the position of the iterator.
  const internal::ListCursor& cursor() const noexcept { return _cursor; }

 private:
  internal::ListCursor _cursor;
};

}  // namespace dash
