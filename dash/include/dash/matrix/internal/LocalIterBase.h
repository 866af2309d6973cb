#pragma once

#include <iterator>
#include <type_traits>

#include "dash/iterator/PositionIterator.h"

namespace dash::internal {

/// Base class of random access iterators over native memory that compute the address of an element
/// from its position in a range.
/// \tparam Derived  provides address(position)  \tparam T  const T for read-only iterators
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

}  // namespace dash::internal
