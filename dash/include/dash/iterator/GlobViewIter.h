#pragma once

#include <array>
#include <cstddef>
#include <iosfwd>
#include <iterator>
#include <type_traits>

#include "dash/ViewSpec.h"
#include "dash/iterator/GlobIter.h"

namespace dash {

/// Random access iterator over the elements of a box in the index space of a container, in the
/// order of its pattern.
///
/// Holds the box by value; refers to pattern and memory of the container, and is valid for as long
/// as its allocation, also when the view that it was taken from is gone.
/// \threads any, one at a time per object
template <class T, class PatternType, class GlobMemType = GlobStaticMem<HostSpace>,
          class PointerType = GlobPtr<T, GlobMemType>, class ReferenceType = GlobRef<T>>
class GlobViewIter {
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
  using viewspec_type = typename PatternType::viewspec_type;
  using local_index_t = typename PatternType::local_index_t;
  using has_view = std::integral_constant<bool, true>;

  constexpr GlobViewIter() noexcept = default;
  /// \param viewspec  the box  \param position  in the box
  /// \param index_offset  what pos() is to be counted from
  GlobViewIter(GlobMemType* globmem, const PatternType& pattern, const viewspec_type& viewspec,
               index_type position = 0, index_type index_offset = 0) noexcept
      : _globmem(globmem),
        _pattern(&pattern),
        _viewspec(viewspec),
        _position(position),
        _index_offset(index_offset) {}

  /// From an iterator that may write to one that reads only.
  template <class P, class R>
  requires std::is_const_v<T> GlobViewIter(
      const GlobViewIter<value_type, PatternType, GlobMemType, P, R>& other)
  noexcept  // NOLINT
      : GlobViewIter(&other.globmem(), other.pattern(), other.viewspec(), other.rpos(),
                     other.pos() - other.rpos()) {}

  static constexpr dim_t ndim() { return PatternType::ndim(); }

  reference operator*() const { return reference(element(_position)); }
  /// The element n further.
  reference operator[](index_type n) const { return reference(element(_position + n)); }

  /// Global pointer to the element; at the end of the box, behind the last one.
  dart_gptr_t dart_gptr() const {
    const auto size = static_cast<index_type>(_viewspec.size());
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

  /// Position in the box.
  index_type rpos() const noexcept { return _position; }
  /// Position in the box, counted from the offset given at construction.
  index_type pos() const noexcept { return _position + _index_offset; }
  /// Linear global index of the element.
  index_type gpos() const { return _pattern->global_at(coords(_position)); }
  /// Owner of the element and its index in the owner's memory.
  local_index_t lpos() const { return _pattern->local_index(coords(_position)); }
  bool is_relative() const noexcept { return true; }
  const viewspec_type& viewspec() const noexcept { return _viewspec; }

  /// The iterator to the same element that goes on in the whole container.
  GlobIter<T, PatternType, GlobMemType, PointerType, ReferenceType> global() const {
    return {_globmem, *_pattern, gpos()};
  }

  GlobMemType& globmem() const noexcept { return *_globmem; }
  const PatternType& pattern() const noexcept { return *_pattern; }
  Team& team() const noexcept { return _pattern->team(); }

  GlobViewIter& operator++() noexcept {
    ++_position;
    return *this;
  }
  GlobViewIter operator++(int) noexcept {
    GlobViewIter before = *this;
    ++_position;
    return before;
  }
  GlobViewIter& operator--() noexcept {
    --_position;
    return *this;
  }
  GlobViewIter operator--(int) noexcept {
    GlobViewIter before = *this;
    --_position;
    return before;
  }
  GlobViewIter& operator+=(index_type n) noexcept {
    _position += n;
    return *this;
  }
  GlobViewIter& operator-=(index_type n) noexcept {
    _position -= n;
    return *this;
  }
  friend GlobViewIter operator+(GlobViewIter it, index_type n) noexcept { return it += n; }
  friend GlobViewIter operator+(index_type n, GlobViewIter it) noexcept { return it += n; }
  friend GlobViewIter operator-(GlobViewIter it, index_type n) noexcept { return it -= n; }

  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                                      const GlobViewIter& it) {
    return os << "dash::GlobViewIter(position " << it._position << " of " << it._viewspec << ", "
              << it.dart_gptr() << ')';
  }

 private:
  typename PatternType::coords_type coords(index_type position) const {
    return _pattern->coords(position, _viewspec);
  }
  dart_gptr_t element(index_type position) const {
    const auto place = _pattern->local_index(coords(position));
    return internal::element_gptr<T>(*_globmem, place.unit, place.index);
  }

  GlobMemType* _globmem = nullptr;
  const PatternType* _pattern = nullptr;
  viewspec_type _viewspec;
  index_type _position = 0;
  index_type _index_offset = 0;
};

// By position in the box; iterators of different constness compare too.

template <class T, class U, class Pattern, class Mem, class P1, class R1, class P2, class R2>
requires std::is_same_v<std::remove_cv_t<T>, std::remove_cv_t<U>>
bool operator==(const GlobViewIter<T, Pattern, Mem, P1, R1>& a,
                const GlobViewIter<U, Pattern, Mem, P2, R2>& b) noexcept {
  return a.pos() == b.pos();
}

template <class T, class U, class Pattern, class Mem, class P1, class R1, class P2, class R2>
requires std::is_same_v<std::remove_cv_t<T>, std::remove_cv_t<U>>
auto operator<=>(const GlobViewIter<T, Pattern, Mem, P1, R1>& a,
                 const GlobViewIter<U, Pattern, Mem, P2, R2>& b) noexcept {
  return a.pos() <=> b.pos();
}

template <class T, class U, class Pattern, class Mem, class P1, class R1, class P2, class R2>
requires std::is_same_v<std::remove_cv_t<T>, std::remove_cv_t<U>>
auto operator-(const GlobViewIter<T, Pattern, Mem, P1, R1>& a,
               const GlobViewIter<U, Pattern, Mem, P2, R2>& b) noexcept {
  return a.pos() - b.pos();
}

}  // namespace dash
