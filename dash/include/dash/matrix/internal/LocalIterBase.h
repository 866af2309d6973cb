#pragma once

#include <algorithm>
#include <iterator>
#include <type_traits>

#include "dash/iterator/PositionIterator.h"

namespace dash::internal {

/// Base class of random access iterators over native memory that compute the address of an element
/// from its position in a range.
/// \tparam Derived  provides address(position), and base(), the address of the caller's first element of the container
/// \tparam T  const T for read-only iterators
template <class Derived, class T, typename IndexType>
class LocalIterBase : public PositionIterator<Derived, IndexType> {
  using Base = PositionIterator<Derived, IndexType>;

 public:
  using value_type = std::remove_cv_t<T>;
  using index_type = IndexType;
  using pointer = T*;
  using reference = T&;

  /// The element at the position.
  reference operator*() const { return *local(); }
  /// A member of the element.
  pointer operator->() const { return local(); }
  /// The element `n` positions further.
  reference operator[](index_type n) const { return *self().address(this->position() + n); }
  /// Address of the element.
  T* local() const { return self().address(this->position()); }
  /// Index of the element in the caller's part of the container.
  index_type local_index() const { return static_cast<index_type>(local() - self().base()); }
  /// True: the range is local.
  static constexpr bool is_local() noexcept { return true; }
  /// Position in the range.
  index_type pos() const noexcept { return this->position(); }
  /// The same as pos().
  index_type rpos() const noexcept { return this->position(); }

  /// \cond internal

 protected:
  constexpr LocalIterBase() noexcept = default;
  explicit LocalIterBase(index_type position) noexcept : Base(position) {}

  /// \endcond

 private:
  const Derived& self() const noexcept { return static_cast<const Derived&>(*this); }
};

/// An iterator over a box of the caller's elements of a matrix.
template <class It>
concept LocalBoxIterator = requires(const It& it) {
  it.local_index();
  it.viewspec();
};

/// Calls fn(position, address, length) for ranges of elements that are contiguous in memory, in
/// order. Positions are relative to `first`.
template <LocalBoxIterator It, class Fn>
void for_each_contiguous_range(const It& first, const It& last, Fn fn) {
  using Index = typename It::index_type;
  const Index size = last - first;
  for (Index begin = 0; begin < size;) {
    auto* const address = (first + begin).local();
    Index end = begin;
    do {
      end += (first + end).contiguous_elements();
    } while (end < size && (first + end).local() == address + (end - begin));
    end = std::min(end, size);
    fn(begin, address, end - begin);
    begin = end;
  }
}

}  // namespace dash::internal
