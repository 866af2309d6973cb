#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "dash/algorithm/internal/Call.h"
#include "dash/algorithm/internal/Lanes.h"
#include "dash/algorithm/internal/NodeChunks.h"
#include "dash/internal/LocalRuns.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

/// An element and where it is in a range.
template <class T, class Index>
struct Found {
  T value;
  Index position;
};

/// The first of the elements that no other comes before, of the caller's part of a range.
template <ExecutionPolicy Policy, GlobalIterator GlobIt, class Compare>
auto local_first_by(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                    const Compare& before) {
  using T = typename GlobIt::value_type;
  using Index = typename GlobIt::index_type;
  using Result = Found<T, Index>;
  std::optional<Result> best;
  Compare own_before = before;
  for_each_chunk_result<Result>(
      call, policy, first, last, least_chunk<FirstBy<Compare, T>, T>,
      [&](std::optional<Result>& so_far, const auto& run) {
        Compare copy = before;
        const auto* const candidate = first_by(run.begin(), run.end(), copy);
        if (so_far && !copy(*candidate, so_far->value)) return;
        const auto local_index = run.local_index + (candidate - run.begin());
        so_far.emplace(Result{*candidate,
                              position_of_local(first, run.unit, static_cast<Index>(local_index))});
      },
      [&](const Result& candidate) {
        if (!best || own_before(candidate.value, best->value)) best.emplace(candidate);
      });
  return best;
}

struct MinElement {
  static constexpr auto name = "dash::min_element";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt,
            class Compare = std::less<typename GlobIt::value_type>>
  GlobIt operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                    Compare compare = Compare()) const {
    using Result = Found<typename GlobIt::value_type, typename GlobIt::index_type>;
    const auto found =
        call.contribute<Result>([&] { return local_first_by(call, policy, first, last, compare); });
    return call.conclude<may_throw<Compare, typename GlobIt::value_type>>([&] {
      const std::optional<Result> best = first_of_units(found, compare);
      return best ? first + best->position : last;
    });
  }

 private:
  template <class Result, class Compare>
  static std::optional<Result> first_of_units(const Gathered<Result>& found, Compare& compare) {
    std::optional<Result> best;
    for (std::size_t unit = 0; unit < found.size(); ++unit) {
      if (!found.has_value(unit)) continue;
      const Result candidate = found[unit];
      // Of equal elements the first one, which any unit may have.
      const bool better =
          !best || compare(candidate.value, best->value) ||
          (!compare(best->value, candidate.value) && candidate.position < best->position);
      if (better) best.emplace(candidate);
    }
    return best;
  }
};

struct MaxElement {
  static constexpr auto name = "dash::max_element";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt,
            class Compare = std::greater<typename GlobIt::value_type>>
  GlobIt operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                    Compare compare = Compare()) const {
    return MinElement{}(call, policy, first, last, std::move(compare));
  }
};

}  // namespace internal

/// The first element of a global range that no other is less than; `last` if the range is empty.
/// The same on all units.
/// \param compare  whether its first argument comes before its second
/// \collective over the range's team  \blocks until all units have contributed
/// \throws exception::RuntimeError on all units if the comparison throws on one
/// \cost an all-gather of one element a unit
template <internal::GlobalIterator GlobIt, class Compare = std::less<typename GlobIt::value_type>>
GlobIt min_element(const GlobIt& first, const GlobIt& last, Compare compare = Compare()) {
  return internal::call(internal::MinElement{}, first, last, std::move(compare));
}
/// \overload with a policy, or a range: min_element([policy,] range, compare)
template <class... Args>
requires internal::OtherForm<Args...>
auto min_element(Args&&... args) {
  return internal::call(internal::MinElement{}, std::forward<Args>(args)...);
}
/// The same in all forms, as a task. \returns the future of the iterator
template <class... Args>
requires internal::GlobalForm<Args...>
auto min_element_async(Args&&... args) {
  return internal::start(internal::MinElement{}, std::forward<Args>(args)...);
}

/// The first element of a global range that is not less than any other; `last` if it is empty.
/// \param compare  whether its first argument comes before its second: greater, not less
/// \see min_element
template <internal::GlobalIterator GlobIt,
          class Compare = std::greater<typename GlobIt::value_type>>
GlobIt max_element(const GlobIt& first, const GlobIt& last, Compare compare = Compare()) {
  return internal::call(internal::MaxElement{}, first, last, std::move(compare));
}
/// \overload with a policy, or a range: max_element([policy,] range, compare)
template <class... Args>
requires internal::OtherForm<Args...>
auto max_element(Args&&... args) {
  return internal::call(internal::MaxElement{}, std::forward<Args>(args)...);
}
/// The same in all forms, as a task. \returns the future of the iterator
template <class... Args>
requires internal::GlobalForm<Args...>
auto max_element_async(Args&&... args) {
  return internal::start(internal::MaxElement{}, std::forward<Args>(args)...);
}

/// The first element of a native range that no other is less than. Not collective.
template <class T, class Compare = std::less<T>>
const T* min_element(const T* begin, const T* end, Compare compare = Compare()) {
  return begin == end ? end : internal::first_by(begin, end, compare);
}

/// The first element of a native range that is not less than any other. Not collective.
template <class T, class Compare = std::greater<T>>
const T* max_element(const T* begin, const T* end, Compare compare = Compare()) {
  return begin == end ? end : internal::first_by(begin, end, compare);
}

}  // namespace dash
