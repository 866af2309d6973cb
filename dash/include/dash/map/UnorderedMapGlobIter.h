#pragma once

#include <compare>
#include <cstddef>
#include <iterator>
#include <utility>

#include "dash/GlobPtr.h"
#include "dash/GlobSharedRef.h"
#include "dash/internal/dynamic/MapStorage.h"
#include "dash/internal/dynamic/SlotCursor.h"

namespace dash {

/// Iterates over the elements of an UnorderedMap, unit by unit.
///
/// Valid until its element is erased. Elements that are inserted or erased during the iteration may
/// or may not be visited. Between nodes, `it->` accesses a copy that was fetched when the iterator
/// reached the element; `*it` reads the element again.
/// \cost of an increment: within a node, memory accesses only; between nodes, one get for several
///         hundred elements
/// \ingroup iterators
template <class Key, class Mapped>
class UnorderedMapGlobIter {
  using Element = internal::MapElement<Key, Mapped>;

 public:
  using iterator_category = std::bidirectional_iterator_tag;
  using value_type = std::pair<const Key, Mapped>;
  using difference_type = std::ptrdiff_t;
  using index_type = std::ptrdiff_t;
  using reference = GlobSharedRef<value_type>;
  using const_reference = GlobSharedRef<const value_type>;
  using local_pointer = value_type*;

  /// The result of operator->: holds a copy of the element.
  class pointer {
   public:
    /// Used by the library.
    explicit pointer(value_type value) : _value(std::move(value)) {}
    /// A pointer to the copy, valid as long as this object.
    const value_type* operator->() const noexcept { return &_value; }

   private:
    value_type _value;
  };

  /// The unit that owns an element, and the number of its slot there.
  struct local_index {
    team_unit_t unit;  ///< owner
    index_type index;  ///< number of the slot
  };

  UnorderedMapGlobIter() noexcept = default;
  /// Used by the library.
  explicit UnorderedMapGlobIter(internal::SlotCursor cursor) noexcept
      : _cursor(std::move(cursor)) {}

  /// A reference to the element.
  /// \pre not the end
  reference operator*() const {
    return {dart_gptr(), reinterpret_cast<value_type*>(_cursor.content_on_node()), is_local()};
  }
  /// A copy of the element.
  /// \pre not the end
  pointer operator->() const {
    // A copy, because other units may erase the element and reuse its memory.
    Element copy;
    internal::load_racing_words(copy.words, _cursor.content(), Element::nwords);
    return pointer(internal::ElementBytes<value_type>::read(copy.words));
  }

  /// The element's address in the C interface.
  /// \pre not the end
  dart_gptr_t dart_gptr() const {
    return _cursor.slots().content_gptr(_cursor.unit(), _cursor.slot());
  }
  /// Whether the caller owns the element.
  bool is_local() const noexcept { return _cursor.unit() == _cursor.slots().team().myid(); }
  /// Native pointer if the element is local to the caller, otherwise nullptr.
  value_type* local() const noexcept {
    return is_local() ? reinterpret_cast<value_type*>(_cursor.content_on_node()) : nullptr;
  }
  /// The unit that owns the element, and the number of its slot there, which does not change until
  /// it is erased.
  local_index lpos() const noexcept { return {_cursor.unit(), _cursor.slot()}; }
  /// The number of elements that precede it. \cost linear in the result
  index_type pos() const { return count(internal::SlotCursor::first(_cursor.slots()), _cursor); }
  /// The same as pos().
  index_type gpos() const { return pos(); }

  /// Moves to the next element.
  UnorderedMapGlobIter& operator++() {
    _cursor.next();
    return *this;
  }
  /// Moves to the next element; returns the previous value.
  UnorderedMapGlobIter operator++(int) {
    UnorderedMapGlobIter before = *this;
    _cursor.next();
    return before;
  }
  /// Moves to the previous element.
  /// \pre there is such an element
  UnorderedMapGlobIter& operator--() {
    _cursor.previous();
    return *this;
  }
  /// Moves to the previous element; returns the previous value.
  /// \pre there is such an element
  UnorderedMapGlobIter operator--(int) {
    UnorderedMapGlobIter before = *this;
    _cursor.previous();
    return before;
  }

  /// \name Steps of any length
  /// \cost linear in the number of elements passed
  /// @{

  /// Moves forward by n elements, or back if n is negative.
  UnorderedMapGlobIter& operator+=(difference_type n) {
    for (; n > 0; --n)
      _cursor.next();
    for (; n < 0; ++n)
      _cursor.previous();
    return *this;
  }
  /// Moves back by n elements, or forward if n is negative.
  UnorderedMapGlobIter& operator-=(difference_type n) { return *this += -n; }
  friend UnorderedMapGlobIter operator+(UnorderedMapGlobIter it, difference_type n) {
    return it += n;
  }
  friend UnorderedMapGlobIter operator-(UnorderedMapGlobIter it, difference_type n) {
    return it -= n;
  }
  friend difference_type operator-(const UnorderedMapGlobIter& a, const UnorderedMapGlobIter& b) {
    return a._cursor < b._cursor ? -count(a._cursor, b._cursor) : count(b._cursor, a._cursor);
  }
  /// @}

  friend bool operator==(const UnorderedMapGlobIter& a, const UnorderedMapGlobIter& b) noexcept {
    return a._cursor == b._cursor;
  }
  /// Orders by unit, then by slot number.
  friend std::strong_ordering operator<=>(const UnorderedMapGlobIter& a,
                                          const UnorderedMapGlobIter& b) noexcept {
    if (a._cursor < b._cursor) return std::strong_ordering::less;
    return a == b ? std::strong_ordering::equal : std::strong_ordering::greater;
  }

 private:
  static difference_type count(internal::SlotCursor first, const internal::SlotCursor& last) {
    difference_type n = 0;
    for (; first < last; first.next())
      ++n;
    return n;
  }

  internal::SlotCursor _cursor;
};

/// Number of elements from first to last.
/// \cost linear in the result
/// \ingroup iterators
template <class Key, class Mapped>
std::ptrdiff_t distance(const UnorderedMapGlobIter<Key, Mapped>& first,
                        const UnorderedMapGlobIter<Key, Mapped>& last) {
  return last - first;
}

}  // namespace dash
