#pragma once

#include <compare>
#include <cstddef>
#include <iterator>
#include <type_traits>

#include "dash/GlobSharedRef.h"
#include "dash/Types.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/internal/Unit.h"

namespace dash {

/// Points to an element of a GlobHeapMem on any unit; arithmetic follows the order of units.
///
/// Stores the position of the element as the caller sees it. If the number of elements before it
/// changes, because the caller resizes its part or commits, it points to another element.
/// \threads externally synchronized per object
/// \ingroup iterators
template <class T, class GlobMemT>
class GlobHeapPtr {
  using Element = std::remove_const_t<T>;

 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = Element;
  using difference_type = dash::gptrdiff_t;
  using gptrdiff_t = dash::gptrdiff_t;
  using index_type = default_index_t;
  using size_type = default_size_t;
  using reference = GlobSharedRef<T>;
  using const_reference = GlobSharedRef<const T>;
  using pointer = GlobHeapPtr;
  using local_type = T*;
  /// Pointer to elements of another type.
  template <class U>
  using rebind = GlobHeapPtr<U, GlobMemT>;
  /// The unit that owns an element, and the element's index in the unit's part.
  struct local_index {
    team_unit_t unit;  ///< owner
    index_type index;  ///< index in the owner's part
  };

  GlobHeapPtr() noexcept = default;
  /// \param position  position among the elements of all units, as seen by the caller
  GlobHeapPtr(const GlobMemT* memory, index_type position) noexcept
      : _memory(memory), _position(position) {}
  /// Converts a pointer, for example to one to const elements.
  template <class From>
  requires(!std::is_same_v<From, T> && std::is_convertible_v<From*, T*>)
      GlobHeapPtr(const GlobHeapPtr<From, GlobMemT>& other)
  noexcept  // NOLINT: implicit, like conversions of native pointers
      : GlobHeapPtr(other.globmem(), other.pos()) {}

  /// A reference to the element.
  /// \throws exception::OutOfRange if there is no such element
  reference operator*() const {
    const auto location = _memory->location_of(_position);
    return {location.gptr, static_cast<T*>(location.address),
            location.unit == _memory->team().myid()};
  }
  /// A reference to the element n positions further.
  /// \throws exception::OutOfRange if there is no such element
  reference operator[](difference_type n) const { return *(*this + n); }

  /// The element's address in the C interface.
  /// \throws exception::OutOfRange if there is no such element
  dart_gptr_t dart_gptr() const { return _memory->location_of(_position).gptr; }
  /// As dart_gptr().
  explicit operator dart_gptr_t() const { return dart_gptr(); }
  /// Native pointer if the element is local to the caller, otherwise nullptr.
  T* local() const { return (**this).local(); }
  /// Native pointer if the element is on the caller's node, otherwise nullptr.
  T* on_node_address() const { return (**this).on_node_address(); }
  /// As local().
  explicit operator T*() const { return local(); }
  /// Whether the caller owns the element.
  /// \throws exception::OutOfRange if there is no such element
  bool is_local() const { return lpos().unit == _memory->team().myid(); }
  /// Position among the elements of all units, as seen by the caller.
  index_type pos() const noexcept { return _position; }
  /// The same as pos().
  index_type gpos() const noexcept { return _position; }
  /// The owner of the element, and its index there.
  /// \throws exception::OutOfRange if there is no such element
  local_index lpos() const {
    const auto location = _memory->local_of(_position);
    return {location.unit, location.index};
  }
  /// The memory of the element.
  const GlobMemT* globmem() const noexcept { return _memory; }

  /// Moves forward by n positions.
  GlobHeapPtr& operator+=(difference_type n) noexcept {
    _position += n;
    return *this;
  }
  /// Moves back by n positions.
  GlobHeapPtr& operator-=(difference_type n) noexcept { return *this += -n; }
  /// Moves to the next element.
  GlobHeapPtr& operator++() noexcept { return *this += 1; }
  /// Moves to the previous element.
  GlobHeapPtr& operator--() noexcept { return *this -= 1; }
  /// Moves to the next element; returns the previous value.
  GlobHeapPtr operator++(int) noexcept {
    GlobHeapPtr before = *this;
    *this += 1;
    return before;
  }
  /// Moves to the previous element; returns the previous value.
  GlobHeapPtr operator--(int) noexcept {
    GlobHeapPtr before = *this;
    *this -= 1;
    return before;
  }
  friend GlobHeapPtr operator+(GlobHeapPtr p, difference_type n) noexcept { return p += n; }
  friend GlobHeapPtr operator+(difference_type n, GlobHeapPtr p) noexcept { return p += n; }
  friend GlobHeapPtr operator-(GlobHeapPtr p, difference_type n) noexcept { return p -= n; }
  friend difference_type operator-(const GlobHeapPtr& a, const GlobHeapPtr& b) noexcept {
    return a._position - b._position;
  }
  friend bool operator==(const GlobHeapPtr& a, const GlobHeapPtr& b) noexcept {
    return a._position == b._position;
  }
  friend std::strong_ordering operator<=>(const GlobHeapPtr& a, const GlobHeapPtr& b) noexcept {
    return a._position <=> b._position;
  }

 private:
  const GlobMemT* _memory = nullptr;
  index_type _position = 0;
};

/// Number of elements from first to last.
/// \ingroup iterators
template <class T, class GlobMemT>
gptrdiff_t distance(const GlobHeapPtr<T, GlobMemT>& first, const GlobHeapPtr<T, GlobMemT>& last) {
  return last - first;
}

/// Points to an element of the caller's part of a GlobHeapMem, which is native memory in several
/// buckets.
/// \ingroup iterators
template <class T, class GlobMemT>
class GlobHeapLocalPtr {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::remove_const_t<T>;
  using difference_type = gptrdiff_t;
  using index_type = default_index_t;
  using reference = T&;
  using pointer = T*;

  GlobHeapLocalPtr() noexcept = default;
  /// Used by GlobHeapMem.
  /// \param position  index among the caller's elements
  GlobHeapLocalPtr(const GlobMemT* memory, index_type position) noexcept
      : _memory(memory), _position(position) {}

  /// The element.
  /// \pre there is such an element
  reference operator*() const { return *local(); }
  /// Native pointer to the element; nullptr at the end.
  pointer operator->() const { return local(); }
  /// The element n positions further.
  /// \pre there is such an element
  reference operator[](difference_type n) const { return *(*this + n); }
  /// Native pointer to the element; nullptr at the end.
  T* local() const { return static_cast<T*>(_memory->local_address(_position)); }
  /// As local().
  explicit operator T*() const { return local(); }
  /// The element's address in the C interface.
  /// \throws exception::OutOfRange if there is no such element
  dart_gptr_t dart_gptr() const { return _memory->local_gptr(_position); }
  /// Index among the caller's elements.
  index_type pos() const noexcept { return _position; }

  /// Moves forward by n elements.
  GlobHeapLocalPtr& operator+=(difference_type n) noexcept {
    _position += n;
    return *this;
  }
  /// Moves back by n elements.
  GlobHeapLocalPtr& operator-=(difference_type n) noexcept { return *this += -n; }
  /// Moves to the next element.
  GlobHeapLocalPtr& operator++() noexcept { return *this += 1; }
  /// Moves to the previous element.
  GlobHeapLocalPtr& operator--() noexcept { return *this -= 1; }
  /// Moves to the next element; returns the previous value.
  GlobHeapLocalPtr operator++(int) noexcept {
    GlobHeapLocalPtr before = *this;
    *this += 1;
    return before;
  }
  /// Moves to the previous element; returns the previous value.
  GlobHeapLocalPtr operator--(int) noexcept {
    GlobHeapLocalPtr before = *this;
    *this -= 1;
    return before;
  }
  friend GlobHeapLocalPtr operator+(GlobHeapLocalPtr p, difference_type n) noexcept {
    return p += n;
  }
  friend GlobHeapLocalPtr operator+(difference_type n, GlobHeapLocalPtr p) noexcept {
    return p += n;
  }
  friend GlobHeapLocalPtr operator-(GlobHeapLocalPtr p, difference_type n) noexcept {
    return p -= n;
  }
  friend difference_type operator-(const GlobHeapLocalPtr& a, const GlobHeapLocalPtr& b) noexcept {
    return a._position - b._position;
  }
  friend bool operator==(const GlobHeapLocalPtr& a, const GlobHeapLocalPtr& b) noexcept {
    return a._position == b._position;
  }
  friend std::strong_ordering operator<=>(const GlobHeapLocalPtr& a,
                                          const GlobHeapLocalPtr& b) noexcept {
    return a._position <=> b._position;
  }

 private:
  const GlobMemT* _memory = nullptr;
  index_type _position = 0;
};

}  // namespace dash
