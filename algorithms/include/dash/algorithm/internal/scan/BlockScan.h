#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/ExecutionPolicy.h"
#include "dash/algorithm/internal/call/Call.h"
#include "dash/algorithm/internal/call/Chunks.h"
#include "dash/algorithm/internal/reduce/Lanes.h"
#include "dash/algorithm/internal/call/NodeChunks.h"
#include "dash/algorithm/internal/call/Operand.h"
#include "dash/algorithm/internal/scan/OrderedFold.h"
#include "dash/algorithm/internal/scan/ScanKernel.h"
#include "dash/internal/transfer/ContiguousBlocks.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash::internal {

/// The units that have elements of a range, in its order, if each has one run of it; else nothing.
/// \cost a mapping of an index for each unit at most
template <GlobalIterator GlobIt>
std::optional<std::vector<team_unit_t>> units_by_runs(const GlobIt& first, const GlobIt& last) {
  std::vector<team_unit_t> units;
  std::vector<bool> has_run(first.team().size());
  const auto size = last - first;
  GlobIt it = first;
  for (std::remove_const_t<decltype(size)> position = 0; position < size;) {
    const auto run = next_run(it, size - position);
    const auto unit = static_cast<std::size_t>(run.unit.id);
    if (has_run[unit]) return std::nullopt;
    has_run[unit] = true;
    units.push_back(run.unit);
    position += run.length;
    it += run.length;
  }
  return units;
}

/// A scan of ranges of which each unit has one run, the input lying as the output does: one sum a
/// unit tells all. Both passes go by the same chunks, which any unit of the node can find, so that
/// with par_node they are shared.
template <ExecutionPolicy Policy, class InputIt, GlobalIterator OutputIt, class T,
          class BinaryOperation>
class BlockScan {
  using Output = std::remove_pointer_t<typename OutputIt::local_type>;

 public:
  /// \param units  that have elements, in the order of the range
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

  /// \param before  what comes before the range, if anything
  void run(std::optional<T> before) {
    const auto sums = _call.template contribute<T>([&] { return sum(); });
    _call.run([&] {
      for (const team_unit_t unit : _units) {
        if (unit == _call.myid()) break;
        fold_into(before, sums[static_cast<std::size_t>(unit.id)], _op);
      }
      scan(std::move(before));
    });
  }

 private:
  /// Elements of a chunk, at least.
  static constexpr std::size_t least = LaneOperation<BinaryOperation, T>::known
                                           ? static_cast<std::size_t>(Chunks<Output>::length)
                                           : 1;

  /// \returns the sum of the caller's elements
  std::optional<T> sum() {
    std::optional<T> total;
    for_each_chunk_result<T>(
        _call, _policy, _first, _last, least,
        [this](std::optional<T>& so_far, const auto& part) {
          BinaryOperation op = _op;
          const auto* const in = _input.at(part);
          fold_into(so_far,
                    fold_ordered<T>(part.length, op, [in](default_index_t i) { return in[i]; }),
                    op);
        },
        [&](const T& of_chunk) {
          _sums.push_back(of_chunk);
          fold_into(total, of_chunk, _op);
        });
    return total;
  }

  /// What comes before each of the caller's chunks.
  std::vector<std::optional<T>> carries(std::optional<T> before) {
    std::vector<std::optional<T>> carries;
    for (const T& of_chunk : _sums) {
      carries.push_back(before);
      fold_into(before, of_chunk, _op);
    }
    return carries;
  }

  void scan(std::optional<T> before) {
    const auto own = carries(std::move(before));
    if constexpr (is_node_policy_v<Policy> && SharedResults<T>::fit) {
      if (NodeWork* const work = _call.node_work()) {
        NodeChunks<OutputIt> parts(_first, _last, least);
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
    const ResultChunks chunks(local_chunks(_first, _last), least);
    run_ranges(_policy, own.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t chunk = begin; chunk < end; ++chunk)
        scan_chunk(chunks, chunk, own[chunk]);
    });
  }

  void scan_chunk(const ResultChunks<Output>& chunks, std::size_t chunk,
                  const std::optional<T>& before) const {
    BinaryOperation op = _op;
    chunks.for_each_part_of(chunk, [&](const auto& part) {
      scan_after(_kind, before ? &*before : nullptr, _input.at(part), part.data, part.length, op);
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
