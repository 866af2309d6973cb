#pragma once

#include <iterator>
#include <ostream>
#include <string_view>
#include <type_traits>
#include <utility>

#include "dash/Range.h"
#include "dash/dart/if/dart_types.h"

/// \name Prints the ids of units
/// @{
template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                             const dart_team_unit_t& unit) {
  return os << unit.id;
}
template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                             const dart_global_unit_t& unit) {
  return os << unit.id;
}
/// @}

namespace dash {

namespace internal {

/// Ranges that are printed element by element; text is not.
template <class T>
concept PrintedRange = is_range<T>::value && !std::is_convertible_v<const T&, std::string_view> &&
                       !std::is_convertible_v<const T&, std::wstring_view>;

template <class T>
inline constexpr bool is_pair = false;
template <class First, class Second>
inline constexpr bool is_pair<std::pair<First, Second>> = true;

/// Types that a stream prints, possibly by the operators below.
template <class T, class Stream>
concept Printable = PrintedRange<T> || is_pair<T> || requires(Stream& stream, const T& value) {
  stream << value;
};

}  // namespace internal

/// \name Prints pairs, and the elements of ranges
/// To be used from this namespace or with a using-directive. Prints a pair as (1,a), a range as {
/// 1,2,3 } and a map as { (1,a),(2,b) }. Elements of other units are fetched one by one.
/// @{
template <class Char, class Traits, internal::Printable<std::basic_ostream<Char, Traits>> First,
          internal::Printable<std::basic_ostream<Char, Traits>> Second>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                             const std::pair<First, Second>& pair);

template <class Char, class Traits, internal::PrintedRange Range>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                             const Range& range) {
  using Value = typename std::iterator_traits<decltype(range.begin())>::value_type;
  os << "{ ";
  const char* separator = "";
  for (auto it = range.begin(); it != range.end(); ++it) {
    os << separator << static_cast<const Value&>(static_cast<Value>(*it));
    separator = ",";
  }
  return os << " }";
}

template <class Char, class Traits, internal::Printable<std::basic_ostream<Char, Traits>> First,
          internal::Printable<std::basic_ostream<Char, Traits>> Second>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                             const std::pair<First, Second>& pair) {
  return os << '(' << pair.first << ',' << pair.second << ')';
}
/// @}

}  // namespace dash
