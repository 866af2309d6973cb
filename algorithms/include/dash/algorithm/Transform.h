#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>

#include "dash/algorithm/internal/Chunks.h"
#include "dash/algorithm/internal/Operand.h"
#include "dash/internal/Collective.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

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
  const GlobOutputIt out_last = out_first + (in_last - in_first);
  internal::run_collectively(out_first.team(), "dash::transform", [&] {
    internal::transform_local(
        out_first, out_last, [&op](const auto& in) { return op(in); }, in_first);
  });
  return out_last;
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
  const GlobOutputIt out_last = out_first + (a_last - a_first);
  internal::run_collectively(out_first.team(), "dash::transform", [&] {
    internal::transform_local(
        out_first, out_last, [&op](const auto& a, const auto& b) { return op(a, b); }, a_first,
        b_first);
  });
  return out_last;
}

}  // namespace dash
