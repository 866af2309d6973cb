#pragma once

#include <functional>
#include <iterator>
#include <optional>
#include <utility>

#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/NodeZip.h"
#include "dash/algorithm/internal/call/RangeArguments.h"
#include "dash/algorithm/internal/call/Zip.h"
#include "dash/algorithm/internal/reduce/Search.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

/// An iterator of a global range, or of a native range that is the same on all units.
template <class It>
concept OtherIterator = std::random_access_iterator<It>;

/// Position of the first element that is not `equal` to its counterpart in another range, among the
/// elements that the caller compares: its own elements, or with par_node any of its node.
template <ExecutionPolicy Policy, GlobalIterator GlobIt, class OtherIt, class Equal>
std::optional<typename GlobIt::index_type> local_mismatch(Call& call, const Policy& policy,
                                                          const GlobIt& first, const GlobIt& last,
                                                          const OtherIt& other_first,
                                                          Equal& equal) {
  const auto compare = [&equal](auto& search, const auto& part, const auto* values) {
    search.in_part(part, [&](default_index_t i, default_index_t end) {
      while (i < end && equal(part.data[i], values[i]))
        ++i;
      return i;
    });
  };
  if constexpr (is_node_policy_v<Policy>) {
    if (first < last && can_zip_on_node(call, first, other_first)) {
      LocalSearch<GlobIt, true> of_node(first, last);
      zip_on_node(
          call, policy, first, last,
          [&](const auto& block, const auto* values) { compare(of_node, block, values); },
          other_first);
      return of_node.result();
    }
  }
  LocalSearch<GlobIt> local(first, last);
  zip_local(
      policy, first, local.chunks(), other_first,
      [&](std::size_t, const auto& part, const auto* values) { compare(local, part, values); },
      [&] { return !local.is_finished(); });
  return local.result();
}

struct Equal {
  static constexpr auto name = "dash::equal";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt, OtherIterator OtherIt,
            class Predicate = std::equal_to<>>
  requires(!OtherIterator<Predicate>) bool operator()(Call& call, const Policy& policy,
                                                      const GlobIt& first, const GlobIt& last,
                                                      const OtherIt& other_first,
                                                      Predicate predicate = Predicate()) const {
    const auto mismatches = call.contribute<typename GlobIt::index_type>(
        [&] { return local_mismatch(call, policy, first, last, other_first, predicate); });
    return !has_any(mismatches);
  }
  template <ExecutionPolicy Policy, GlobalIterator GlobIt, OtherIterator OtherIt,
            class Predicate = std::equal_to<>>
  bool operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                  const OtherIt& other_first, const OtherIt& other_last,
                  Predicate predicate = Predicate()) const {
    return last - first == other_last - other_first &&
           (*this)(call, policy, first, last, other_first, std::move(predicate));
  }
};

}  // namespace internal

/// \addtogroup algorithms
/// @{

/// Whether the elements of a global range equal those of the range that begins at another iterator.
/// The result is the same on all units.
///
/// The other range may be distributed differently, or be native and the same on all units. Each
/// unit compares its elements of the first range, and stops at the first difference. The predicate
/// is called concurrently if the unit has several processors.
/// \collective over the first range's team  \blocks until all units have compared
/// \throws exception::RuntimeError on all units if the predicate throws on one
/// \cost an all-gather of one index per unit; elements that are not on the owner of their
///       counterpart are fetched in batches, and the next batch is fetched while the current one is
///       used
template <internal::GlobalIterator GlobIt, internal::OtherIterator OtherIt>
bool equal(GlobIt first, GlobIt last, OtherIt other_first) {
  return internal::call(internal::Equal{}, first, last, other_first);
}
/// \overload
/// With a predicate of two elements.
template <internal::GlobalIterator GlobIt, internal::OtherIterator OtherIt, class BinaryPredicate>
requires(!internal::OtherIterator<BinaryPredicate>) bool equal(GlobIt first, GlobIt last,
                                                               OtherIt other_first,
                                                               BinaryPredicate predicate) {
  return internal::call(internal::Equal{}, first, last, other_first, std::move(predicate));
}
/// \overload
/// With two ends: false if the lengths differ.
template <internal::GlobalIterator GlobIt, internal::OtherIterator OtherIt,
          class BinaryPredicate = std::equal_to<>>
bool equal(GlobIt first, GlobIt last, OtherIt other_first, OtherIt other_last,
           BinaryPredicate predicate = BinaryPredicate()) {
  return internal::call(internal::Equal{}, first, last, other_first, other_last,
                        std::move(predicate));
}
/// \overload
/// With a policy, or with ranges: equal([policy,] range, other_range, predicate). A native range,
/// such as a std::vector, must be the same on all units.
template <class... Args>
requires internal::OtherForm<Args...>
bool equal(Args&&... args) {
  return internal::apply_with_ends(
      [](auto&&... given) {
        return internal::call(internal::Equal{}, std::forward<decltype(given)>(given)...);
      },
      std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. The ranges must stay valid until it
/// has finished.
/// \returns a future of the result
/// \asynchronous{equal}
template <class... Args>
requires(internal::GlobalForm<Args...> &&
         !(internal::TemporaryRange<Args> || ...)) Future<bool> equal_async(Args&&... args) {
  return internal::apply_with_ends(
      [](auto&&... given) { return internal::start(internal::Equal{}, given...); },
      std::forward<Args>(args)...);
}

/// @}

}  // namespace dash
