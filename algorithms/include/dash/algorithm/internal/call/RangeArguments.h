#pragma once

#include <concepts>
#include <iterator>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>

#include "dash/algorithm/internal/call/CallForms.h"

/// \file
/// Replaces ranges among the arguments of an algorithm by the iterators that it expects.

namespace dash::internal {

/// A range of native memory with the same elements on all units.
template <class R>
concept NativeElements =
    !GlobalRange<R> && std::ranges::random_access_range<R> && std::ranges::common_range<R>;

/// A temporary native range, which would not live until the end of a task.
template <class R>
concept TemporaryRange = NativeElements<R> && !std::ranges::borrowed_range<R>;

/// An argument as a tuple: the begin and end iterators of a range, or the argument itself.
template <class Argument>
auto with_ends(Argument&& argument) {
  if constexpr (GlobalRange<Argument>) {
    return std::tuple(argument.begin(), argument.end());
  } else if constexpr (NativeElements<Argument>) {
    return std::tuple(std::ranges::begin(argument), std::ranges::end(argument));
  } else {
    return std::forward_as_tuple(std::forward<Argument>(argument));
  }
}
/// An argument as a tuple: begin() of a global range, or the argument itself. Native ranges are
/// not replaced, since an initial value may be one.
template <class Argument>
auto with_begin(Argument&& argument) {
  if constexpr (GlobalRange<Argument>) {
    return std::tuple(argument.begin());
  } else {
    return std::forward_as_tuple(std::forward<Argument>(argument));
  }
}

/// Calls f(args...) with each range replaced by its two iterators.
template <class F, class... Args>
decltype(auto) apply_with_ends(F&& f, Args&&... args) {
  return std::apply(std::forward<F>(f),
                    std::tuple_cat(internal::with_ends(std::forward<Args>(args))...));
}
/// Calls f(args...) with the first argument after the policy, if it is a global range, replaced by
/// its two iterators, and each other global range replaced by its begin().
template <class F, class First, class... Args>
decltype(auto) apply_with_begins(F&& f, First&& first, Args&&... args) {
  if constexpr (ExecutionPolicy<First>) {
    return internal::apply_with_begins(
        [&](auto&&... rest) -> decltype(auto) {
          return f(first, std::forward<decltype(rest)>(rest)...);
        },
        std::forward<Args>(args)...);
  } else if constexpr (GlobalRange<First>) {
    return std::apply(std::forward<F>(f),
                      std::tuple_cat(std::tuple(first.begin(), first.end()),
                                     internal::with_begin(std::forward<Args>(args))...));
  } else {
    return std::apply(std::forward<F>(f),
                      std::tuple_cat(std::forward_as_tuple(std::forward<First>(first)),
                                     internal::with_begin(std::forward<Args>(args))...));
  }
}

}  // namespace dash::internal
