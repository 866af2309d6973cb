#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/NodeChunks.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

/// The sum of count(begin, end) of native ranges, of at least `min_length` elements if possible.
template <ExecutionPolicy Policy, GlobalIterator GlobIt, class CountPart>
auto count_parts(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                 std::size_t min_length, const CountPart& count) {
  using Count = typename GlobIt::difference_type;
  const auto counts = call.contribute<Count>([&]() -> std::optional<Count> {
    Count local = 0;
    for_each_chunk_result<Count>(
        call, policy, first, last, min_length,
        [&count](std::optional<Count>& partial, const auto& block) {
          partial = partial.value_or(0) + static_cast<Count>(count(block.begin(), block.end()));
        },
        [&local](Count of_chunk) { local += of_chunk; });
    return local;
  });
  Count total = 0;
  for (std::size_t unit = 0; unit < counts.size(); ++unit)
    total += counts[unit];
  return total;
}

struct Count {
  static constexpr auto name = "dash::count";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt, class T>
  auto operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                  const T& value) const {
    using Element = typename GlobIt::value_type;
    // Comparing numbers is cheap.
    constexpr std::size_t min_length = std::is_arithmetic_v<Element> ? 4096 / sizeof(Element) : 1;
    return count_parts(call, policy, first, last, min_length,
                       [&value](auto* begin, auto* end) { return std::count(begin, end, value); });
  }
};

struct CountIf {
  static constexpr auto name = "dash::count_if";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt, class Predicate>
  auto operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                  Predicate predicate) const {
    return count_parts(call, policy, first, last, 1, [&predicate](auto* begin, auto* end) {
      return std::count_if(begin, end,
                           [&predicate](auto& element) -> bool { return predicate(element); });
    });
  }
};

}  // namespace internal

/// \addtogroup algorithms
/// @{

/// The number of elements of a global range that equal a value; the same on all units.
/// \collective over the range's team  \blocks until all units have counted
/// \throws exception::RuntimeError on all units if the comparison throws on one
/// \cost an all-gather of one number per unit
template <internal::GlobalIterator GlobIt, class T = typename GlobIt::value_type>
typename GlobIt::difference_type count(GlobIt first, GlobIt last, const T& value) {
  return internal::call(internal::Count{}, first, last, value);
}
/// \overload
/// With a policy, or a range: count([policy,] range, value).
template <class... Args>
requires internal::OtherForm<Args...>
auto count(Args&&... args) {
  return internal::call(internal::Count{}, std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future of the number
/// \asynchronous{count}
template <class... Args>
requires internal::GlobalForm<Args...>
auto count_async(Args&&... args) {
  return internal::start(internal::Count{}, std::forward<Args>(args)...);
}

/// The number of elements of a global range that satisfy a predicate; the same on all units. The
/// predicate is called concurrently if the unit has several processors.
/// \contract{count}
template <internal::GlobalIterator GlobIt, class UnaryPredicate>
typename GlobIt::difference_type count_if(GlobIt first, GlobIt last, UnaryPredicate predicate) {
  return internal::call(internal::CountIf{}, first, last, std::move(predicate));
}
/// \overload
/// With a policy, or a range: count_if([policy,] range, predicate).
template <class... Args>
requires internal::OtherForm<Args...>
auto count_if(Args&&... args) {
  return internal::call(internal::CountIf{}, std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future of the number
/// \asynchronous{count_if}
template <class... Args>
requires internal::GlobalForm<Args...>
auto count_if_async(Args&&... args) {
  return internal::start(internal::CountIf{}, std::forward<Args>(args)...);
}

/// @}

}  // namespace dash
