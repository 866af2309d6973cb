#pragma once

#include <type_traits>
#include <utility>

#include "dash/algorithm/internal/call/Call.h"
#include "dash/algorithm/internal/sort/DistributedSort.h"
#include "dash/algorithm/internal/sort/ElementOrder.h"
#include "dash/algorithm/internal/call/Tasks.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

struct Sort {
  static constexpr auto name = "dash::sort";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt,
            ElementOrder<typename GlobIt::value_type> Order = ElementItself>
  void operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                  Order order = Order()) const {
    sort_range<false>(call, first, last, order_by<typename GlobIt::value_type>(std::move(order)),
                      workers_of(policy));
  }
};

struct StableSort {
  static constexpr auto name = "dash::stable_sort";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt,
            ElementOrder<typename GlobIt::value_type> Order = ElementItself>
  void operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                  Order order = Order()) const {
    sort_range<true>(call, first, last, order_by<typename GlobIt::value_type>(std::move(order)),
                     workers_of(policy));
  }
};

}  // namespace internal

/// Sorts a global range, of any pattern, in ascending order. Each unit then has the elements of the
/// same positions as before; equal elements may be in any order.
///
/// \param order  what elements are sorted by: a key, order(element), which is compared by `<`, or a
///               comparison, order(a, b), which is true if a comes before b; the elements themselves
///               if none is given. A copy of it is called concurrently where a unit has several
///               workers; where there are few elements all units compare all. It has to be an
///               order: keys must not be NaN.
/// \completion ends with a barrier: all units see the range sorted
/// \collective over the range's team  \blocks until all units have done their part. dash::par_node is
///             as dash::par: the passes go over private memory of each unit
/// \throws exception::RuntimeError on all units if the order throws on one, a key is NaN, or the
///         comparison is found to be no order; elements of the range may be lost then
/// \cost the unit's part once again in memory, half of it with two units and one worker; three times
///       where the elements of a unit are not consecutive in the range. Each element goes from unit
///       to unit once, and twice more there. Logarithmically many all-gathers of some KiB a unit:
///       five for 2^24 elements of two units, two for 64 elements and less
/// \see docs/algorithms.md
template <internal::GlobalIterator GlobIt, internal::ElementOrder<typename GlobIt::value_type>
                                               SortableHash = internal::ElementItself>
void sort(GlobIt first, GlobIt last, SortableHash order = SortableHash()) {
  internal::call(internal::Sort{}, first, last, std::move(order));
}
/// \overload with a policy, or a range: sort([policy,] range, order)
template <class... Args>
requires internal::OtherForm<Args...>
void sort(Args&&... args) {
  internal::call(internal::Sort{}, std::forward<Args>(args)...);
}
/// The same in all forms, as a task.
template <class... Args>
requires internal::GlobalForm<Args...>
auto sort_async(Args&&... args) {
  return internal::start(internal::Sort{}, std::forward<Args>(args)...);
}

/// The same, but equal elements keep their order.
/// \cost as sort(); where the elements of a unit are not consecutive in the range, each goes from unit
///       to unit once more
/// \see sort
template <internal::GlobalIterator GlobIt,
          internal::ElementOrder<typename GlobIt::value_type> Order = internal::ElementItself>
void stable_sort(GlobIt first, GlobIt last, Order order = Order()) {
  internal::call(internal::StableSort{}, first, last, std::move(order));
}
/// \overload with a policy, or a range: stable_sort([policy,] range, order)
template <class... Args>
requires internal::OtherForm<Args...>
void stable_sort(Args&&... args) {
  internal::call(internal::StableSort{}, std::forward<Args>(args)...);
}
/// The same in all forms, as a task.
template <class... Args>
requires internal::GlobalForm<Args...>
auto stable_sort_async(Args&&... args) {
  return internal::start(internal::StableSort{}, std::forward<Args>(args)...);
}

}  // namespace dash
