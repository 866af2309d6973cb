#pragma once

#include <compare>
#include <iterator>

namespace dash::internal {

/// Arithmetic and comparisons of a random access iterator over a range whose elements have
/// positions.
///
/// \tparam Derived  may define moved(), called when the position has changed, and stepped(), called
///         instead of it after an increment by one; must befriend this class if it does
/// \tparam Index  signed type of positions
/// \threads externally synchronized per object; const functions: thread-safe
template <class Derived, class Index>
class PositionIterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using difference_type = Index;

  constexpr Derived& operator++() noexcept {
    ++_position;
    self().stepped();
    return self();
  }
  constexpr Derived& operator--() noexcept { return *this += -1; }
  constexpr Derived operator++(int) noexcept {
    const Derived before = self();
    ++*this;
    return before;
  }
  constexpr Derived operator--(int) noexcept {
    const Derived before = self();
    --*this;
    return before;
  }
  constexpr Derived& operator+=(Index n) noexcept {
    _position += n;
    self().moved();
    return self();
  }
  constexpr Derived& operator-=(Index n) noexcept { return *this += -n; }

  friend constexpr Derived operator+(Derived it, Index n) noexcept { return it += n; }
  friend constexpr Derived operator+(Index n, Derived it) noexcept { return it += n; }
  friend constexpr Derived operator-(Derived it, Index n) noexcept { return it -= n; }
  friend constexpr Index operator-(const Derived& a, const Derived& b) noexcept {
    return a.position() - b.position();
  }
  friend constexpr bool operator==(const Derived& a, const Derived& b) noexcept {
    return a.position() == b.position();
  }
  friend constexpr std::strong_ordering operator<=>(const Derived& a, const Derived& b) noexcept {
    return a.position() <=> b.position();
  }

 protected:
  constexpr PositionIterator() noexcept = default;
  constexpr explicit PositionIterator(Index position) noexcept : _position(position) {}

  constexpr Index position() const noexcept { return _position; }
  constexpr void moved() noexcept {}
  constexpr void stepped() noexcept { self().moved(); }

 private:
  constexpr Derived& self() noexcept { return static_cast<Derived&>(*this); }
  constexpr const Derived& self() const noexcept { return static_cast<const Derived&>(*this); }

  Index _position = 0;
};

}  // namespace dash::internal
