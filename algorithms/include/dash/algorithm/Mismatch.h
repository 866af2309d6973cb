#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>

#include "dash/algorithm/Equal.h"
#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/RangeArguments.h"
#include "dash/algorithm/internal/reduce/Search.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

struct Mismatch {
  static constexpr auto name = "dash::mismatch";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt, OtherIterator OtherIt,
            class Predicate = std::equal_to<>>
  requires(!OtherIterator<Predicate>) std::pair<GlobIt, OtherIt>
  operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
             const OtherIt& other_first, Predicate predicate = Predicate()) const {
    const auto positions = call.contribute<typename GlobIt::index_type>(
        [&] { return local_mismatch(call, policy, first, last, other_first, predicate); });
    const auto position = lowest(positions).value_or(last - first);
    return {first + position, other_first + static_cast<std::iter_difference_t<OtherIt>>(position)};
  }
  template <ExecutionPolicy Policy, GlobalIterator GlobIt, OtherIterator OtherIt,
            class Predicate = std::equal_to<>>
  std::pair<GlobIt, OtherIt> operator()(Call& call, const Policy& policy, const GlobIt& first,
                                        const GlobIt& last, const OtherIt& other_first,
                                        const OtherIt& other_last,
                                        Predicate predicate = Predicate()) const {
    using Index = typename GlobIt::index_type;
    const auto size = std::min(last - first, static_cast<Index>(other_last - other_first));
    return (*this)(call, policy, first, first + size, other_first, std::move(predicate));
  }
};

/// The first position at which two ranges differ, and the resulting order of the ranges.
template <class Index>
struct Difference {
  Index position;
  bool is_less;

  friend bool operator<(const Difference& a, const Difference& b) {
    return a.position < b.position;
  }
};

struct LexicographicalCompare {
  static constexpr auto name = "dash::lexicographical_compare";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt, OtherIterator OtherIt,
            class Less = std::less<>>
  bool operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                  const OtherIt& other_first, const OtherIt& other_last, Less less = Less()) const {
    using Index = typename GlobIt::index_type;
    using Result = Difference<Index>;
    const Index size = last - first;
    const auto other_size = static_cast<Index>(other_last - other_first);
    const auto equivalent = [&less](const auto& a, const auto& b) {
      return !less(a, b) && !less(b, a);
    };
    const auto differences = call.contribute<Result>([&] {
      const auto position = local_mismatch(call, policy, first, first + std::min(size, other_size),
                                           other_first, equivalent);
      std::optional<Result> result;
      if (position) {
        const typename GlobIt::value_type element = first[*position];
        const std::iter_value_t<OtherIt> other =
            other_first[static_cast<std::iter_difference_t<OtherIt>>(*position)];
        result = Result{*position, less(element, other)};
      }
      return result;
    });
    const auto difference = lowest(differences);
    return difference ? difference->is_less : size < other_size;
  }
};

}  // namespace internal

/// \addtogroup algorithms
/// @{

/// The first pair of different elements of a global range and the range that begins at another
/// iterator; the end of the first range and its counterpart if there is no difference. The result
/// is the same on all units.
/// \contract{equal}
template <internal::GlobalIterator GlobIt, internal::OtherIterator OtherIt>
std::pair<GlobIt, OtherIt> mismatch(GlobIt first, GlobIt last, OtherIt other_first) {
  return internal::call(internal::Mismatch{}, first, last, other_first);
}
/// \overload
/// With a predicate of two elements.
template <internal::GlobalIterator GlobIt, internal::OtherIterator OtherIt, class BinaryPredicate>
requires(!internal::OtherIterator<BinaryPredicate>) std::pair<GlobIt, OtherIt> mismatch(
    GlobIt first, GlobIt last, OtherIt other_first, BinaryPredicate predicate) {
  return internal::call(internal::Mismatch{}, first, last, other_first, std::move(predicate));
}
/// \overload
/// With two ends: compares up to the end of the shorter range.
template <internal::GlobalIterator GlobIt, internal::OtherIterator OtherIt,
          class BinaryPredicate = std::equal_to<>>
std::pair<GlobIt, OtherIt> mismatch(GlobIt first, GlobIt last, OtherIt other_first,
                                    OtherIt other_last,
                                    BinaryPredicate predicate = BinaryPredicate()) {
  return internal::call(internal::Mismatch{}, first, last, other_first, other_last,
                        std::move(predicate));
}
/// \overload
/// With a policy, or with ranges: mismatch([policy,] range, other_range, predicate). A native
/// range, such as a std::vector, must be the same on all units.
template <class... Args>
requires internal::OtherForm<Args...>
auto mismatch(Args&&... args) {
  return internal::apply_with_ends(
      [](auto&&... given) {
        return internal::call(internal::Mismatch{}, std::forward<decltype(given)>(given)...);
      },
      std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. The ranges must stay valid until it
/// has finished.
/// \returns a future of the two iterators
/// \asynchronous{mismatch}
template <class... Args>
requires(internal::GlobalForm<Args...> &&
         !(internal::TemporaryRange<Args> || ...)) auto mismatch_async(Args&&... args) {
  return internal::apply_with_ends(
      [](auto&&... given) { return internal::start(internal::Mismatch{}, given...); },
      std::forward<Args>(args)...);
}

/// Whether a global range is lexicographically less than another range. The result is the same on
/// all units.
/// \param less  returns whether its first argument comes before its second
/// \contract{equal}
template <internal::GlobalIterator GlobIt, internal::OtherIterator OtherIt,
          class Compare = std::less<>>
bool lexicographical_compare(GlobIt first, GlobIt last, OtherIt other_first, OtherIt other_last,
                             Compare less = Compare()) {
  return internal::call(internal::LexicographicalCompare{}, first, last, other_first, other_last,
                        std::move(less));
}
/// \overload
/// With a policy, or with ranges: lexicographical_compare([policy,] range, other, less). A native
/// range, such as a std::vector, must be the same on all units.
template <class... Args>
requires internal::OtherForm<Args...>
bool lexicographical_compare(Args&&... args) {
  return internal::apply_with_ends(
      [](auto&&... given) {
        return internal::call(internal::LexicographicalCompare{},
                              std::forward<decltype(given)>(given)...);
      },
      std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. The ranges must stay valid until it
/// has finished.
/// \returns a future of the result
/// \asynchronous{lexicographical_compare}
template <class... Args>
requires(internal::GlobalForm<Args...> &&
         !(internal::TemporaryRange<Args> ||
           ...)) Future<bool> lexicographical_compare_async(Args&&... args) {
  return internal::apply_with_ends(
      [](auto&&... given) { return internal::start(internal::LexicographicalCompare{}, given...); },
      std::forward<Args>(args)...);
}

/// @}

}  // namespace dash
