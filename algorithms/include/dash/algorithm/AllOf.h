#pragma once

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/NodeChunks.h"
#include "dash/algorithm/internal/reduce/Search.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

/// Whether `wanted` holds for any element of a range. All threads stop at the first match of any of
/// them.
template <ExecutionPolicy Policy, GlobalIterator GlobIt, class Wanted>
bool exists(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
            const Wanted& wanted) {
  const auto found = call.contribute<bool>([&] {
    // Relaxed: it publishes no data. An old value only delays the end of a loop.
    std::atomic<bool> has_match{false};
    run_parts(call, policy, first, last, [&](const auto& part) {
      constexpr default_index_t step =
          1024;  // elements between two checks for matches of other threads
      auto* begin = part.begin();
      while (begin != part.end() && !has_match.load(std::memory_order_relaxed)) {
        auto* const end = begin + std::min<default_index_t>(part.end() - begin, step);
        if (std::any_of(begin, end, wanted)) has_match.store(true, std::memory_order_relaxed);
        begin = end;
      }
    });
    return has_match.load(std::memory_order_relaxed) ? std::optional(true) : std::nullopt;
  });
  return has_any(found);
}

struct AllOf {
  static constexpr auto name = "dash::all_of";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt, class Predicate>
  bool operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                  Predicate predicate) const {
    return !exists(call, policy, first, last,
                   [&predicate](auto& element) -> bool { return !predicate(element); });
  }
};

struct AnyOf {
  static constexpr auto name = "dash::any_of";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt, class Predicate>
  bool operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                  Predicate predicate) const {
    return exists(call, policy, first, last,
                  [&predicate](auto& element) -> bool { return predicate(element); });
  }
};

struct NoneOf {
  static constexpr auto name = "dash::none_of";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt, class Predicate>
  bool operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                  Predicate predicate) const {
    return !exists(call, policy, first, last,
                   [&predicate](auto& element) -> bool { return predicate(element); });
  }
};

}  // namespace internal

/// \addtogroup algorithms
/// @{

/// Whether all elements of a global range satisfy a predicate; true if there are none. The same on
/// all units.
///
/// Each unit stops at the first of its elements that does not satisfy the predicate. The predicate
/// is called concurrently if the unit has several processors.
/// \collective over the range's team  \blocks until all units have contributed
/// \throws exception::RuntimeError on all units if the predicate throws on one
/// \cost an all-gather of one word per unit
template <internal::GlobalIterator GlobIt, class UnaryPredicate>
bool all_of(GlobIt first, GlobIt last, UnaryPredicate predicate) {
  return internal::call(internal::AllOf{}, first, last, std::move(predicate));
}
/// \overload
/// With a policy, or a range: all_of([policy,] range, predicate).
template <class... Args>
requires internal::OtherForm<Args...>
bool all_of(Args&&... args) {
  return internal::call(internal::AllOf{}, std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future of the result
/// \asynchronous{all_of}
template <class... Args>
requires internal::GlobalForm<Args...> Future<bool> all_of_async(Args&&... args) {
  return internal::start(internal::AllOf{}, std::forward<Args>(args)...);
}

/// Whether an element of a global range satisfies a predicate; false if there are none.
/// \contract{all_of}
template <internal::GlobalIterator GlobIt, class UnaryPredicate>
bool any_of(GlobIt first, GlobIt last, UnaryPredicate predicate) {
  return internal::call(internal::AnyOf{}, first, last, std::move(predicate));
}
/// \overload
/// With a policy, or a range: any_of([policy,] range, predicate).
template <class... Args>
requires internal::OtherForm<Args...>
bool any_of(Args&&... args) {
  return internal::call(internal::AnyOf{}, std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future of the result
/// \asynchronous{any_of}
template <class... Args>
requires internal::GlobalForm<Args...> Future<bool> any_of_async(Args&&... args) {
  return internal::start(internal::AnyOf{}, std::forward<Args>(args)...);
}

/// Whether no element of a global range satisfies a predicate; true if there are none.
/// \contract{all_of}
template <internal::GlobalIterator GlobIt, class UnaryPredicate>
bool none_of(GlobIt first, GlobIt last, UnaryPredicate predicate) {
  return internal::call(internal::NoneOf{}, first, last, std::move(predicate));
}
/// \overload
/// With a policy, or a range: none_of([policy,] range, predicate).
template <class... Args>
requires internal::OtherForm<Args...>
bool none_of(Args&&... args) {
  return internal::call(internal::NoneOf{}, std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future of the result
/// \asynchronous{none_of}
template <class... Args>
requires internal::GlobalForm<Args...> Future<bool> none_of_async(Args&&... args) {
  return internal::start(internal::NoneOf{}, std::forward<Args>(args)...);
}

/// @}

}  // namespace dash
