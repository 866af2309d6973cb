#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <utility>

#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/ElementSequence.h"
#include "dash/algorithm/internal/call/Tasks.h"
#include "dash/algorithm/internal/sort/ElementOrder.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

struct IsSorted {
  static constexpr auto name = "dash::is_sorted";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt,
            ElementOrder<typename GlobIt::value_type> Order = IdentityKey>
  bool operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                  Order order_argument = Order()) const {
    using T = typename GlobIt::value_type;
    ElementSequence<GlobIt> sequence(call, first, last);
    if (sequence.parts().total() < 2) return true;
    const auto order = order_by<T>(std::move(order_argument));
    const std::optional<T> predecessor = sequence.load_with_predecessor();
    const T* const elements = sequence.elements();
    const int workers = workers_of(policy);
    const Slices slices(sequence.size(), 4 * static_cast<std::size_t>(workers));
    const auto answers = call.contribute<bool>([&]() -> std::optional<bool> {
      std::atomic<bool> sorted = true;
      run_tasks(slices.count(), workers, [&](std::size_t slice) {
        auto before = order;  // a copy for each slice, since it may have state
        std::size_t i = slices.begin(slice);
        const std::size_t end = slices.end(slice);
        if (i == 0 && end > 0) {
          if (predecessor && before(elements[0], *predecessor)) sorted = false;
          i = 1;
        }
        while (i < end && !before(elements[i], elements[i - 1]))
          ++i;
        if (i < end) sorted = false;
      });
      return sorted.load();
    });
    for (std::size_t unit = 0; unit < answers.size(); ++unit) {
      if (!answers[unit]) return false;
    }
    return true;
  }
};

}  // namespace internal

/// \addtogroup algorithms
/// @{

/// Whether a global range is sorted: no element comes before its predecessor. The result is the
/// same on all units.
/// \param order  a key function or a comparison, see sort()
/// \collective over the range's team  \blocks until all units have done their part
/// \throws exception::RuntimeError on all units if the order throws on one
/// \cost three collectives; if the elements of a unit are not consecutive in the range, each
///       element is also fetched once
template <internal::GlobalIterator GlobIt,
          internal::ElementOrder<typename GlobIt::value_type> Order = internal::IdentityKey>
bool is_sorted(GlobIt first, GlobIt last, Order order = Order()) {
  return internal::call(internal::IsSorted{}, first, last, std::move(order));
}
/// \overload
/// With a policy, or a range: is_sorted([policy,] range, order).
template <class... Args>
requires internal::OtherForm<Args...>
bool is_sorted(Args&&... args) {
  return internal::call(internal::IsSorted{}, std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future of the result
/// \asynchronous{is_sorted}
template <class... Args>
requires internal::GlobalForm<Args...>
auto is_sorted_async(Args&&... args) {
  return internal::start(internal::IsSorted{}, std::forward<Args>(args)...);
}

/// @}

}  // namespace dash
