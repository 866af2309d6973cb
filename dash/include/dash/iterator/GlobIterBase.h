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

/// Global pointer to the element at a place in the memory of a unit.
template <class T, class GlobMem, class Index>
dart_gptr_t element_gptr(const GlobMem& memory, team_unit_t unit, Index index) noexcept {
  return memory.gptr_at(unit, static_cast<std::uint64_t>(index) * sizeof(T));
}

/// Reference to the element at a place in the memory of a unit.
template <class Reference, class T, class GlobMem, class Index>
Reference element_ref(const GlobMem& memory, team_unit_t unit, Index index) {
  const auto offset = static_cast<std::uint64_t>(index) * sizeof(T);
  if constexpr (std::is_constructible_v<Reference, GptrWords, void*>) {
    return Reference(memory.words_at(unit, offset), memory.address_at(unit, offset, sizeof(T)));
  } else {
    return Reference(memory.gptr_at(unit, offset));
  }
}

/// Positions first ... last - 1 of a range, whose elements are contiguous in memory that this
/// process has mapped. An iterator that steps along keeps it, so that a step within costs no
/// mapping of an index to its owner. Without positions: no such memory is known up to `last`.
template <class Index>
struct MappedRun {
  GptrWords gptr;           // of the first element
  char* address = nullptr;  // of the first element
  Index first = 0;
  Index last = 0;

  /// Where iterators go on without one, before they look for the next.
  static constexpr Index patience = 64;
  /// Shorter ones cost more to find than they save.
  static constexpr Index shortest = 8;

  bool has(Index position) const noexcept {
    using Size = std::make_unsigned_t<Index>;
    return static_cast<Size>(position - first) < static_cast<Size>(last - first);
  }

  static MappedRun none(Index position) noexcept {
    return {{}, nullptr, position + patience, position + patience};
  }
  /// \param length  elements, from the position on
  static MappedRun of(const dart_gptr_t& gptr, Index position, Index length,
                      std::size_t element_size) noexcept {
    if (length < shortest) return none(position);
    void* const address =
        dart::uncounted_address(gptr, static_cast<std::size_t>(length) * element_size);
    if (address == nullptr) return none(position);
    return {GptrWords(gptr), static_cast<char*>(address), position, position + length};
  }
};

/// What iterators over the elements of a container have in common: a position, by which they are
/// compared, in a range whose places in memory the container's pattern tells.
///
/// \tparam Derived  has these, on positions 0 ... num_positions() - 1, in the order of iteration:
///         place_at(position): owner and index in its memory; run_at(position): the same and how many
///         elements follow there; mapped_run(position), without effect on the iterator itself, which
///         the compiler is to keep in registers
/// \threads any, one at a time per object; const functions: any
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
  /// The element n further.
  reference operator[](index_type n) const { return element(_position + n); }

  /// Global pointer to the element; at the end of the range, behind the last one.
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

  /// Whether the element is in the caller's own memory.
  bool is_local() const { return lpos().unit == team().myid(); }
  /// Native pointer to the element; nullptr if it is not the caller's own.
  T* local() const {
    const auto place = lpos();
    if (place.unit != team().myid()) return nullptr;
    return static_cast<T*>(_globmem->local_begin()) + place.index;
  }
  /// Native pointer to the n elements from here on, if they follow each other in the memory of one
  /// unit on the caller's node, of which the caller's own is one; else nullptr, too, if the range ends
  /// before.
  /// \see GlobPtr::on_node_address()  \cost a mapping of an index for each run of them
  T* on_node_address(size_type n = 1) const {
    if (_pattern == nullptr || _position < 0 ||
        _position + static_cast<index_type>(n) > self().num_positions()) {
      return nullptr;
    }
    if (n == 0) return static_cast<T*>(dart::on_node_address(dart_gptr(), 0));
    const auto run = self().run_at(_position);
    void* const address =
        dart::on_node_address(element_gptr<T>(*_globmem, run.unit, run.index), n * sizeof(T));
    if (address == nullptr) return nullptr;
    for (auto length = run.length; length < static_cast<index_type>(n);) {
      const auto next = self().run_at(_position + length);
      if (next.unit != run.unit || next.index != run.index + length) return nullptr;
      length += next.length;
    }
    return static_cast<T*>(address);
  }
  /// Owner of the element and its index in the owner's memory.
  local_index_t lpos() const { return self().place_at(_position); }

  GlobMemType& globmem() const noexcept { return *_globmem; }
  const PatternType& pattern() const noexcept { return *_pattern; }
  /// That of the container; Team::Null() without one.
  Team& team() const noexcept { return _pattern != nullptr ? _pattern->team() : Team::Null(); }

  Derived& operator++() noexcept {
    if (++_position >= _run.last) _run = self().mapped_run(_position);
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
  /// Where another one is, of the same range.
  template <class D, class U, class P, class R>
  explicit GlobIterBase(const GlobIterBase<D, U, PatternType, GlobMemType, P, R>& other) noexcept
      : _globmem(other._globmem),
        _pattern(other._pattern),
        _position(other._position),
        _run(other._run) {}

  index_type position() const noexcept { return _position; }

  // Null without a container.
  GlobMemType* _globmem = nullptr;
  const PatternType* _pattern = nullptr;

 private:
  template <class, class, class, class, class, class>
  friend class GlobIterBase;

  const Derived& self() const noexcept { return static_cast<const Derived&>(*this); }
  Derived& self() noexcept { return static_cast<Derived&>(*this); }

  dart_gptr_t gptr_at(index_type position) const {
    const auto place = self().place_at(position);
    return element_gptr<T>(*_globmem, place.unit, place.index);
  }

  reference element(index_type position) const {
    if constexpr (std::is_constructible_v<reference, GptrWords, void*>) {
      if (_run.has(position)) {
        const auto offset = static_cast<std::uint64_t>(position - _run.first) * sizeof(T);
        const GptrWords gptr(_run.gptr.place, _run.gptr.offset + offset);
        return reference(gptr, _run.address + offset);
      }
    }
    const auto place = self().place_at(position);
    return element_ref<reference, T>(*_globmem, place.unit, place.index);
  }

  index_type _position = 0;
  MappedRun<index_type> _run;
};

/// Two iterators over ranges of one kind, which may differ in constness.
template <class A, class B>
concept SameRange = std::is_same_v<typename A::value_type, typename B::value_type> &&
                    std::is_same_v<typename A::pattern_type, typename B::pattern_type> &&
                    std::is_same_v<typename A::globmem_type, typename B::globmem_type> &&
                    A::has_view::value == B::has_view::value;

// By position.

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
