#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <iterator>
#include <type_traits>

#include "dash/GlobPtr.h"
#include "dash/GlobRef.h"
#include "dash/Team.h"
#include "dash/Types.h"
#include "dash/dart/Access.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/internal/element/GptrWords.h"

namespace dash::internal {

/// Global pointer to the element at an index in the memory of a unit.
template <class T, class GlobMem, class Index>
dart_gptr_t element_gptr(const GlobMem& memory, team_unit_t unit, Index index) noexcept {
  return memory.gptr_at(unit, static_cast<std::uint64_t>(index) * sizeof(T));
}

/// Reference to the element at an index in the memory of a unit.
template <class Reference, class T, class GlobMem, class Index>
Reference element_ref(const GlobMem& memory, team_unit_t unit, Index index) {
  const auto offset = static_cast<std::uint64_t>(index) * sizeof(T);
  if constexpr (std::is_constructible_v<Reference, GptrWords, void*>) {
    return Reference(memory.words_at(unit, offset), memory.address_at(unit, offset, sizeof(T)));
  } else {
    return Reference(memory.gptr_at(unit, offset));
  }
}

/// Positions first ... last - 1 of a range whose elements are contiguous in memory mapped into this
/// process. An iterator caches it, so that increments within the interval need no mapping of an
/// index to its owner. If first == last, no such memory is known for positions before `last`.
template <class Index>
struct MappedInterval {
  GptrWords gptr;           // of the first element
  char* address = nullptr;  // of the first element
  Index first = 0;
  Index last = 0;

  /// Number of increments without a mapped interval before an iterator searches for the next one.
  static constexpr Index search_interval = 64;
  /// Shorter intervals cost more to find than they save.
  static constexpr Index min_length = 8;

  bool has(Index position) const noexcept {
    using Size = std::make_unsigned_t<Index>;
    return static_cast<Size>(position - first) < static_cast<Size>(last - first);
  }

  static MappedInterval none(Index position) noexcept {
    return {{}, nullptr, position + search_interval, position + search_interval};
  }
  /// \param length  number of contiguous elements, starting at the position
  static MappedInterval of(const dart_gptr_t& gptr, Index position, Index length,
                           std::size_t element_size) noexcept {
    if (length < min_length) return none(position);
    void* const address =
        dart::uncounted_address(gptr, static_cast<std::size_t>(length) * element_size);
    if (address == nullptr) return none(position);
    return {GptrWords(gptr), static_cast<char*>(address), position, position + length};
  }
};

/// Base class of iterators over the elements of a container: a position in a range, by which
/// iterators are compared. The pattern of the container maps positions to memory.
///
/// \tparam Derived  provides, for positions 0 ... num_positions() - 1 in the order of iteration:
///         location_at(position), the owner and the index in its memory;
///         contiguous_block_at(position), the same and the number of elements that follow
///         contiguously; mapped_interval(position), which must not take the address of the
///         iterator, so that the compiler can keep it in registers
/// \threads externally synchronized per object; const functions: thread-safe
template <class Derived, class T, class PatternType, class GlobMemType, class PointerType,
          class ReferenceType>
class GlobIterBase {
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

  static constexpr dim_t ndim() { return PatternType::ndim(); }

  reference operator*() const { return element(_position); }
  /// The element at a distance of n.
  reference operator[](index_type n) const { return element(_position + n); }

  /// Global pointer to the element; for the end of the range, past the last element.
  dart_gptr_t dart_gptr() const {
    const auto size = self().num_positions();
    if (_position < size) return gptr_at(_position);
    if (size == 0) return _globmem->begin_gptr();
    return internal::advance(GptrWords(gptr_at(size - 1)),
                             (_position - size + 1) * static_cast<std::int64_t>(sizeof(T)))
        .gptr();
  }
  explicit operator pointer() const { return pointer(dart_gptr()); }
  explicit operator const_pointer() const requires(!std::is_const_v<T>) {
    return const_pointer(dart_gptr());
  }

  /// Whether the element is local to the caller.
  bool is_local() const { return lpos().unit == team().myid(); }
  /// Native pointer to the element; nullptr if it is not local to the caller.
  T* local() const {
    const auto location = lpos();
    if (location.unit != team().myid()) return nullptr;
    return static_cast<T*>(_globmem->local_begin()) + location.index;
  }
  /// Native pointer to the n elements that start here if they are contiguous in the memory of one
  /// unit on the caller's node, which may be the caller; otherwise, and if the range ends earlier,
  /// nullptr.
  /// \see GlobPtr::on_node_address()  \cost one mapping of an index for each contiguous block
  T* on_node_address(size_type n = 1) const {
    if (_pattern == nullptr || _position < 0 ||
        _position + static_cast<index_type>(n) > self().num_positions()) {
      return nullptr;
    }
    if (n == 0) return static_cast<T*>(dart::on_node_address(dart_gptr(), 0));
    const auto block = self().contiguous_block_at(_position);
    void* const address =
        dart::on_node_address(element_gptr<T>(*_globmem, block.unit, block.index), n * sizeof(T));
    if (address == nullptr) return nullptr;
    for (auto length = block.length; length < static_cast<index_type>(n);) {
      const auto next = self().contiguous_block_at(_position + length);
      if (next.unit != block.unit || next.index != block.index + length) return nullptr;
      length += next.length;
    }
    return static_cast<T*>(address);
  }
  /// Owner of the element and its index in the owner's memory.
  local_index_t lpos() const { return self().location_at(_position); }

  GlobMemType& globmem() const noexcept { return *_globmem; }
  const PatternType& pattern() const noexcept {
    // Avoids a false warning of g++ 14 about copies of empty ranges.
    if (_pattern == nullptr) __builtin_unreachable();
    return *_pattern;
  }
  /// The team of the container; Team::Null() without a container.
  Team& team() const noexcept { return _pattern != nullptr ? _pattern->team() : Team::Null(); }

  Derived& operator++() noexcept {
    if (++_position >= _interval.last) _interval = self().mapped_interval(_position);
    return self();
  }
  Derived operator++(int) noexcept {
    Derived before = self();
    ++*this;
    return before;
  }
  Derived& operator--() noexcept { return *this += -1; }
  Derived operator--(int) noexcept {
    Derived before = self();
    --*this;
    return before;
  }
  Derived& operator+=(index_type n) noexcept {
    _position += n;
    return self();
  }
  Derived& operator-=(index_type n) noexcept { return *this += -n; }
  friend Derived operator+(Derived it, index_type n) noexcept { return it += n; }
  friend Derived operator+(index_type n, Derived it) noexcept { return it += n; }
  friend Derived operator-(Derived it, index_type n) noexcept { return it -= n; }

 protected:
  constexpr GlobIterBase() noexcept = default;
  GlobIterBase(GlobMemType* globmem, const PatternType& pattern, index_type position) noexcept
      : _globmem(globmem), _pattern(&pattern), _position(position) {}
  /// Copies the position of another iterator over the same range.
  template <class D, class U, class P, class R>
  explicit GlobIterBase(const GlobIterBase<D, U, PatternType, GlobMemType, P, R>& other) noexcept
      : _globmem(other._globmem),
        _pattern(other._pattern),
        _position(other._position),
        _interval(other._interval) {}

  index_type position() const noexcept { return _position; }

  // All members have the same access, so that an iterator has standard layout and can be an element.
  // The first two are null without a container.
  GlobMemType* _globmem = nullptr;
  const PatternType* _pattern = nullptr;
  index_type _position = 0;
  MappedInterval<index_type> _interval;

 private:
  template <class, class, class, class, class, class>
  friend class GlobIterBase;

  const Derived& self() const noexcept { return static_cast<const Derived&>(*this); }
  Derived& self() noexcept { return static_cast<Derived&>(*this); }

  dart_gptr_t gptr_at(index_type position) const {
    const auto location = self().location_at(position);
    return element_gptr<T>(*_globmem, location.unit, location.index);
  }

  reference element(index_type position) const {
    if constexpr (std::is_constructible_v<reference, GptrWords, void*>) {
      if (_interval.has(position)) {
        const auto offset = static_cast<std::uint64_t>(position - _interval.first) * sizeof(T);
        const GptrWords gptr(_interval.gptr.ids, _interval.gptr.offset + offset);
        return reference(gptr, _interval.address + offset);
      }
    }
    const auto location = self().location_at(position);
    return element_ref<reference, T>(*_globmem, location.unit, location.index);
  }
};

/// Iterators over ranges of the same kind, which may differ in constness.
template <class A, class B>
concept SameRange = std::is_same_v<typename A::value_type, typename B::value_type> &&
                    std::is_same_v<typename A::pattern_type, typename B::pattern_type> &&
                    std::is_same_v<typename A::globmem_type, typename B::globmem_type> &&
                    A::has_view::value == B::has_view::value;

// Comparisons by position.

template <class A, class B, class T, class U, class Pattern, class Mem, class P1, class R1,
          class P2, class R2>
requires SameRange<A, B>
bool operator==(const GlobIterBase<A, T, Pattern, Mem, P1, R1>& a,
                const GlobIterBase<B, U, Pattern, Mem, P2, R2>& b) noexcept {
  return static_cast<const A&>(a).pos() == static_cast<const B&>(b).pos();
}

template <class A, class B, class T, class U, class Pattern, class Mem, class P1, class R1,
          class P2, class R2>
requires SameRange<A, B>
auto operator<=>(const GlobIterBase<A, T, Pattern, Mem, P1, R1>& a,
                 const GlobIterBase<B, U, Pattern, Mem, P2, R2>& b) noexcept {
  return static_cast<const A&>(a).pos() <=> static_cast<const B&>(b).pos();
}

template <class A, class B, class T, class U, class Pattern, class Mem, class P1, class R1,
          class P2, class R2>
requires SameRange<A, B>
auto operator-(const GlobIterBase<A, T, Pattern, Mem, P1, R1>& a,
               const GlobIterBase<B, U, Pattern, Mem, P2, R2>& b) noexcept {
  return static_cast<const A&>(a).pos() - static_cast<const B&>(b).pos();
}

}  // namespace dash::internal
