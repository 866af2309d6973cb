#pragma once

#include <compare>
#include <cstddef>
#include <iterator>

#include "dash/coarray/CoEventRef.h"
#include "dash/internal/Unit.h"

namespace dash {

class Coevent;

namespace coarray {

/// \ingroup atomics
/// Iterates over the events of all units.
class DASH_API CoEventIter {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = CoEventRef;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = CoEventRef;

  /// A singular iterator, which can only be assigned to.
  CoEventIter() noexcept = default;
  /// Used by Coevent: an iterator to the event of a unit.
  CoEventIter(const Coevent& events, difference_type unit) noexcept
      : _events(&events), _unit(unit) {}

  /// The event of the unit at this position.
  /// \throws exception::InvalidArgument if the team has no such unit
  CoEventRef operator*() const;
  /// The event of the unit n positions ahead.
  /// \throws exception::InvalidArgument if the team has no such unit
  CoEventRef operator[](difference_type n) const { return *(*this + n); }

  /// Advances to the next unit.
  CoEventIter& operator++() noexcept { return *this += 1; }
  /// Goes back to the previous unit.
  CoEventIter& operator--() noexcept { return *this -= 1; }
  /// Advances to the next unit.
  /// \returns the iterator before the call
  CoEventIter operator++(int) noexcept {
    CoEventIter before = *this;
    ++_unit;
    return before;
  }
  /// Goes back to the previous unit.
  /// \returns the iterator before the call
  CoEventIter operator--(int) noexcept {
    CoEventIter before = *this;
    --_unit;
    return before;
  }
  /// Advances by n units.
  CoEventIter& operator+=(difference_type n) noexcept {
    _unit += n;
    return *this;
  }
  /// Goes back by n units.
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
