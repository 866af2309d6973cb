#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/ExecutionPolicy.h"
#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/Chunks.h"
#include "dash/algorithm/internal/call/NodeChunks.h"
#include "dash/algorithm/internal/call/Operand.h"
#include "dash/algorithm/internal/reduce/Lanes.h"
#include "dash/algorithm/internal/scan/OrderedFold.h"
#include "dash/algorithm/internal/scan/ScanKernel.h"
#include "dash/internal/transfer/ContiguousBlocks.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash::internal {

/// The units that own elements of a range, in the order of the range, if each of them owns a single
/// contiguous block; no value otherwise.
/// \cost at most one index mapping per unit
template <GlobalIterator GlobIt>
std::optional<std::vector<team_unit_t>> units_with_single_block(const GlobIt& first,
                                                                const GlobIt& last) {
  std::vector<team_unit_t> units;
  std::vector<bool> has_block(first.team().size());
  const auto size = last - first;
  GlobIt it = first;
  for (std::remove_const_t<decltype(size)> position = 0; position < size;) {
    const auto block = next_contiguous_block(it, size - position);
    const auto unit = static_cast<std::size_t>(block.unit.id);
    if (has_block[unit]) return std::nullopt;
    has_block[unit] = true;
    units.push_back(block.unit);
    position += block.length;
    it += block.length;
  }
  return units;
}

/// A scan of a range of which each unit owns a single contiguous block, with input and output
/// distributed alike. The units exchange one sum each. Both passes use the same chunks, and every
/// unit of the node can compute their bounds, so with par_node the units of a node share the chunks
/// of both passes.
template <ExecutionPolicy Policy, class InputIt, GlobalIterator OutputIt, class T,
          class BinaryOperation>
class BlockScan {
  using Output = std::remove_pointer_t<typename OutputIt::local_type>;

 public:
  /// \param units  the units that own elements, in the order of the range
  /// \pre is_aligned(in_first, first)
  BlockScan(Call& call, const Policy& policy, ScanKind kind, const InputIt& in_first,
            const OutputIt& first, const OutputIt& last, std::vector<team_unit_t> units,
            const BinaryOperation& op)
      : _call(call),
        _policy(policy),
        _kind(kind),
        _first(first),
        _last(last),
        _units(std::move(units)),
        _op(op),
        _input(in_first, first) {}

  /// \param prefix  the initial value of the scan, if any
  void run(std::optional<T> prefix) {
    const auto sums = _call.template contribute<T>([&] { return sum(); });
    _call.run([&] {
      for (const team_unit_t unit : _units) {
        if (unit == _call.myid()) break;
        fold_into(prefix, sums[static_cast<std::size_t>(unit.id)], _op);
      }
      scan(std::move(prefix));
    });
  }

 private:
  /// Minimum number of elements of a chunk.
  static constexpr std::size_t min_length = LaneOperation<BinaryOperation, T>::known
                                                ? static_cast<std::size_t>(Chunks<Output>::length)
                                                : 1;

  /// \returns the sum of the caller's elements
  std::optional<T> sum() {
    std::optional<T> total;
    for_each_chunk_result<T>(
        _call, _policy, _first, _last, min_length,
        [this](std::optional<T>& partial, const auto& part) {
          BinaryOperation op = _op;
          const auto* const in = _input.at(part);
          fold_into(partial,
                    fold_ordered<T>(part.length, op, [in](default_index_t i) { return in[i]; }),
                    op);
        },
        [&](const T& of_chunk) {
          _sums.push_back(of_chunk);
          fold_into(total, of_chunk, _op);
        });
    return total;
  }

  /// The prefix of each of the caller's chunks.
  std::vector<std::optional<T>> prefixes(std::optional<T> prefix) {
    std::vector<std::optional<T>> prefixes;
    for (const T& of_chunk : _sums) {
      prefixes.push_back(prefix);
      fold_into(prefix, of_chunk, _op);
    }
    return prefixes;
  }

  void scan(std::optional<T> prefix) {
    const auto own = prefixes(std::move(prefix));
    if constexpr (is_node_policy_v<Policy> && SharedResults<T>::fits) {
      if (NodeWork* const work = _call.node_work()) {
        NodeChunks<OutputIt> parts(_first, _last, min_length);
        SharedResults<T> shared(work->results(_call.myid()));
        for (std::size_t chunk = 0; chunk < own.size(); ++chunk)
          shared.put(chunk, own[chunk]);
        work->run(own.size(), [&](team_unit_t unit, std::size_t begin, std::size_t end) {
          const SharedResults<T> of_unit(work->results(unit));
          for (std::size_t chunk = begin; chunk < end; ++chunk)
            scan_chunk(parts.of(unit), chunk, of_unit.get(chunk));
        });
        return;
      }
    }
    const ResultChunks chunks(local_chunks(_first, _last), min_length);
    run_ranges(_policy, own.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t chunk = begin; chunk < end; ++chunk)
        scan_chunk(chunks, chunk, own[chunk]);
    });
  }

  void scan_chunk(const ResultChunks<Output>& chunks, std::size_t chunk,
                  const std::optional<T>& prefix) const {
    BinaryOperation op = _op;
    chunks.for_each_part_of(chunk, [&](const auto& part) {
      scan_with_prefix(_kind, prefix ? &*prefix : nullptr, _input.at(part), part.data, part.length,
                       op);
    });
  }

  Call& _call;
  const Policy& _policy;
  ScanKind _kind;
  const OutputIt& _first;
  const OutputIt& _last;
  std::vector<team_unit_t> _units;
  BinaryOperation _op;
  Operand<InputIt, OutputIt> _input;
  std::vector<T> _sums;  // of the caller's chunks
};

}  // namespace dash::internal
