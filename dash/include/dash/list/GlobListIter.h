#pragma once

#include <cstddef>
#include <iterator>
#include <utility>

#include "dash/GlobSharedRef.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/internal/Unit.h"
#include "dash/internal/dynamic/ListStorage.h"

namespace dash {

/// Iterates over the elements of a List, unit by unit.
///
/// Valid until the barrier after its element is erased: until then, incrementing it still leads to
/// the following elements.
/// \cost of an increment: between nodes, two gets
/// \ingroup iterators
template <class T>
class GlobListIter {
 public:
  using iterator_category = std::bidirectional_iterator_tag;
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using index_type = std::ptrdiff_t;
  using reference = GlobSharedRef<T>;
  using const_reference = GlobSharedRef<const T>;
  using pointer = GlobListIter;
  using local_pointer = T*;
  /// A unit and the index of an element in the unit's list.
  struct local_index {
    /// The unit that owns the element, relative to the team of the list.
    team_unit_t unit;
    /// Number of elements that precede it in the unit's list.
    index_type index;
  };

  /// A singular iterator, which can only be assigned to.
  GlobListIter() noexcept = default;
  /// Used by List.
  explicit GlobListIter(const internal::ListCursor& cursor) noexcept : _cursor(cursor) {}

  /// A reference to the element.
  reference operator*() const {
    return {_cursor.value_gptr(), reinterpret_cast<T*>(_cursor.value_on_node()), is_local()};
  }
  /// Global pointer to the element.
  dart_gptr_t dart_gptr() const { return _cursor.value_gptr(); }
  /// Whether the element is local to the caller.
  bool is_local() const noexcept { return _cursor.unit() == _cursor.list().team().myid(); }
  /// Native pointer if the element is local to the caller, otherwise nullptr.
  T* local() const noexcept {
    return is_local() ? reinterpret_cast<T*>(_cursor.value_on_node()) : nullptr;
  }
  /// The unit that owns the element, and its index in the unit's list. \cost linear in the index
  local_index lpos() const {
    internal::ListCursor cursor = _cursor;
    index_type n = 0;
    while (cursor.step(internal::ListStorage::End::front))
      ++n;
    return {_cursor.unit(), n};
  }
  /// The number of elements that precede it. \cost linear in the result
  index_type pos() const { return count(internal::ListCursor::first(_cursor.list()), _cursor); }
  /// As pos().
  index_type gpos() const { return pos(); }

  /// Advances to the next element, which may be at a later unit.
  GlobListIter& operator++() {
    _cursor.next();
    return *this;
  }
  /// Advances to the next element.
  /// \returns the iterator before the call
  GlobListIter operator++(int) {
    GlobListIter before = *this;
    _cursor.next();
    return before;
  }
  /// Goes back to the previous element, which may be at an earlier unit.
  GlobListIter& operator--() {
    _cursor.previous();
    return *this;
  }
  /// Goes back to the previous element.
  /// \returns the iterator before the call
  GlobListIter operator--(int) {
    GlobListIter before = *this;
    _cursor.previous();
    return before;
  }
  /// \name Steps of any length \cost linear in the number of elements passed
  /// @{

  /// Advances by n elements.
  GlobListIter& operator+=(difference_type n) {
    for (; n > 0; --n)
      _cursor.next();
    for (; n < 0; ++n)
      _cursor.previous();
    return *this;
  }
  /// Goes back by n elements.
  GlobListIter& operator-=(difference_type n) { return *this += -n; }
  friend GlobListIter operator+(GlobListIter it, difference_type n) { return it += n; }
  friend GlobListIter operator-(GlobListIter it, difference_type n) { return it -= n; }
  /// The number of increments from b to a. \pre a is not before b
  friend difference_type operator-(const GlobListIter& a, const GlobListIter& b) {
    return count(b._cursor, a._cursor);
  }
  /// @}

  friend bool operator==(const GlobListIter& a, const GlobListIter& b) noexcept {
    return a._cursor == b._cursor;
  }

  /// Used by List: the position of the iterator.
  const internal::ListCursor& cursor() const noexcept { return _cursor; }

 private:
  static difference_type count(internal::ListCursor first, const internal::ListCursor& last) {
    difference_type n = 0;
    for (; !(first == last); first.next())
      ++n;
    return n;
  }

  internal::ListCursor _cursor;
};

/// The number of increments from first to last.
/// \pre last is not before first
/// \cost linear in the result
/// \ingroup iterators
template <class T>
std::ptrdiff_t distance(const GlobListIter<T>& first, const GlobListIter<T>& last) {
  return last - first;
}

}  // namespace dash
