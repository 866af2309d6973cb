#pragma once

#include <compare>
#include <concepts>
#include <iosfwd>
#include <type_traits>

#include "dash/dart/if/dart_types.h"

namespace dash {

enum unit_scope { local_unit, global_unit };

namespace internal {

template <class T>
concept Integer = std::is_integral_v<T>;

/// Compares two integers by their mathematical values, independent of their signedness.
template <Integer I>
constexpr std::strong_ordering compare_id(dart_unit_t id, I value) noexcept {
  if constexpr (std::is_signed_v<I>) {
    return static_cast<long long>(id) <=> static_cast<long long>(value);
  } else {
    if (id < 0) return std::strong_ordering::less;
    return static_cast<unsigned long long>(id) <=> static_cast<unsigned long long>(value);
  }
}

}  // namespace internal

/// Id of a unit: of all units (global_unit_t), or relative to a team (team_unit_t). The two are
/// different types that cannot be compared or assigned to each other.
///
/// Converts to a raw id, so that it can be used as an index and in arithmetic with integers.
/// Comparisons with integers go by value: an undefined id (-1) is less than any size.
template <unit_scope Scope, class DARTType>
struct unit_id : public DARTType {
  static constexpr unit_scope scope = Scope;

  /// The undefined id, -1.
  explicit constexpr unit_id() noexcept : DARTType(DART_UNDEFINED_UNIT_ID) {}
  explicit constexpr unit_id(dart_unit_t unit) noexcept : DARTType(unit) {}
  constexpr unit_id(const DARTType& unit) noexcept : DARTType(unit) {}  // NOLINT: as DASH's

  /// Converts an id of the other scope without changing the number.
  template <unit_scope OtherScope, class OtherType>
  requires(OtherScope !=
           Scope) explicit constexpr unit_id(const unit_id<OtherScope, OtherType>& other) noexcept
      : DARTType(other.id) {}

  constexpr unit_id& operator=(dart_unit_t unit) noexcept {
    this->id = unit;
    return *this;
  }
  template <unit_scope OtherScope, class OtherType>
  requires(OtherScope != Scope) unit_id& operator=(const unit_id<OtherScope, OtherType>&) = delete;

  constexpr operator dart_unit_t() const noexcept { return this->id; }  // NOLINT: as DASH's

  constexpr unit_id& operator++() noexcept {
    ++this->id;
    return *this;
  }
  constexpr unit_id operator++(int) noexcept {
    unit_id before = *this;
    ++this->id;
    return before;
  }
  constexpr unit_id& operator--() noexcept {
    --this->id;
    return *this;
  }
  constexpr unit_id operator--(int) noexcept {
    unit_id before = *this;
    --this->id;
    return before;
  }

  constexpr unit_id& operator+=(dart_unit_t value) noexcept {
    this->id += value;
    return *this;
  }
  constexpr unit_id& operator-=(dart_unit_t value) noexcept {
    this->id -= value;
    return *this;
  }
  constexpr unit_id& operator*=(dart_unit_t value) noexcept {
    this->id *= value;
    return *this;
  }
  constexpr unit_id& operator/=(dart_unit_t value) noexcept {
    this->id /= value;
    return *this;
  }
  constexpr unit_id& operator%=(dart_unit_t value) noexcept {
    this->id %= value;
    return *this;
  }

  friend constexpr unit_id operator+(unit_id a, unit_id b) noexcept { return unit_id(a.id + b.id); }
  friend constexpr unit_id operator-(unit_id a, unit_id b) noexcept { return unit_id(a.id - b.id); }

  friend constexpr bool operator==(unit_id a, unit_id b) noexcept { return a.id == b.id; }
  friend constexpr std::strong_ordering operator<=>(unit_id a, unit_id b) noexcept {
    return a.id <=> b.id;
  }

  // Templates, so that they are preferred to the built-in comparisons of the converted id.
  template <internal::Integer I>
  friend constexpr bool operator==(unit_id a, I b) noexcept {
    return internal::compare_id(a.id, b) == 0;
  }
  template <internal::Integer I>
  friend constexpr std::strong_ordering operator<=>(unit_id a, I b) noexcept {
    return internal::compare_id(a.id, b);
  }

  template <unit_scope OtherScope, class OtherType>
  requires(OtherScope != Scope) friend constexpr bool operator==(
      unit_id, unit_id<OtherScope, OtherType>) = delete;
  template <unit_scope OtherScope, class OtherType>
  requires(OtherScope != Scope) friend constexpr std::strong_ordering operator<=>(
      unit_id, unit_id<OtherScope, OtherType>) = delete;

  // As in DASH 0.4, only ==, < and > between the two kinds of ids do not compile.
  template <unit_scope OtherScope, class OtherType>
  requires(OtherScope != Scope) friend constexpr bool operator!=(
      unit_id a, unit_id<OtherScope, OtherType> b) noexcept {
    return a.id != b.id;
  }
  template <unit_scope OtherScope, class OtherType>
  requires(OtherScope != Scope) friend constexpr bool operator<=(
      unit_id a, unit_id<OtherScope, OtherType> b) noexcept {
    return a.id <= b.id;
  }
  template <unit_scope OtherScope, class OtherType>
  requires(OtherScope != Scope) friend constexpr bool operator>=(
      unit_id a, unit_id<OtherScope, OtherType> b) noexcept {
    return a.id >= b.id;
  }

  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                                      unit_id unit) {
    return os << unit.id;
  }
};

/// Id of a unit relative to a team.
using team_unit_t = unit_id<local_unit, dart_team_unit_t>;
/// Id of a unit among all units.
using global_unit_t = unit_id<global_unit, dart_global_unit_t>;

namespace internal {

/// A parameter that takes the id of a unit, also as a number, as in programs for versions of DASH before 0.4.
/// \tparam Unit  team_unit_t or global_unit_t; an id of the other kind is not accepted
template <class Unit>
class UnitArgument {
 public:
  template <class Id>
  requires std::convertible_to<const Id&, Unit>
  constexpr UnitArgument(const Id& unit) noexcept : _unit(unit) {}  // NOLINT: a parameter
  template <Integer I>
  requires(!std::is_same_v<I, bool>) constexpr UnitArgument(I number) noexcept  // NOLINT: the same
      : _unit(static_cast<dart_unit_t>(number)) {}

  constexpr operator Unit() const noexcept { return _unit; }  // NOLINT: the same

 private:
  Unit _unit;
};

using TeamUnitArgument = UnitArgument<team_unit_t>;
using GlobalUnitArgument = UnitArgument<global_unit_t>;

}  // namespace internal

inline constexpr team_unit_t UNDEFINED_TEAM_UNIT_ID{DART_UNDEFINED_UNIT_ID};
inline constexpr global_unit_t UNDEFINED_GLOBAL_UNIT_ID{DART_UNDEFINED_UNIT_ID};

}  // namespace dash
