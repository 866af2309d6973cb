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

  reference operator*() const { return *local(); }
  pointer operator->() const { return local(); }
  reference operator[](index_type n) const { return *self().address(this->position() + n); }
  T* local() const { return self().address(this->position()); }
  static constexpr bool is_local() noexcept { return true; }
  /// Position in the range.
  index_type pos() const noexcept { return this->position(); }
  index_type rpos() const noexcept { return this->position(); }

 protected:
  constexpr LocalIterBase() noexcept = default;
  explicit LocalIterBase(index_type position) noexcept : Base(position) {}

 private:
  const Derived& self() const noexcept { return static_cast<const Derived&>(*this); }
};

}  // namespace dash::internal
