#pragma once

#include <compare>
#include <cstddef>
#include <iosfwd>
#include <type_traits>

#include "dash/GlobPtr.h"
#include "dash/GlobRef.h"
#include "dash/iterator/GlobIterBase.h"
#include "dash/iterator/IteratorTraits.h"
#include "dash/memory/GlobStaticMem.h"

namespace dash {

/// Random access iterator over the elements of a container, in the order of its pattern. Models
/// std::random_access_iterator with a proxy reference.
///
/// Refers to the pattern and the memory of the container; valid until the container is deallocated.
/// \tparam T  const T for read-only iterators
/// \cost a loop over elements on the caller's node advances within contiguous memory and queries
///         the pattern only at the end of each contiguous block
/// \threads externally synchronized per object; const functions: thread-safe
/// \ingroup iterators
template <class T, class PatternType, class GlobMemType = GlobStaticMem<HostSpace>,
          class PointerType = GlobPtr<T, GlobMemType>, class ReferenceType = GlobRef<T>>
class GlobIter : public internal::GlobIterBase<
                     GlobIter<T, PatternType, GlobMemType, PointerType, ReferenceType>, T,
                     PatternType, GlobMemType, PointerType, ReferenceType> {
  using Base =
      internal::GlobIterBase<GlobIter, T, PatternType, GlobMemType, PointerType, ReferenceType>;
  friend Base;

 public:
  using typename Base::index_type;
  using typename Base::local_index_t;
  using typename Base::value_type;
  using has_view = std::integral_constant<bool, false>;

  constexpr GlobIter() noexcept = default;
  /// Used by containers. Refers to the memory and the pattern.
  /// \param position  linear global index
  GlobIter(GlobMemType* globmem, const PatternType& pattern, index_type position = 0) noexcept
      : Base(globmem, pattern, position) {}

  /// Converts a writable iterator to a read-only one.
  template <class P, class R>
  requires std::is_const_v<T> GlobIter(
      const GlobIter<value_type, PatternType, GlobMemType, P, R>& other)
  noexcept  // NOLINT
      : Base(other) {}

  /// Position in the iteration order of the pattern: the linear global index.
  index_type pos() const noexcept { return this->position(); }
  /// The same as pos().
  index_type gpos() const noexcept { return this->position(); }
  /// This iterator, since it is one over the whole container.
  const GlobIter& global() const noexcept { return *this; }
  /// \overload
  GlobIter& global() noexcept { return *this; }

  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                                      const GlobIter& it) {
    return os << "dash::GlobIter(index " << it.pos() << ", " << it.dart_gptr() << ')';
  }

 private:
  using Interval = internal::MappedInterval<index_type>;

  index_type num_positions() const { return static_cast<index_type>(this->pattern().size()); }
  local_index_t location_at(index_type position) const { return this->pattern().local(position); }
  auto contiguous_block_at(index_type position) const {
    return this->pattern().contiguous_block_at(position);
  }

  Interval mapped_interval(index_type position) const noexcept {
    return find_interval(this->_globmem, this->_pattern, position);
  }
  [[gnu::noinline]] static Interval find_interval(const GlobMemType* globmem,
                                                  const PatternType* pattern,
                                                  index_type position) noexcept {
    if (pattern == nullptr || position < 0 ||
        position >= static_cast<index_type>(pattern->size())) {
      return Interval::none(position);
    }
    const auto block = pattern->contiguous_block_at(position);
    return Interval::of(internal::element_gptr<T>(*globmem, block.unit, block.index), position,
                        block.length, sizeof(T));
  }
};

/// Number of elements from first to last.
/// \ingroup iterators
template <internal::ContainerIterator First, internal::ContainerIterator Last>
auto distance(const First& first, const Last& last) {
  return last - first;
}

/// Number of elements between two pointers to native memory, which may be those of local ranges.
/// \ingroup iterators
template <class T, class U>
requires std::is_same_v<std::remove_const_t<T>, std::remove_const_t<U>>
constexpr std::ptrdiff_t distance(T* first, U* last) noexcept {
  return last - first;
}

/// Linear global index of the element at an iterator.
/// \ingroup iterators
template <internal::ContainerIterator Iterator>
auto index(const Iterator& it) {
  return it.gpos();
}

}  // namespace dash
