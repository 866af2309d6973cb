#pragma once

#include <algorithm>
#include <utility>

#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/reduce/Search.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

/// Iterator to the first of the matches that search(begin, end) finds in native ranges.
template <ExecutionPolicy Policy, GlobalIterator GlobIt, class Search>
GlobIt find_first(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                  const Search& search) {
  const auto positions = call.contribute<typename GlobIt::index_type>(
      [&] { return local_first_match(call, policy, first, last, search); });
  const auto position = lowest(positions);
  return position ? first + *position : last;
}

struct Find {
  static constexpr auto name = "dash::find";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt, class T>
  GlobIt operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                    const T& value) const {
    return find_first(call, policy, first, last,
                      [&value](auto* begin, auto* end) { return std::find(begin, end, value); });
  }
};

struct FindIf {
  static constexpr auto name = "dash::find_if";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt, class Predicate>
  GlobIt operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                    Predicate predicate) const {
    return find_first(call, policy, first, last, [&predicate](auto* begin, auto* end) {
      return std::find_if(begin, end,
                          [&predicate](auto& element) -> bool { return predicate(element); });
    });
  }
};

struct FindIfNot {
  static constexpr auto name = "dash::find_if_not";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt, class Predicate>
  GlobIt operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                    Predicate predicate) const {
    return find_first(call, policy, first, last, [&predicate](auto* begin, auto* end) {
      return std::find_if(begin, end,
                          [&predicate](auto& element) -> bool { return !predicate(element); });
    });
  }
};

}  // namespace internal

/// \addtogroup algorithms
/// @{

/// The first element of a global range that equals a value; `last` if none does. The same on all
/// units.
///
/// Each unit searches its own elements, and stops at its first match.
/// \collective over the range's team  \blocks until all units have searched
/// \throws exception::RuntimeError on all units if the comparison throws on one
/// \cost an all-gather of one index per unit
template <internal::GlobalIterator GlobIt, class T = typename GlobIt::value_type>
GlobIt find(GlobIt first, GlobIt last, const T& value) {
  return internal::call(internal::Find{}, first, last, value);
}
/// \overload
/// With a policy, or a range instead of two iterators: find([policy,] range, value).
template <class... Args>
requires internal::OtherForm<Args...>
auto find(Args&&... args) {
  return internal::call(internal::Find{}, std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future of the iterator
/// \asynchronous{find}
template <class... Args>
requires internal::GlobalForm<Args...>
auto find_async(Args&&... args) {
  return internal::start(internal::Find{}, std::forward<Args>(args)...);
}

/// The first element of a global range that satisfies a predicate; `last` if none does. The
/// predicate is called concurrently if the unit has several processors.
/// \contract{find}
template <internal::GlobalIterator GlobIt, class UnaryPredicate>
GlobIt find_if(GlobIt first, GlobIt last, UnaryPredicate predicate) {
  return internal::call(internal::FindIf{}, first, last, std::move(predicate));
}
/// \overload
/// With a policy, or a range: find_if([policy,] range, predicate).
template <class... Args>
requires internal::OtherForm<Args...>
auto find_if(Args&&... args) {
  return internal::call(internal::FindIf{}, std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future of the iterator
/// \asynchronous{find_if}
template <class... Args>
requires internal::GlobalForm<Args...>
auto find_if_async(Args&&... args) {
  return internal::start(internal::FindIf{}, std::forward<Args>(args)...);
}

/// The first element of a global range that does not satisfy a predicate; `last` if all do.
/// \contract{find}
template <internal::GlobalIterator GlobIt, class UnaryPredicate>
GlobIt find_if_not(GlobIt first, GlobIt last, UnaryPredicate predicate) {
  return internal::call(internal::FindIfNot{}, first, last, std::move(predicate));
}
/// \overload
/// With a policy, or a range: find_if_not([policy,] range, predicate).
template <class... Args>
requires internal::OtherForm<Args...>
auto find_if_not(Args&&... args) {
  return internal::call(internal::FindIfNot{}, std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future of the iterator
/// \asynchronous{find_if_not}
template <class... Args>
requires internal::GlobalForm<Args...>
auto find_if_not_async(Args&&... args) {
  return internal::start(internal::FindIfNot{}, std::forward<Args>(args)...);
}

/// @}

}  // namespace dash
