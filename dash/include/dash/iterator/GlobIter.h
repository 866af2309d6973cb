#pragma once

#include <cstddef>
#include <iosfwd>
#include <iterator>
#include <type_traits>

#include "dash/GlobPtr.h"
#include "dash/GlobRef.h"
#include "dash/Team.h"
#include "dash/Types.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/iterator/IteratorTraits.h"
#include "dash/memory/GlobStaticMem.h"

namespace dash {

namespace internal {

/// Global pointer to the element at a place in the memory of a unit.
template <class T, class GlobMem, class Index>
dart_gptr_t element_gptr(const GlobMem& memory, team_unit_t unit, Index index) noexcept {
  return memory.gptr_at(unit, static_cast<std::uint64_t>(index) * sizeof(T));
}

}  // namespace internal

/// Random access iterator over the elements of a container, in the order of its pattern. As far as
/// a proxy allows, it models std::random_access_iterator.
///
/// Refers to pattern and memory of the container; valid for as long as its allocation.
/// \tparam T  const T for iterators that read only
/// \threads any, one at a time per object
template <class T, class PatternType, class GlobMemType = GlobStaticMem<HostSpace>,
          class PointerType = GlobPtr<T, GlobMemType>, class ReferenceType = GlobRef<T>>
class GlobIter {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::remove_cv_t<T>;
  using difference_type = typename PatternType::index_type;
  using size_type = typename PatternType::size_type;
  using index_type = typename PatternType::index_type;
  using pointer = PointerType;
  using const_pointer = GlobPtr<const T, GlobMemType>;
  using reference = ReferenceType;
  using const_reference = GlobRef<const T>;
  using local_type = T*;
  using local_pointer = T*;
  using pattern_type = PatternType;
  using globmem_type = GlobMemType;
  using local_index_t = typename PatternType::local_index_t;
  using has_view = std::integral_constant<bool, false>;

  constexpr GlobIter() noexcept = default;
  GlobIter(GlobMemType* globmem, const PatternType& pattern, index_type position = 0) noexcept
      : _globmem(globmem), _pattern(&pattern), _position(position) {}

  /// From an iterator that may write to one that reads only.
  template <class P, class R>
  requires std::is_const_v<T> GlobIter(
      const GlobIter<value_type, PatternType, GlobMemType, P, R>& other)
  noexcept  // NOLINT
      : _globmem(&other.globmem()), _pattern(&other.pattern()), _position(other.pos()) {}

  static constexpr dim_t ndim() { return PatternType::ndim(); }

  reference operator*() const { return reference(element(_position)); }
  /// The element n further.
  reference operator[](index_type n) const { return reference(element(_position + n)); }

  /// Global pointer to the element; at the end of the range, behind the last one.
  dart_gptr_t dart_gptr() const {
    const auto size = static_cast<index_type>(_pattern->size());
    if (_position < size) return element(_position);
    if (size == 0) return _globmem->begin_gptr();
    return internal::advance(element(size - 1),
                             (_position - size + 1) * static_cast<std::int64_t>(sizeof(T)));
  }
  explicit operator pointer() const { return pointer(dart_gptr()); }
  explicit operator const_pointer() const requires(!std::is_const_v<T>) {
    return const_pointer(dart_gptr());
  }

  /// Whether the element is in the caller's own memory.
  bool is_local() const { return lpos().unit == team().myid(); }
  /// Native pointer to the element; nullptr if it is not the caller's own.
  T* local() const {
    const auto place = lpos();
    if (place.unit != team().myid()) return nullptr;
    return static_cast<T*>(_globmem->local_begin()) + place.index;
  }

  /// Position in the iteration order of the pattern: the linear global index.
  index_type pos() const noexcept { return _position; }
  index_type gpos() const noexcept { return _position; }
  /// Owner of the element and its index in the owner's memory.
  local_index_t lpos() const { return _pattern->local(_position); }
  const GlobIter& global() const noexcept { return *this; }
  GlobIter& global() noexcept { return *this; }

  GlobMemType& globmem() const noexcept { return *_globmem; }
  const PatternType& pattern() const noexcept { return *_pattern; }
  Team& team() const noexcept { return _pattern->team(); }

  GlobIter& operator++() noexcept {
    ++_position;
    return *this;
  }
  GlobIter operator++(int) noexcept {
    GlobIter before = *this;
    ++_position;
    return before;
  }
  GlobIter& operator--() noexcept {
    --_position;
    return *this;
  }
  GlobIter operator--(int) noexcept {
    GlobIter before = *this;
    --_position;
    return before;
  }
  GlobIter& operator+=(index_type n) noexcept {
    _position += n;
    return *this;
  }
  GlobIter& operator-=(index_type n) noexcept {
    _position -= n;
    return *this;
  }
  friend GlobIter operator+(GlobIter it, index_type n) noexcept { return it += n; }
  friend GlobIter operator+(index_type n, GlobIter it) noexcept { return it += n; }
  friend GlobIter operator-(GlobIter it, index_type n) noexcept { return it -= n; }

  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                                      const GlobIter& it) {
    return os << "dash::GlobIter(index " << it._position << ", " << it.dart_gptr() << ')';
  }

 private:
  dart_gptr_t element(index_type position) const {
    const auto place = _pattern->local(position);
    return internal::element_gptr<T>(*_globmem, place.unit, place.index);
  }

  GlobMemType* _globmem = nullptr;
  const PatternType* _pattern = nullptr;
  index_type _position = 0;
};

// By position; iterators of different constness compare too.

template <class T, class U, class Pattern, class Mem, class P1, class R1, class P2, class R2>
requires std::is_same_v<std::remove_cv_t<T>, std::remove_cv_t<U>>
bool operator==(const GlobIter<T, Pattern, Mem, P1, R1>& a,
                const GlobIter<U, Pattern, Mem, P2, R2>& b) noexcept {
  return a.pos() == b.pos();
}

template <class T, class U, class Pattern, class Mem, class P1, class R1, class P2, class R2>
requires std::is_same_v<std::remove_cv_t<T>, std::remove_cv_t<U>>
auto operator<=>(const GlobIter<T, Pattern, Mem, P1, R1>& a,
                 const GlobIter<U, Pattern, Mem, P2, R2>& b) noexcept {
  return a.pos() <=> b.pos();
}

template <class T, class U, class Pattern, class Mem, class P1, class R1, class P2, class R2>
requires std::is_same_v<std::remove_cv_t<T>, std::remove_cv_t<U>>
auto operator-(const GlobIter<T, Pattern, Mem, P1, R1>& a,
               const GlobIter<U, Pattern, Mem, P2, R2>& b) noexcept {
  return a.pos() - b.pos();
}

/// Elements from first to last.
template <internal::GlobalIterator First, internal::GlobalIterator Last>
auto distance(const First& first, const Last& last) {
  return last - first;
}

/// Linear global index of the element at an iterator.
template <internal::GlobalIterator Iterator>
auto index(const Iterator& it) {
  return it.gpos();
}

}  // namespace dash
