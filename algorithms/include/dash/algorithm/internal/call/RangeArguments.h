#pragma once

#include <concepts>
#include <iterator>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>

#include "dash/algorithm/internal/call/Call.h"

/// \file
/// Ranges among the arguments of an algorithm, as the iterators that it is made for.

namespace dash::internal {

/// A range of native memory, which is the same on all units.
template <class R>
concept NativeElements =
    !GlobalRange<R> && std::ranges::random_access_range<R> && std::ranges::common_range<R>;

/// One that does not live until the end of a task.
template <class R>
concept TemporaryRange = NativeElements<R> && !std::ranges::borrowed_range<R>;

/// An argument as a tuple: the begin and end of a range, else itself.
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
/// The same with the begin only, and of global ranges: an initial value may be a native one.
template <class Argument>
auto with_begin(Argument&& argument) {
  if constexpr (GlobalRange<Argument>) {
    return std::tuple(argument.begin());
  } else {
    return std::forward_as_tuple(std::forward<Argument>(argument));
  }
}

/// f(args...) with both iterators in place of each range.
template <class F, class... Args>
decltype(auto) apply_with_ends(F&& f, Args&&... args) {
  return std::apply(std::forward<F>(f),
                    std::tuple_cat(internal::with_ends(std::forward<Args>(args))...));
}
/// f(args...) with both iterators in place of the first range, if it is a global one, which may stand
/// behind a policy, and the begin in place of each other one.
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
