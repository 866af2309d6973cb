#pragma once

#include <compare>
#include <cstddef>
#include <iterator>

#include "dash/coarray/CoEventRef.h"
#include "dash/internal/Unit.h"

namespace dash {

class Coevent;

namespace coarray {

/// Iterates over the events of all units.
class DASH_API CoEventIter {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = CoEventRef;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = CoEventRef;

  CoEventIter() noexcept = default;
  CoEventIter(const Coevent& events, difference_type unit) noexcept
      : _events(&events), _unit(unit) {}

  CoEventRef operator*() const;
  CoEventRef operator[](difference_type n) const { return *(*this + n); }

  CoEventIter& operator++() noexcept { return *this += 1; }
  CoEventIter& operator--() noexcept { return *this -= 1; }
  CoEventIter operator++(int) noexcept {
    CoEventIter before = *this;
    ++_unit;
    return before;
  }
  CoEventIter operator--(int) noexcept {
    CoEventIter before = *this;
    --_unit;
    return before;
  }
  CoEventIter& operator+=(difference_type n) noexcept {
    _unit += n;
    return *this;
  }
  CoEventIter& operator-=(difference_type n) noexcept { return *this += -n; }
  friend CoEventIter operator+(CoEventIter it, difference_type n) noexcept { return it += n; }
  friend CoEventIter operator+(difference_type n, CoEventIter it) noexcept { return it += n; }
  friend CoEventIter operator-(CoEventIter it, difference_type n) noexcept { return it -= n; }
  friend difference_type operator-(CoEventIter a, CoEventIter b) noexcept {
    return a._unit - b._unit;
  }
  friend bool operator==(CoEventIter a, CoEventIter b) noexcept { return a._unit == b._unit; }
  friend auto operator<=>(CoEventIter a, CoEventIter b) noexcept { return a._unit <=> b._unit; }

 private:
  const Coevent* _events = nullptr;
  difference_type _unit = 0;
};

}  // namespace coarray
}  // namespace dash
