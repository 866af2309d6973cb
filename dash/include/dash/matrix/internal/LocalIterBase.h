#pragma once

#include <compare>
#include <iterator>
#include <type_traits>

namespace dash::internal {

/// What random access iterators over native memory have in common that find an element by its
/// position in a range.
/// \tparam Derived  has address(position)  \tparam T  const T for iterators that read only
template <class Derived, class T, typename IndexType>
class LocalIterBase {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::remove_cv_t<T>;
  using difference_type = IndexType;
  using index_type = IndexType;
  using pointer = T*;
  using reference = T&;

  reference operator*() const { return *local(); }
  pointer operator->() const { return local(); }
  reference operator[](index_type n) const { return *self().address(_position + n); }
  T* local() const { return self().address(_position); }
  static constexpr bool is_local() noexcept { return true; }
  /// Position in the range.
  index_type pos() const noexcept { return _position; }
  index_type rpos() const noexcept { return _position; }

  Derived& operator++() noexcept { return *this += 1; }
  Derived& operator--() noexcept { return *this -= 1; }
  Derived operator++(int) noexcept {
    Derived before = self();
    ++_position;
    return before;
  }
  Derived operator--(int) noexcept {
    Derived before = self();
    --_position;
    return before;
  }
  Derived& operator+=(index_type n) noexcept {
    _position += n;
    return self();
  }
  Derived& operator-=(index_type n) noexcept {
    _position -= n;
    return self();
  }
  friend Derived operator+(Derived it, index_type n) noexcept { return it += n; }
  friend Derived operator+(index_type n, Derived it) noexcept { return it += n; }
  friend Derived operator-(Derived it, index_type n) noexcept { return it -= n; }
  friend index_type operator-(const Derived& a, const Derived& b) noexcept {
    return a.pos() - b.pos();
  }
  friend bool operator==(const Derived& a, const Derived& b) noexcept { return a.pos() == b.pos(); }
  friend std::strong_ordering operator<=>(const Derived& a, const Derived& b) noexcept {
    return a.pos() <=> b.pos();
  }

 protected:
  constexpr LocalIterBase() noexcept = default;
  explicit LocalIterBase(index_type position) noexcept : _position(position) {}

 private:
  const Derived& self() const noexcept { return static_cast<const Derived&>(*this); }
  Derived& self() noexcept { return static_cast<Derived&>(*this); }

  index_type _position = 0;
};

}  // namespace dash::internal
