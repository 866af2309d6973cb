#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

#include "dash/algorithm/internal/Call.h"
#include "dash/algorithm/internal/Operand.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

/// By the owners of the output.
struct Transform {
  static constexpr auto name = "dash::transform";

  template <class InputIt, GlobalIterator GlobOutputIt, class UnaryOperation>
  static const Team& team_of(const InputIt&, const InputIt&, const GlobOutputIt& out,
                             const UnaryOperation&) {
    return out.team();
  }
  template <class InputIt, class InputIt2, GlobalIterator GlobOutputIt, class BinaryOperation>
  static const Team& team_of(const InputIt&, const InputIt&, const InputIt2&,
                             const GlobOutputIt& out, const BinaryOperation&) {
    return out.team();
  }

  template <ExecutionPolicy Policy, std::random_access_iterator InputIt,
            GlobalIterator GlobOutputIt, class UnaryOperation>
  GlobOutputIt operator()(Call& call, const Policy& policy, const InputIt& in_first,
                          const InputIt& in_last, const GlobOutputIt& out_first,
                          UnaryOperation op) const {
    const GlobOutputIt out_last = out_first + (in_last - in_first);
    call.run([&] {
      transform_local(
          call, policy, out_first, out_last, [&op](const auto& in) { return op(in); }, in_first);
    });
    return out_last;
  }
  template <ExecutionPolicy Policy, GlobalIterator InputIt, GlobalIterator GlobInputIt,
            GlobalIterator GlobOutputIt, class BinaryOperation>
  GlobOutputIt operator()(Call& call, const Policy& policy, const InputIt& a_first,
                          const InputIt& a_last, const GlobInputIt& b_first,
                          const GlobOutputIt& out_first, BinaryOperation op) const {
    const GlobOutputIt out_last = out_first + (a_last - a_first);
    call.run([&] {
      transform_local(
          call, policy, out_first, out_last,
          [&op](const auto& a, const auto& b) { return op(a, b); }, a_first, b_first);
    });
    return out_last;
  }
};

}  // namespace internal

/// Assigns op(in[i]) to out[i] for each element of a range, on the owner of out[i].
///
/// The input may be a global range, or a native one that is the same on all units. The output may
/// be the input, else they must not overlap. The operation is called concurrently where the unit
/// has several processors.
/// \returns the end of the output
/// \completion ends with a barrier: all units see the output
/// \collective over the output's team  \blocks until all units have done their part
/// \throws exception::RuntimeError on all units if the operation throws on one
/// \cost input that is not on its output's owner is fetched in slabs, one while another is used
template <std::random_access_iterator InputIt, internal::GlobalIterator GlobOutputIt,
          class UnaryOperation>
GlobOutputIt transform(InputIt in_first, InputIt in_last, GlobOutputIt out_first,
                       UnaryOperation op) {
  return internal::call(internal::Transform{}, in_first, in_last, out_first, std::move(op));
}

/// Assigns op(a[i], b[i]) to out[i] for each element of a global range, on the owner of out[i].
///
/// The output may be one of the inputs, else they must not overlap it. The operation is called
/// concurrently where the unit has several processors.
/// \returns the end of the output
/// \completion ends with a barrier: all units see the output
/// \collective over the output's team  \blocks until all units have done their part
/// \throws exception::RuntimeError on all units if the operation throws on one
/// \cost input that is not on its output's owner is fetched in slabs, one while another is used
template <internal::GlobalIterator InputIt, internal::GlobalIterator GlobInputIt,
          internal::GlobalIterator GlobOutputIt, class BinaryOperation>
GlobOutputIt transform(InputIt a_first, InputIt a_last, GlobInputIt b_first, GlobOutputIt out_first,
                       BinaryOperation op) {
  return internal::call(internal::Transform{}, a_first, a_last, b_first, out_first, std::move(op));
}
/// \overload with a policy, or a range instead of the first two iterators
template <class... Args>
requires internal::OtherForm<Args...>
auto transform(Args&&... args) {
  return internal::call(internal::Transform{}, std::forward<Args>(args)...);
}
/// The same in all forms, as a task. \returns the future of the end of the output
template <class... Args>
auto transform_async(Args&&... args) {
  return internal::start(internal::Transform{}, std::forward<Args>(args)...);
}

}  // namespace dash
