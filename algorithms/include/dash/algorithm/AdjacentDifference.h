#pragma once

#include <functional>
#include <utility>

#include "dash/algorithm/internal/Call.h"
#include "dash/algorithm/internal/ElementWise.h"
#include "dash/algorithm/internal/RangeArguments.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

/// By the owners of the output, as Transform.
struct AdjacentDifference {
  static constexpr auto name = "dash::adjacent_difference";

  template <GlobalIterator GlobIt, GlobalIterator GlobOutputIt, class... Operation>
  static Team& team_of(const GlobIt&, const GlobIt&, const GlobOutputIt& out, const Operation&...) {
    return out.team();
  }

  template <ExecutionPolicy Policy, GlobalIterator GlobIt, GlobalIterator GlobOutputIt,
            class BinaryOperation = std::minus<>>
  GlobOutputIt operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                          const GlobOutputIt& out_first,
                          BinaryOperation op = BinaryOperation()) const {
    const GlobOutputIt out_last = out_first + (last - first);
    call.run([&] {
      if (!(first < last)) return;
      transform_local(
          policy, out_first, out_first + 1, [](const auto& in) { return in; }, first);
      transform_local(
          call, policy, out_first + 1, out_last,
          [&op](const auto& in, const auto& before) { return op(in, before); }, first + 1, first);
    });
    return out_last;
  }
};

}  // namespace internal

/// Assigns op(in[i], in[i - 1]) to out[i], and in[0] to out[0], on the owner of out[i].
///
/// The output must not overlap the input. The operation is called concurrently where the unit has
/// several processors.
/// \returns the end of the output
/// \completion ends with a barrier: all units see the output
/// \collective over the output's team  \blocks until all units have done their part
/// \throws exception::RuntimeError on all units if the operation throws on one
/// \cost in[i - 1] is copied in slabs, one while another is used
template <internal::GlobalIterator GlobIt, internal::GlobalIterator GlobOutputIt,
          class BinaryOperation = std::minus<>>
GlobOutputIt adjacent_difference(GlobIt first, GlobIt last, GlobOutputIt out_first,
                                 BinaryOperation op = BinaryOperation()) {
  return internal::call(internal::AdjacentDifference{}, first, last, out_first, std::move(op));
}
/// \overload with a policy, or with ranges: adjacent_difference([policy,] range, out, op)
template <class... Args>
requires internal::OtherForm<Args...>
auto adjacent_difference(Args&&... args) {
  return internal::apply_with_begins(
      [](auto&&... given) {
        return internal::call(internal::AdjacentDifference{},
                              std::forward<decltype(given)>(given)...);
      },
      std::forward<Args>(args)...);
}
/// The same in all forms, as a task. \returns the future of the end of the output
template <class... Args>
requires internal::GlobalForm<Args...>
auto adjacent_difference_async(Args&&... args) {
  return internal::apply_with_begins(
      [](auto&&... given) { return internal::start(internal::AdjacentDifference{}, given...); },
      std::forward<Args>(args)...);
}

}  // namespace dash
