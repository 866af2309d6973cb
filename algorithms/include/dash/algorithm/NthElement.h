#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "dash/Exception.h"
#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/Tasks.h"
#include "dash/algorithm/internal/sort/DistributedSort.h"
#include "dash/algorithm/internal/sort/ElementOrder.h"
#include "dash/algorithm/internal/sort/RankSelection.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

struct NthElement {
  static constexpr auto name = "dash::nth_element";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt,
            ElementOrder<typename GlobIt::value_type> Order = IdentityKey>
  auto operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& nth,
                  const GlobIt& last, Order order = Order()) const {
    using T = typename GlobIt::value_type;
    if (nth < first || last < nth) {
      DASH_THROW(dash::exception::InvalidArgument,
                 name << ": nth is at position " << nth - first
                      << " of the range; expected one of its positions, 0 to " << last - first);
    }
    if (!(nth < last)) return std::optional<T>();
    const auto before = order_by<T>(std::move(order));
    const auto rank = static_cast<std::uint64_t>(nth - first);
    const SortRangeOf<GlobIt, false> range(call, first, last);
    SortKernelOf<T, std::remove_const_t<decltype(before)>, false> kernel(before);
    if (is_small(range.parts(), kernel)) {
      std::optional<T> found;
      sort_small(call, range.parts(), range, kernel,
                 [&](const void* sorted) { found.emplace(static_cast<const T*>(sorted)[rank]); });
      return found;
    }
    return std::optional<T>(RankSelection<GlobIt, std::remove_const_t<decltype(before)>>(
                                call, first, last, rank, before, workers_of(policy))
                                .run());
  }
};

/// NthElement with the argument order of the overload for ranges: range, nth.
struct NthElementOfRange : NthElement {
  template <ExecutionPolicy Policy, GlobalIterator GlobIt, class... Order>
  auto operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                  const GlobIt& nth, Order... order) const {
    return NthElement::operator()(call, policy, first, nth, last, std::move(order)...);
  }
};

/// Selects the algorithm type for the arguments of an overload.
template <class... Args>
using NthElementFor = std::conditional_t<(GlobalRange<Args> || ...), NthElementOfRange, NthElement>;

}  // namespace internal

/// \addtogroup algorithms
/// @{

/// Rearranges a global range so that `nth` refers to the element that would be at this position if
/// the range were sorted. No element in front of it comes after it in the order, and no element
/// after it comes before it.
/// \param nth  a position of the range; with `last` the range does not change
/// \param order  a key function or a comparison, see sort()
/// \returns the element, on all units; no value if nth == last
/// \completion ends with a barrier: all units see the range
/// \collective over the range's team  \blocks until all units have done their part
/// \throws exception::InvalidArgument if nth is neither in the range nor its end;
///         exception::RuntimeError on all units if the order throws on one, or a key is NaN
/// \cost memory for a copy of the unit's elements; each element is written once. About nine
///       collectives of some KiB per unit, and two more for every factor of one hundred in the
///       number of elements; three for at most 64 elements
template <internal::GlobalIterator GlobIt,
          internal::ElementOrder<typename GlobIt::value_type> Order = internal::IdentityKey>
std::optional<typename GlobIt::value_type> nth_element(GlobIt first, GlobIt nth, GlobIt last,
                                                       Order order = Order()) {
  return internal::call(internal::NthElement{}, first, nth, last, std::move(order));
}
/// \overload
/// With a policy, or a range: nth_element([policy,] range, nth, order).
template <class... Args>
requires internal::OtherForm<Args...>
auto nth_element(Args&&... args) {
  return internal::call(internal::NthElementFor<Args...>{}, std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future of the element
/// \asynchronous{nth_element}
template <class... Args>
requires internal::GlobalForm<Args...>
auto nth_element_async(Args&&... args) {
  return internal::start(internal::NthElementFor<Args...>{}, std::forward<Args>(args)...);
}

/// @}

}  // namespace dash
