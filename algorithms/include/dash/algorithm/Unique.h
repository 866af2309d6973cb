#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/ElementSequence.h"
#include "dash/algorithm/internal/call/Tasks.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

struct Unique {
  static constexpr auto name = "dash::unique";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt, class Equal = std::equal_to<>>
  GlobIt operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                    Equal equal = Equal()) const {
    using T = typename GlobIt::value_type;
    ElementSequence<GlobIt> sequence(call, first, last);
    if (sequence.parts().total() < 2) return last;
    const std::optional<T> predecessor = sequence.load_with_predecessor();
    const T* const elements = sequence.elements();
    const int workers = workers_of(policy);
    const Slices slices(sequence.size(), 4 * static_cast<std::size_t>(workers));
    Scratch<T> kept;

    const auto compact_slice = [&](std::size_t slice) {
      Equal own_equal = equal;  // a copy for each slice, since it may have state
      const std::size_t begin = slices.begin(slice);
      T* out = kept.data() + begin;
      for (std::size_t i = begin; i < slices.end(slice); ++i) {
        const T* const before = i > 0 ? elements + i - 1 : predecessor ? &*predecessor : nullptr;
        if (before == nullptr || !own_equal(*before, elements[i])) *out++ = elements[i];
      }
      return static_cast<std::size_t>(out - (kept.data() + begin));
    };
    const auto totals = place_groups<1>(call, first, sequence.parts(), [&] {
      kept = Scratch<T>(sequence.size());
      std::vector<std::size_t> counts(slices.count());
      run_tasks(slices.count(), workers,
                [&](std::size_t slice) { counts[slice] = compact_slice(slice); });
      Grouped<T, 1> result;
      for (std::size_t slice = 0; slice < slices.count(); ++slice)
        result.add(0, kept.data() + slices.begin(slice), counts[slice]);
      return result;
    });
    return first + static_cast<typename GlobIt::index_type>(totals[0]);
  }
};

}  // namespace internal

/// \addtogroup algorithms
/// @{

/// Removes all but the first element of each group of adjacent equal elements of a global range.
/// The remaining elements are at its beginning, in order; the elements after them have unspecified
/// values.
/// \param equal  returns whether two elements are equal; a copy of it is called concurrently if a
///               unit has several workers
/// \returns the end of the remaining elements, the same on all units
/// \completion ends with a barrier: all units see the range
/// \collective over the range's team  \blocks until all units have done their part
/// \throws exception::RuntimeError on all units if the comparison throws on one
/// \cost memory for a copy of the unit's elements, or for two copies if the elements of a unit are
///       not consecutive in the range; each element is written once. Four collectives
template <internal::GlobalIterator GlobIt, class Equal = std::equal_to<>>
GlobIt unique(GlobIt first, GlobIt last, Equal equal = Equal()) {
  return internal::call(internal::Unique{}, first, last, std::move(equal));
}
/// \overload
/// With a policy, or a range: unique([policy,] range, equal).
template <class... Args>
requires internal::OtherForm<Args...>
auto unique(Args&&... args) {
  return internal::call(internal::Unique{}, std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future of the iterator
/// \asynchronous{unique}
template <class... Args>
requires internal::GlobalForm<Args...>
auto unique_async(Args&&... args) {
  return internal::start(internal::Unique{}, std::forward<Args>(args)...);
}

/// @}

}  // namespace dash
