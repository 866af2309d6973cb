#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/NodeChunks.h"
#include "dash/algorithm/internal/reduce/Extremes.h"
#include "dash/algorithm/internal/reduce/Lanes.h"
#include "dash/algorithm/internal/reduce/Search.h"
#include "dash/internal/transfer/LocalBlocks.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

/// Calls fn(begin, end, position) for parts of a block whose elements are in the order of the
/// range. position(element) returns the position of an element in the range.
template <GlobalIterator GlobIt, class T, class Fn>
void for_each_ordered_part(const GlobIt& first, const LocalBlock<T>& block, Fn fn) {
  using Index = typename GlobIt::index_type;
  if constexpr (is_memory_ordered<GlobIt>) {
    fn(block.begin(), block.end(), [&](const auto* element) {
      const auto index = block.local_index + (element - block.begin());
      return static_cast<Index>(position_of_local(first, block.unit, static_cast<Index>(index)));
    });
  } else {
    for_each_position_block(first, block, [&](auto* begin, auto length, Index position) {
      fn(begin, begin + length, [begin, position](const auto* element) {
        return static_cast<Index>(position + (element - begin));
      });
    });
  }
}

/// Calls take() for a NaN at the beginning of the range if the caller owns it.
template <GlobalIterator GlobIt, class Result, class Take>
void apply_leading_nan(const GlobIt& first, const GlobIt& last, const Take& take) {
  using T = typename GlobIt::value_type;
  if constexpr (std::is_floating_point_v<T>) {
    if (!(first < last)) return;
    const T* const element = first.local();
    if (element != nullptr && is_nan(*element)) take(Result{*element, 0});
  }
}

/// The first of the caller's elements that no other element precedes in the order.
template <ExecutionPolicy Policy, GlobalIterator GlobIt, class Compare>
auto local_first_by(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                    const Compare& before) {
  using T = typename GlobIt::value_type;
  using Result = LocatedElement<T, typename GlobIt::index_type>;
  std::optional<Result> best;
  Compare own_before = before;
  const auto take = [&](const Result& candidate) {
    if (!best || candidate.is_before(*best, own_before)) best.emplace(candidate);
  };
  for_each_chunk_result<Result, ChunkResults::of_ranges>(
      call, policy, first, last, min_chunk_length<ExtremeOperation<Compare, T>, T>,
      [&](std::optional<Result>& partial, const auto& block) {
        Compare copy = before;
        for_each_ordered_part(
            first, block, [&](const auto* begin, const auto* end, const auto& position) {
              // If memory order is range order, an equivalent element that was found before is the
              // first one.
              const auto* const candidate = is_memory_ordered<GlobIt> && partial
                                                ? first_before(begin, end, partial->value, copy)
                                                : first_by(begin, end, copy);
              if (candidate == end) return;
              const Result found{*candidate, position(candidate)};
              if (!partial || found.is_before(*partial, copy)) partial.emplace(found);
            });
      },
      take);
  apply_leading_nan<GlobIt, Result>(first, last, take);
  return best;
}

struct MinElement {
  static constexpr auto name = "dash::min_element";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt,
            class Compare = std::less<typename GlobIt::value_type>>
  GlobIt operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                    Compare compare = Compare()) const {
    using Result = LocatedElement<typename GlobIt::value_type, typename GlobIt::index_type>;
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
      if (!best || candidate.is_before(*best, compare)) best.emplace(candidate);
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

/// \addtogroup algorithms
/// @{

/// The first smallest element of a global range; `last` if the range is empty. The result is the
/// same on all units and for any distribution, and is that of std::min_element: NaN is ignored
/// unless it is the first element or all elements are NaN.
/// \param compare  returns whether its first argument comes before its second; a strict weak
///                 ordering of the elements, except that NaN may be unordered
/// \collective over the range's team  \blocks until all units have contributed
/// \throws exception::RuntimeError on all units if the comparison throws on one
/// \cost an all-gather of one element per unit; a second one if the comparison might throw (the
///       standard library's comparisons of numbers do not)
template <internal::GlobalIterator GlobIt, class Compare = std::less<typename GlobIt::value_type>>
GlobIt min_element(const GlobIt& first, const GlobIt& last, Compare compare = Compare()) {
  return internal::call(internal::MinElement{}, first, last, std::move(compare));
}
/// \overload
/// With a policy, or a range: min_element([policy,] range, compare).
template <class... Args>
requires internal::OtherForm<Args...>
auto min_element(Args&&... args) {
  return internal::call(internal::MinElement{}, std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future of the iterator
/// \asynchronous{min_element}
template <class... Args>
requires internal::GlobalForm<Args...>
auto min_element_async(Args&&... args) {
  return internal::start(internal::MinElement{}, std::forward<Args>(args)...);
}

/// The first largest element of a global range; `last` if the range is empty. NaN is treated as in
/// min_element.
/// \param compare  returns whether its first argument comes before its second: greater, not less
/// \contract{min_element}
template <internal::GlobalIterator GlobIt,
          class Compare = std::greater<typename GlobIt::value_type>>
GlobIt max_element(const GlobIt& first, const GlobIt& last, Compare compare = Compare()) {
  return internal::call(internal::MaxElement{}, first, last, std::move(compare));
}
/// \overload
/// With a policy, or a range: max_element([policy,] range, compare).
template <class... Args>
requires internal::OtherForm<Args...>
auto max_element(Args&&... args) {
  return internal::call(internal::MaxElement{}, std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future of the iterator
/// \asynchronous{max_element}
template <class... Args>
requires internal::GlobalForm<Args...>
auto max_element_async(Args&&... args) {
  return internal::start(internal::MaxElement{}, std::forward<Args>(args)...);
}

/// The first smallest element of a native range, with the rules for global ranges.
/// \collective no
template <class T, class Compare = std::less<T>>
const T* min_element(const T* begin, const T* end, Compare compare = Compare()) {
  return internal::first_of_range(begin, end, compare);
}

/// The first largest element of a native range, with the rules for global ranges.
/// \collective no
template <class T, class Compare = std::greater<T>>
const T* max_element(const T* begin, const T* end, Compare compare = Compare()) {
  return internal::first_of_range(begin, end, compare);
}

/// @}

}  // namespace dash
