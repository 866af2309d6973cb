#pragma once

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/Chunks.h"
#include "dash/algorithm/internal/call/NodeChunks.h"
#include "dash/algorithm/internal/call/NodeZip.h"
#include "dash/algorithm/internal/call/Operand.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash::internal {

/// Computes the caller's part of an output range, element by element, from inputs at the same
/// positions.
/// \param run  run(body) calls body(LocalBlock) for the whole output; used if no input has to be
///          fetched
template <ExecutionPolicy Policy, GlobalIterator OutputIt, class Run, class Function,
          class... InputIts>
void transform_by(const Policy& policy, const OutputIt& out_first, const OutputIt& out_last,
                  const Run& run, Function function, const InputIts&... in_firsts) {
  using T = std::remove_pointer_t<typename OutputIt::local_type>;
  if (!(out_first < out_last)) return;
  std::tuple<Operand<InputIts, OutputIt>...> operands(
      Operand<InputIts, OutputIt>(in_firsts, out_first)...);
  const auto compute = [&](const LocalBlock<T>& part) {
    std::apply(
        [&](const auto&... in) {
          [&](const auto*... values) {
            T* const data = part.data;
            for_each_of(policy, part.length, [&](auto i) { data[i] = function(values[i]...); });
          }(in.at(part)...);
        },
        operands);
  };
  if (std::apply([](const auto&... in) { return (in.is_direct() && ...); }, operands)) {
    run(compute);
    return;
  }

  const auto output = local_chunks(out_first, out_last);
  if (output.size() == 0) return;
  const auto prefetch = [&](default_index_t begin) {
    const auto end = std::min(begin + batch_length<T>, output.size());
    if (begin < end) {
      std::apply([&](auto&... in) { (in.prefetch(output, begin, end), ...); }, operands);
    }
  };
  prefetch(0);
  for (default_index_t begin = 0; begin < output.size(); begin += batch_length<T>) {
    std::apply([](auto&... in) { (in.use(), ...); }, operands);
    prefetch(begin + batch_length<T>);
    output.run_parts(policy, begin, std::min(begin + batch_length<T>, output.size()), compute);
  }
}

/// Like transform_by(). With par_node the units of a node share the work, if no input is on another
/// node.
template <ExecutionPolicy Policy, GlobalIterator OutputIt, class Function, class... InputIts>
void transform_local(Call& call, const Policy& policy, const OutputIt& out_first,
                     const OutputIt& out_last, Function function, const InputIts&... in_firsts) {
  if (!(out_first < out_last)) return;
  if constexpr (is_node_policy_v<Policy>) {
    const bool is_direct = (is_aligned(in_firsts, out_first) && ...);
    if (!is_direct && can_zip_on_node(call, out_first, in_firsts...)) {
      zip_on_node(
          call, policy, out_first, out_last,
          [&](const auto& block, const auto*... values) {
            auto* const data = block.data;
            for_each_of(policy, block.length, [&](auto i) { data[i] = function(values[i]...); });
          },
          in_firsts...);
      return;
    }
  }
  transform_by(
      policy, out_first, out_last,
      [&](const auto& compute) { run_parts(call, policy, out_first, out_last, compute); },
      std::move(function), in_firsts...);
}
/// \overload in which each unit computes its own elements, with any policy
template <ExecutionPolicy Policy, GlobalIterator OutputIt, class Function, class... InputIts>
void transform_local(const Policy& policy, const OutputIt& out_first, const OutputIt& out_last,
                     Function function, const InputIts&... in_firsts) {
  transform_by(
      policy, out_first, out_last,
      [&](const auto& compute) { local_chunks(out_first, out_last).run_parts(policy, compute); },
      std::move(function), in_firsts...);
}

}  // namespace dash::internal
