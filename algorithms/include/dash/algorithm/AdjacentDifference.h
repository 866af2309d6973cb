#pragma once

#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>

#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/ElementWise.h"
#include "dash/algorithm/internal/call/RangeArguments.h"
#include "dash/internal/element/ElementAccess.h"
#include "dash/internal/transfer/ContiguousBlocks.h"
#include "dash/internal/transfer/LocalBlocks.h"
#include "dash/internal/transfer/RangeTransfer.h"
#include "dash/internal/transfer/Transfer.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

/// The owners of the output compute it, as in Transform.
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
      if constexpr (!is_node_policy_v<Policy>) {
        if (compute_from_own_elements(policy, first, out_first, out_last, op)) return;
      }
      transform_local(
          policy, out_first, out_first + 1, [](const auto& in) { return in; }, first);
      transform_local(
          call, policy, out_first + 1, out_last,
          [&op](const auto& in, const auto& before) { return op(in, before); }, first + 1, first);
    });
    return out_last;
  }

 private:
  /// Fast path if the caller owns one contiguous block of the output and the input at the same
  /// positions: only the preceding element has to be fetched.
  /// \returns false, without any effect, if the condition does not hold
  template <ExecutionPolicy Policy, GlobalIterator GlobIt, GlobalIterator GlobOutputIt,
            class BinaryOperation>
  static bool compute_from_own_elements(const Policy& policy, const GlobIt& first,
                                        const GlobOutputIt& out_first, const GlobOutputIt& out_last,
                                        BinaryOperation& op) {
    using Value = std::remove_cv_t<typename GlobIt::value_type>;
    if (!is_aligned(first, out_first)) return false;
    const auto blocks = local_blocks_of(out_first, out_last);
    if (blocks.empty()) return true;
    if (blocks.size() > 1) return false;
    const auto& block = blocks.front();
    using Index = typename GlobOutputIt::index_type;
    const Index position = position_of_local(out_first, static_cast<Index>(block.local_index));
    const auto length = static_cast<Index>(block.length);
    if (next_contiguous_block(out_first + position, length).length != length) return false;

    const Value* const in =
        static_cast<const Value*>(first.globmem().local_begin()) + block.local_index;
    auto* const out = block.data;
    alignas(Value) unsigned char before[sizeof(Value)];
    Transfer transfer(first.team().myid());
    if (position > 0)
      start_get(transfer, first + (position - 1), first + position,
                reinterpret_cast<Value*>(before));
    run_ranges(policy, static_cast<std::size_t>(length - 1),
               [&](std::size_t begin, std::size_t end) {
                 for_each_of(policy, end - begin, [&](std::size_t i) {
                   out[begin + i + 1] = op(in[begin + i + 1], in[begin + i]);
                 });
               });
    transfer.wait();
    out[0] = position > 0 ? op(in[0], load_from<Value>(before)) : in[0];
    return true;
  }
};

}  // namespace internal

/// \addtogroup algorithms
/// @{

/// Assigns op(in[i], in[i - 1]) to out[i], and in[0] to out[0], on the owner of out[i].
///
/// The output must not overlap the input. The operation is called concurrently if the unit has
/// several processors.
/// \returns the end of the output
/// \completion ends with a barrier: all units see the output
/// \collective over the output's team  \blocks until all units have done their part
/// \throws exception::RuntimeError on all units if the operation throws on one
/// \cost one fetched element per unit if each unit owns one contiguous block of input and output;
///       otherwise in[i - 1] is copied in batches, and the next batch is fetched while the current
///       one is used
template <internal::GlobalIterator GlobIt, internal::GlobalIterator GlobOutputIt,
          class BinaryOperation = std::minus<>>
GlobOutputIt adjacent_difference(GlobIt first, GlobIt last, GlobOutputIt out_first,
                                 BinaryOperation op = BinaryOperation()) {
  return internal::call(internal::AdjacentDifference{}, first, last, out_first, std::move(op));
}
/// \overload
/// With a policy, or with ranges: adjacent_difference([policy,] range, out, op).
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
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future of the end of the
/// output
/// \asynchronous{adjacent_difference}
template <class... Args>
requires internal::GlobalForm<Args...>
auto adjacent_difference_async(Args&&... args) {
  return internal::apply_with_begins(
      [](auto&&... given) { return internal::start(internal::AdjacentDifference{}, given...); },
      std::forward<Args>(args)...);
}

/// @}

}  // namespace dash
