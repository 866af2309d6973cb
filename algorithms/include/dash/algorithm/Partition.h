#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/ElementSequence.h"
#include "dash/algorithm/internal/call/Tasks.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

struct StablePartition {
  static constexpr auto name = "dash::stable_partition";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt, class Predicate>
  GlobIt operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                    Predicate predicate) const {
    using T = typename GlobIt::value_type;
    ElementSequence<GlobIt> sequence(call, first, last);
    if (sequence.parts().total() == 0) return last;
    const int workers = workers_of(policy);
    const Slices slices(sequence.size(), 4 * static_cast<std::size_t>(workers));
    Scratch<T> partitioned;

    // Writes the elements that satisfy the predicate, in order, followed by the others.
    const auto partition_slice = [&](std::size_t slice) {
      Predicate own_predicate = predicate;  // a copy for each slice, since it may have state
      T* const begin = partitioned.data() + slices.begin(slice);
      T* const end = partitioned.data() + slices.end(slice);
      T* front = begin;
      T* back = end;
      for (std::size_t i = slices.begin(slice); i < slices.end(slice); ++i) {
        const T& element = sequence.elements()[i];
        if (own_predicate(element)) {
          *front++ = element;
        } else {
          *--back = element;
        }
      }
      std::reverse(back, end);
      return static_cast<std::size_t>(front - begin);
    };
    const auto totals = place_groups<2>(call, first, sequence.parts(), [&] {
      sequence.load();
      partitioned = Scratch<T>(sequence.size());
      std::vector<std::size_t> counts(slices.count());
      run_tasks(slices.count(), workers,
                [&](std::size_t slice) { counts[slice] = partition_slice(slice); });
      Grouped<T, 2> result;
      for (std::size_t slice = 0; slice < slices.count(); ++slice) {
        const T* const begin = partitioned.data() + slices.begin(slice);
        const std::size_t size = slices.end(slice) - slices.begin(slice);
        result.add(0, begin, counts[slice]);
        result.add(1, begin + counts[slice], size - counts[slice]);
      }
      return result;
    });
    return first + static_cast<typename GlobIt::index_type>(totals[0]);
  }
};

struct Partition : StablePartition {
  static constexpr auto name = "dash::partition";
};

}  // namespace internal

/// \addtogroup algorithms
/// @{

/// Moves the elements of a global range that satisfy a predicate to its beginning. Both groups keep
/// their order.
/// \param predicate  a copy of it is called concurrently if a unit has several workers
/// \returns an iterator to the first element that does not satisfy the predicate, the same on all
///          units
/// \completion ends with a barrier: all units see the range
/// \collective over the range's team  \blocks until all units have done their part
/// \throws exception::RuntimeError on all units if the predicate throws on one
/// \cost memory for a copy of the unit's elements, or for two copies if the elements of a unit are
///       not consecutive in the range; each element is written once. Three collectives
template <internal::GlobalIterator GlobIt, class Predicate>
GlobIt stable_partition(GlobIt first, GlobIt last, Predicate predicate) {
  return internal::call(internal::StablePartition{}, first, last, std::move(predicate));
}
/// \overload
/// With a policy, or a range: stable_partition([policy,] range, predicate).
template <class... Args>
requires internal::OtherForm<Args...>
auto stable_partition(Args&&... args) {
  return internal::call(internal::StablePartition{}, std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future of the iterator
/// \asynchronous{stable_partition}
template <class... Args>
requires internal::GlobalForm<Args...>
auto stable_partition_async(Args&&... args) {
  return internal::start(internal::StablePartition{}, std::forward<Args>(args)...);
}

/// Like stable_partition, without a guarantee for the order within the groups.
/// \contract{stable_partition}
template <internal::GlobalIterator GlobIt, class Predicate>
GlobIt partition(GlobIt first, GlobIt last, Predicate predicate) {
  return internal::call(internal::Partition{}, first, last, std::move(predicate));
}
/// \overload
/// With a policy, or a range: partition([policy,] range, predicate).
template <class... Args>
requires internal::OtherForm<Args...>
auto partition(Args&&... args) {
  return internal::call(internal::Partition{}, std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future of the iterator
/// \asynchronous{partition}
template <class... Args>
requires internal::GlobalForm<Args...>
auto partition_async(Args&&... args) {
  return internal::start(internal::Partition{}, std::forward<Args>(args)...);
}

/// @}

}  // namespace dash
