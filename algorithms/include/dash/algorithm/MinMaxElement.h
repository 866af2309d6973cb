#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>

#include "dash/algorithm/MinMax.h"
#include "dash/algorithm/internal/call/Call.h"
#include "dash/algorithm/internal/reduce/Extremes.h"
#include "dash/algorithm/internal/reduce/Lanes.h"
#include "dash/algorithm/internal/call/NodeChunks.h"
#include "dash/internal/transfer/LocalBlocks.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

/// The first smallest and the last largest element of a part of a range.
template <class T, class Index>
struct FoundBoth {
  Found<T, Index> min;
  Found<T, Index> max;

  /// What the other part has that is smaller, or larger, or equal and further outside.
  template <class Compare>
  FoundBoth joined(const FoundBoth& other, Compare& less) const {
    return {other.min.is_before(min, less) ? other.min : min,
            other.max.is_behind(max, less) ? other.max : max};
  }
};

struct MinMaxElement {
  static constexpr auto name = "dash::minmax_element";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt,
            class Compare = std::less<typename GlobIt::value_type>>
  std::pair<GlobIt, GlobIt> operator()(Call& call, const Policy& policy, const GlobIt& first,
                                       const GlobIt& last, Compare less = Compare()) const {
    using Result = FoundBoth<typename GlobIt::value_type, typename GlobIt::index_type>;
    const auto all = call.contribute<Result>(
        [&] { return local_minmax<Result>(call, policy, first, last, less); });
    return call.conclude<may_throw<Compare, typename GlobIt::value_type>>([&] {
      std::optional<Result> result;
      for (std::size_t unit = 0; unit < all.size(); ++unit) {
        if (all.has_value(unit)) join(result, all[unit], less);
      }
      return result ? std::pair(first + result->min.position, first + result->max.position)
                    : std::pair(last, last);
    });
  }

 private:
  template <class Result, class Compare>
  static void join(std::optional<Result>& result, const Result& other, Compare& less) {
    const Result joined = result ? result->joined(other, less) : other;
    result.emplace(joined);
  }

  template <class Result, ExecutionPolicy Policy, GlobalIterator GlobIt, class Compare>
  static std::optional<Result> local_minmax(Call& call, const Policy& policy, const GlobIt& first,
                                            const GlobIt& last, Compare& less) {
    using T = typename GlobIt::value_type;
    using Min = Found<T, typename GlobIt::index_type>;
    std::optional<Result> result;
    for_each_chunk_result<Result>(
        call, policy, first, last, least_chunk<FirstBy<Compare, T>, T>,
        [&](std::optional<Result>& so_far, const auto& run) {
          Compare own_less = less;
          for_each_ordered_part(
              first, run, [&](const auto* begin, const auto* end, const auto& position) {
                const auto [min, max] = first_and_last(begin, end, own_less);
                join(so_far, Result{{*min, position(min)}, {*max, position(max)}}, own_less);
              });
        },
        [&](const Result& of_chunk) { join(result, of_chunk, less); });
    take_leading_nan<GlobIt, Min>(first, last, [&](const Min& nan) {
      if (result && nan.is_before(result->min, less)) {
        const Min max = result->max;
        result.emplace(Result{nan, max});
      }
    });
    return result;
  }
};

}  // namespace internal

/// The first element of a global range that no other is less than, and the last one that is not less
/// than any other; {last, last} if the range is empty. The same on all units, and for any distribution.
/// NaN is passed over unless there is nothing else, or, for the smallest, it is the first element.
/// \param less  whether its first argument comes before its second
/// \collective over the range's team  \blocks until all units have contributed
/// \throws exception::RuntimeError on all units if the comparison throws on one
/// \cost an all-gather of two elements a unit; another one if the comparison might throw, as those of
///       the standard library on numbers do not
template <internal::GlobalIterator GlobIt, class Compare = std::less<typename GlobIt::value_type>>
std::pair<GlobIt, GlobIt> minmax_element(const GlobIt& first, const GlobIt& last,
                                         Compare less = Compare()) {
  return internal::call(internal::MinMaxElement{}, first, last, std::move(less));
}
/// \overload with a policy, or a range: minmax_element([policy,] range, less)
template <class... Args>
requires internal::OtherForm<Args...>
auto minmax_element(Args&&... args) {
  return internal::call(internal::MinMaxElement{}, std::forward<Args>(args)...);
}
/// The same in all forms, as a task. \returns the future of the two iterators
template <class... Args>
requires internal::GlobalForm<Args...>
auto minmax_element_async(Args&&... args) {
  return internal::start(internal::MinMaxElement{}, std::forward<Args>(args)...);
}

}  // namespace dash
