#pragma once

#include <type_traits>
#include <utility>

#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/Tasks.h"
#include "dash/algorithm/internal/sort/DistributedSort.h"
#include "dash/algorithm/internal/sort/ElementOrder.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

struct Sort {
  static constexpr auto name = "dash::sort";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt,
            ElementOrder<typename GlobIt::value_type> Order = IdentityKey>
  void operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                  Order order = Order()) const {
    sort_range<false>(call, first, last, order_by<typename GlobIt::value_type>(std::move(order)),
                      workers_of(policy));
  }
};

struct StableSort {
  static constexpr auto name = "dash::stable_sort";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt,
            ElementOrder<typename GlobIt::value_type> Order = IdentityKey>
  void operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                  Order order = Order()) const {
    sort_range<true>(call, first, last, order_by<typename GlobIt::value_type>(std::move(order)),
                     workers_of(policy));
  }
};

}  // namespace internal

/// \addtogroup algorithms
/// @{

/// Sorts a global range, of any pattern, in ascending order. The distribution of positions does not
/// change. The order of equal elements is unspecified.
///
/// \param order  a key function, order(element), whose results are compared by `<`, or a
///               comparison, order(a, b), which returns whether a comes before b. By default
///               elements are compared by `<`. Copies of `order` are called concurrently if a
///               unit has several workers. All units compare all elements of a small range. It must
///               be a strict weak ordering: keys must not be NaN.
/// \completion ends with a barrier: all units see the range sorted
/// \collective over the range's team  \blocks until all units have done their part. dash::par_node
///             is equivalent to dash::par, because the passes use private memory of each unit
/// \throws exception::RuntimeError on all units if the order throws on one, a key is NaN, or the
///         comparison is found not to be a strict weak ordering; elements of the range may then be
///         lost
/// \cost memory for a copy of the unit's elements; for half of them with two units and one worker;
///       for three copies if the elements of a unit are not consecutive in the range. Each element
///       is transferred between units once, and two more times if they are not consecutive. A
///       logarithmic number of all-gathers of some KiB per unit: five for 2^24 elements on two
///       units, two for at most 64 elements
/// \see <a href="../reference/sort.html">Sorting</a>: the algorithm, its memory and its limits
template <internal::GlobalIterator GlobIt,
          internal::ElementOrder<typename GlobIt::value_type> SortableHash = internal::IdentityKey>
void sort(GlobIt first, GlobIt last, SortableHash order = SortableHash()) {
  internal::call(internal::Sort{}, first, last, std::move(order));
}
/// \overload
/// With a policy, or a range: sort([policy,] range, order).
template <class... Args>
requires internal::OtherForm<Args...>
void sort(Args&&... args) {
  internal::call(internal::Sort{}, std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future that is ready when
/// all units have finished
/// \asynchronous{sort}
template <class... Args>
requires internal::GlobalForm<Args...>
auto sort_async(Args&&... args) {
  return internal::start(internal::Sort{}, std::forward<Args>(args)...);
}

/// Like sort(), but equal elements keep their order.
/// \cost see sort(); if the elements of a unit are not consecutive in the range, each element is
///       transferred once more
/// \contract{sort}
template <internal::GlobalIterator GlobIt,
          internal::ElementOrder<typename GlobIt::value_type> Order = internal::IdentityKey>
void stable_sort(GlobIt first, GlobIt last, Order order = Order()) {
  internal::call(internal::StableSort{}, first, last, std::move(order));
}
/// \overload
/// With a policy, or a range: stable_sort([policy,] range, order).
template <class... Args>
requires internal::OtherForm<Args...>
void stable_sort(Args&&... args) {
  internal::call(internal::StableSort{}, std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future that is ready when
/// all units have finished
/// \asynchronous{stable_sort}
template <class... Args>
requires internal::GlobalForm<Args...>
auto stable_sort_async(Args&&... args) {
  return internal::start(internal::StableSort{}, std::forward<Args>(args)...);
}

/// @}

}  // namespace dash
