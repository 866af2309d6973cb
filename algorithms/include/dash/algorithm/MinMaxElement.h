#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>

#include "dash/algorithm/MinMax.h"
#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/NodeChunks.h"
#include "dash/algorithm/internal/reduce/Extremes.h"
#include "dash/algorithm/internal/reduce/Lanes.h"
#include "dash/internal/transfer/LocalBlocks.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

/// The first smallest and the last largest element of a part of a range.
template <class T, class Index>
struct MinMaxResult {
  LocatedElement<T, Index> min;
  LocatedElement<T, Index> max;

  /// Combines the results of two parts: of equivalent elements, the first smallest and the last
  /// largest one.
  template <class Compare>
  MinMaxResult merged(const MinMaxResult& other, Compare& less) const {
    return {other.min.is_before(min, less) ? other.min : min,
            other.max.is_after(max, less) ? other.max : max};
  }
};

struct MinMaxElement {
  static constexpr auto name = "dash::minmax_element";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt,
            class Compare = std::less<typename GlobIt::value_type>>
  std::pair<GlobIt, GlobIt> operator()(Call& call, const Policy& policy, const GlobIt& first,
                                       const GlobIt& last, Compare less = Compare()) const {
    using Result = MinMaxResult<typename GlobIt::value_type, typename GlobIt::index_type>;
    const auto all = call.contribute<Result>(
        [&] { return local_minmax<Result>(call, policy, first, last, less); });
    return call.conclude<may_throw<Compare, typename GlobIt::value_type>>([&] {
      std::optional<Result> result;
      for (std::size_t unit = 0; unit < all.size(); ++unit) {
        if (all.has_value(unit)) merge(result, all[unit], less);
      }
      return result ? std::pair(first + result->min.position, first + result->max.position)
                    : std::pair(last, last);
    });
  }

 private:
  template <class Result, class Compare>
  static void merge(std::optional<Result>& result, const Result& other, Compare& less) {
    const Result merged = result ? result->merged(other, less) : other;
    result.emplace(merged);
  }

  template <class Result, ExecutionPolicy Policy, GlobalIterator GlobIt, class Compare>
  static std::optional<Result> local_minmax(Call& call, const Policy& policy, const GlobIt& first,
                                            const GlobIt& last, Compare& less) {
    using T = typename GlobIt::value_type;
    using Min = LocatedElement<T, typename GlobIt::index_type>;
    std::optional<Result> result;
    for_each_chunk_result<Result>(
        call, policy, first, last, min_chunk_length<ExtremeOperation<Compare, T>, T>,
        [&](std::optional<Result>& partial, const auto& block) {
          Compare own_less = less;
          for_each_ordered_part(
              first, block, [&](const auto* begin, const auto* end, const auto& position) {
                const auto [min, max] = first_and_last(begin, end, own_less);
                merge(partial, Result{{*min, position(min)}, {*max, position(max)}}, own_less);
              });
        },
        [&](const Result& of_chunk) { merge(result, of_chunk, less); });
    apply_leading_nan<GlobIt, Min>(first, last, [&](const Min& nan) {
      if (result && nan.is_before(result->min, less)) {
        const Min max = result->max;
        result.emplace(Result{nan, max});
      }
    });
    return result;
  }
};

}  // namespace internal

/// \addtogroup algorithms
/// @{

/// The first smallest and the last largest element of a global range; {last, last} if the range is
/// empty. The result is the same on all units and for any distribution. NaN is ignored unless all
/// elements are NaN or, for the smallest element, it is the first one.
/// \param less  returns whether its first argument comes before its second
/// \collective over the range's team  \blocks until all units have contributed
/// \throws exception::RuntimeError on all units if the comparison throws on one
/// \cost an all-gather of two elements per unit; a second one if the comparison might throw (the
///       standard library's comparisons of numbers do not)
template <internal::GlobalIterator GlobIt, class Compare = std::less<typename GlobIt::value_type>>
std::pair<GlobIt, GlobIt> minmax_element(const GlobIt& first, const GlobIt& last,
                                         Compare less = Compare()) {
  return internal::call(internal::MinMaxElement{}, first, last, std::move(less));
}
/// \overload
/// With a policy, or a range: minmax_element([policy,] range, less).
template <class... Args>
requires internal::OtherForm<Args...>
auto minmax_element(Args&&... args) {
  return internal::call(internal::MinMaxElement{}, std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future of the two
/// iterators
/// \asynchronous{minmax_element}
template <class... Args>
requires internal::GlobalForm<Args...>
auto minmax_element_async(Args&&... args) {
  return internal::start(internal::MinMaxElement{}, std::forward<Args>(args)...);
}

/// @}

}  // namespace dash
