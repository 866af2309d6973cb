#pragma once

#include <algorithm>
#include <utility>

#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/NodeChunks.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

struct ReplaceIf {
  static constexpr auto name = "dash::replace_if";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt, class Predicate>
  void operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                  Predicate predicate, const typename GlobIt::value_type& value) const {
    call.run([&] {
      run_parts(call, policy, first, last, [&](const auto& part) {
        for (auto& element : part) {
          if (predicate(element)) element = value;
        }
      });
    });
  }
};

struct Replace {
  static constexpr auto name = "dash::replace";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt, class T>
  void operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                  const T& old_value, const typename GlobIt::value_type& value) const {
    ReplaceIf{}(
        call, policy, first, last, [&old_value](auto& element) { return element == old_value; },
        value);
  }
};

}  // namespace internal

/// \addtogroup algorithms
/// @{

/// Assigns a value to the elements of a global range that equal another value.
/// \completion ends with a barrier: all units see the changes
/// \collective over the range's team  \blocks until all units have done their part
/// \throws exception::RuntimeError on all units if the comparison throws on one
template <internal::GlobalIterator GlobIt, class T = typename GlobIt::value_type>
void replace(GlobIt first, GlobIt last, const T& old_value,
             const typename GlobIt::value_type& value) {
  internal::call(internal::Replace{}, first, last, old_value, value);
}
/// \overload
/// With a policy, or a range: replace([policy,] range, old_value, value).
template <class... Args>
requires internal::OtherForm<Args...>
void replace(Args&&... args) {
  internal::call(internal::Replace{}, std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future that is ready when
/// all units have finished
/// \asynchronous{replace}
template <class... Args>
requires internal::GlobalForm<Args...> Future<void> replace_async(Args&&... args) {
  return internal::start(internal::Replace{}, std::forward<Args>(args)...);
}

/// Assigns a value to the elements of a global range that satisfy a predicate. The predicate is
/// called concurrently if the unit has several processors.
/// \contract{replace}
template <internal::GlobalIterator GlobIt, class UnaryPredicate>
void replace_if(GlobIt first, GlobIt last, UnaryPredicate predicate,
                const typename GlobIt::value_type& value) {
  internal::call(internal::ReplaceIf{}, first, last, std::move(predicate), value);
}
/// \overload
/// With a policy, or a range: replace_if([policy,] range, predicate, value).
template <class... Args>
requires internal::OtherForm<Args...>
void replace_if(Args&&... args) {
  internal::call(internal::ReplaceIf{}, std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future that is ready when
/// all units have finished
/// \asynchronous{replace_if}
template <class... Args>
requires internal::GlobalForm<Args...> Future<void> replace_if_async(Args&&... args) {
  return internal::start(internal::ReplaceIf{}, std::forward<Args>(args)...);
}

/// @}

}  // namespace dash
