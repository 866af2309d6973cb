#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/Chunks.h"
#include "dash/algorithm/internal/call/NodeChunks.h"
#include "dash/algorithm/internal/call/NodeZip.h"
#include "dash/algorithm/internal/call/Operand.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash::internal {

/// Calls update(element, inputs...) for the caller's elements of a range and the inputs at the same positions.
/// \param run  run(body) calls body(LocalBlock) for the whole range; used if no input has to be fetched
template <ExecutionPolicy Policy, GlobalIterator OutputIt, class Run, class Update,
          class... InputIts>
void update_by(const Policy& policy, const OutputIt& out_first, const OutputIt& out_last,
               const Run& run, const Update& update, const InputIts&... in_firsts) {
  using T = std::remove_pointer_t<typename OutputIt::local_type>;
  if (!(out_first < out_last)) return;
  Operands<OutputIt, InputIts...> operands(out_first, in_firsts...);
  const auto compute = [&](const LocalBlock<T>& part) {
    operands.with_inputs_of(part, [&](const auto*... values) {
      T* const data = part.data;
      for_each_of(policy, part.length, [&](auto i) { update(data[i], values[i]...); });
    });
  };
  if (operands.is_direct()) {
    run(compute);
    return;
  }

  const auto output = local_chunks(out_first, out_last);
  if (output.size() == 0) return;
  const auto prefetch = [&](default_index_t begin) {
    const auto end = std::min(begin + batch_length<T>, output.size());
    if (begin < end) operands.prefetch(output, begin, end);
  };
  prefetch(0);
  for (default_index_t begin = 0; begin < output.size(); begin += batch_length<T>) {
    operands.use();
    prefetch(begin + batch_length<T>);
    output.run_parts(policy, begin, std::min(begin + batch_length<T>, output.size()), compute);
  }
}

/// Like update_by(). With par_node the units of a node share the work, if no input is on another node.
template <ExecutionPolicy Policy, GlobalIterator OutputIt, class Update, class... InputIts>
void update_local(Call& call, const Policy& policy, const OutputIt& out_first,
                  const OutputIt& out_last, const Update& update, const InputIts&... in_firsts) {
  if (!(out_first < out_last)) return;
  if constexpr (is_node_policy_v<Policy>) {
    const bool is_direct = (is_aligned(in_firsts, out_first) && ...);
    if (!is_direct && can_zip_on_node(call, out_first, in_firsts...)) {
      zip_on_node(
          call, policy, out_first, out_last,
          [&](const auto& block, const auto*... values) {
            auto* const data = block.data;
            for_each_of(policy, block.length, [&](auto i) { update(data[i], values[i]...); });
          },
          in_firsts...);
      return;
    }
  }
  update_by(
      policy, out_first, out_last,
      [&](const auto& compute) { run_parts(call, policy, out_first, out_last, compute); }, update,
      in_firsts...);
}

/// The update that assigns function(inputs...) to an element.
template <class Function>
auto assignment_of(Function function) {
  return [function = std::move(function)](auto& out, const auto&... in) { out = function(in...); };
}

/// Assigns function(inputs...) to the caller's elements of an output range.
template <ExecutionPolicy Policy, GlobalIterator OutputIt, class Function, class... InputIts>
void transform_local(Call& call, const Policy& policy, const OutputIt& out_first,
                     const OutputIt& out_last, Function function, const InputIts&... in_firsts) {
  update_local(call, policy, out_first, out_last, assignment_of(std::move(function)), in_firsts...);
}
/// \overload in which each unit computes its own elements, with any policy
template <ExecutionPolicy Policy, GlobalIterator OutputIt, class Function, class... InputIts>
void transform_local(const Policy& policy, const OutputIt& out_first, const OutputIt& out_last,
                     Function function, const InputIts&... in_firsts) {
  update_by(
      policy, out_first, out_last,
      [&](const auto& compute) { local_chunks(out_first, out_last).run_parts(policy, compute); },
      assignment_of(std::move(function)), in_firsts...);
}

}  // namespace dash::internal
