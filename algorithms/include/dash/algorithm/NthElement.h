#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "dash/Exception.h"
#include "dash/algorithm/internal/call/Call.h"
#include "dash/algorithm/internal/sort/DistributedSort.h"
#include "dash/algorithm/internal/sort/ElementOrder.h"
#include "dash/algorithm/internal/sort/RankSelection.h"
#include "dash/algorithm/internal/call/Tasks.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

struct NthElement {
  static constexpr auto name = "dash::nth_element";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt,
            ElementOrder<typename GlobIt::value_type> Order = ElementItself>
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
    if (are_few(range.parts(), kernel)) {
      std::optional<T> found;
      sort_few(call, range.parts(), range, kernel,
               [&](const void* sorted) { found.emplace(static_cast<const T*>(sorted)[rank]); });
      return found;
    }
    return std::optional<T>(RankSelection<GlobIt, std::remove_const_t<decltype(before)>>(
                                call, first, last, rank, before, workers_of(policy))
                                .run());
  }
};

/// The same with the arguments as they come with a range.
struct NthElementOfRange : NthElement {
  template <ExecutionPolicy Policy, GlobalIterator GlobIt, class... Order>
  auto operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                  const GlobIt& nth, Order... order) const {
    return NthElement::operator()(call, policy, first, nth, last, std::move(order)...);
  }
};

/// Which of the two the arguments of a form are for.
template <class... Args>
using NthElementFor = std::conditional_t<(GlobalRange<Args> || ...), NthElementOfRange, NthElement>;

}  // namespace internal

/// Brings to `nth` the element that would be there if the range were sorted; none in front of it comes
/// behind it in the order, and none behind it comes before it.
/// \param nth    in the range; with `last` nothing changes
/// \param order  a key or a comparison, as of sort()
/// \returns that element, on all units; nothing with nth == last
/// \completion ends with a barrier: all units see the range
/// \collective over the range's team  \blocks until all units have done their part
/// \throws exception::InvalidArgument if nth is not in the range, nor its end;
///         exception::RuntimeError on all units if the order throws on one, or a key is NaN
/// \cost the unit's part once again in memory; each element is written once. Collectives of some KiB a
///       unit: some nine, and two more for each time that the range is a hundred times as long; three
///       for 64 elements and less
template <internal::GlobalIterator GlobIt,
          internal::ElementOrder<typename GlobIt::value_type> Order = internal::ElementItself>
std::optional<typename GlobIt::value_type> nth_element(GlobIt first, GlobIt nth, GlobIt last,
                                                       Order order = Order()) {
  return internal::call(internal::NthElement{}, first, nth, last, std::move(order));
}
/// \overload with a policy, or a range: nth_element([policy,] range, nth, order)
template <class... Args>
requires internal::OtherForm<Args...>
auto nth_element(Args&&... args) {
  return internal::call(internal::NthElementFor<Args...>{}, std::forward<Args>(args)...);
}
/// The same in all forms, as a task. \returns the future of the element
template <class... Args>
requires internal::GlobalForm<Args...>
auto nth_element_async(Args&&... args) {
  return internal::start(internal::NthElementFor<Args...>{}, std::forward<Args>(args)...);
}

}  // namespace dash
