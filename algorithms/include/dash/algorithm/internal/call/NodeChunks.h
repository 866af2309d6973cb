#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/Chunks.h"
#include "dash/internal/element/ElementAccess.h"
#include "dash/internal/team/NodeWork.h"

namespace dash::internal {

/// The elements of a range that a unit owns, in chunks that have results. The chunk length depends
/// only on the number of elements. It is about the square root of that number, a compromise between
/// the overhead per chunk and load imbalance for any cost per element. The number of chunks is
/// limited.
template <class T>
class ResultChunks {
 public:
  static constexpr std::size_t max_count = 512;

  /// \param min_length  minimum number of elements per chunk: greater than 1 if an element is known
  ///          to be cheap
  ResultChunks(Chunks<T> parts, std::size_t min_length) : _parts(std::move(parts)) {
    const auto size = static_cast<std::size_t>(_parts.size());
    const auto balanced_length = static_cast<std::size_t>(std::sqrt(static_cast<double>(size)));
    _length =
        std::max({balanced_length, (size + max_count - 1) / max_count, min_length, std::size_t{1}});
  }

  const Chunks<T>& parts() const { return _parts; }
  /// Elements of each chunk but the last one, which may be shorter.
  std::size_t length() const { return _length; }
  std::size_t count() const {
    return (static_cast<std::size_t>(_parts.size()) + _length - 1) / _length;
  }

  /// Calls fn(LocalBlock) for the parts of a chunk, in order.
  template <class Fn>
  void for_each_part_of(std::size_t chunk, Fn fn) const {
    const auto begin = static_cast<default_index_t>(chunk * _length);
    const auto end = static_cast<default_index_t>((chunk + 1) * _length);
    _parts.for_each_part(begin, std::min(end, _parts.size()), fn);
  }

 private:
  Chunks<T> _parts;
  std::size_t _length;
};

/// The elements of a range that the units of the caller's node own. Each unit computes them from
/// the pattern, without communication.
template <GlobalIterator GlobIt>
class NodeChunks {
 public:
  using Part = ResultChunks<std::remove_pointer_t<typename GlobIt::local_type>>;

  NodeChunks(const GlobIt& first, const GlobIt& last, std::size_t min_length = 1)
      : _first(first), _last(last), _min_length(min_length), _parts(first.team().size()) {}

  /// \threads thread-safe
  const Part& of(team_unit_t unit) {
    const std::lock_guard lock(_mutex);
    auto& part = _parts[static_cast<std::size_t>(unit.id)];
    if (!part) part.emplace(Chunks(local_blocks_of(_first, _last, unit)), _min_length);
    return *part;
  }

 private:
  GlobIt _first;
  GlobIt _last;
  std::size_t _min_length;
  std::mutex _mutex;
  std::vector<std::optional<Part>> _parts;
};

/// Elements per chunk of work without results: greater than 1 if the number of elements exceeds the
/// range of the chunk counter.
inline std::size_t work_chunk_length(std::size_t size) noexcept {
  return (size >> 31) + 1;
}

/// Calls body(LocalBlock) for parts of the caller's elements of a range. With par_node, the units
/// of the node together process the elements that they own.
template <ExecutionPolicy Policy, GlobalIterator GlobIt, class Body>
void run_parts(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
               Body body) {
  if constexpr (is_node_policy_v<Policy>) {
    if (NodeWork* const work = call.node_work()) {
      NodeChunks<GlobIt> parts(first, last);
      const auto size = static_cast<std::size_t>(parts.of(call.myid()).parts().size());
      const std::size_t length = work_chunk_length(size);
      work->run((size + length - 1) / length, [&](team_unit_t unit, std::size_t begin,
                                                  std::size_t end) {
        const auto& part = parts.of(unit).parts();
        const auto each =
            static_cast<default_index_t>(work_chunk_length(static_cast<std::size_t>(part.size())));
        part.for_each_part(static_cast<default_index_t>(begin) * each,
                           std::min(static_cast<default_index_t>(end) * each, part.size()), body);
      });
      return;
    }
  }
  local_chunks(first, last).run_parts(policy, body);
}

/// Results of a unit's chunks, in memory that all units of the node can access.
/// \tparam R  trivially copyable
template <class R>
class SharedResults {
 public:
  static constexpr bool fits =
      std::is_trivially_copyable_v<R> &&
      ResultChunks<char>::max_count * (sizeof(R) + 1) <= NodeWork::result_bytes;

  explicit SharedResults(void* begin) : _begin(static_cast<unsigned char*>(begin)) {}

  void put(std::size_t chunk, const std::optional<R>& result) {
    unsigned char* const at = slot(chunk);
    *at = result ? 1 : 0;
    if (result) std::memcpy(at + 1, &*result, sizeof(R));
  }
  std::optional<R> get(std::size_t chunk) const {
    const unsigned char* const at = slot(chunk);
    return *at != 0 ? std::optional<R>(load_from<R>(at + 1)) : std::nullopt;
  }

 private:
  unsigned char* slot(std::size_t chunk) const { return _begin + chunk * (sizeof(R) + 1); }

  unsigned char* _begin;
};

/// The granularity of results. `of_each`: one result per chunk, so that the final result does not
/// depend on the threads that process the chunks. `of_ranges`: one result for the consecutive
/// chunks that a thread processes, for operations whose result does not depend on the grouping.
enum class ChunkResults { of_each, of_ranges };

/// Computes the results of chunks and passes them to `use` in order; see the overload below.
template <class R, ChunkResults results_of = ChunkResults::of_each, ExecutionPolicy Policy, class T,
          class Step, class Use>
void for_each_chunk_result(const Policy& policy, const ResultChunks<T>& chunks, Step step,
                           Use use) {
  if (chunks.count() == 1) {
    std::optional<R> result;
    chunks.for_each_part_of(0, [&](const auto& part) { step(result, part); });
    if (result) use(*result);
    return;
  }
  std::vector<std::optional<R>> results(chunks.count());
  run_ranges(policy, chunks.count(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t chunk = begin; chunk < end; ++chunk) {
      auto& result = results[results_of == ChunkResults::of_each ? chunk : begin];
      chunks.for_each_part_of(chunk, [&](const auto& part) { step(result, part); });
    }
  });
  for (const auto& result : results) {
    if (result) use(*result);
  }
}

/// Computes the results of the caller's chunks of a range and passes them to `use` in order. With
/// par_node, the units of the node together process their chunks. If a unit fails, results may be
/// missing; the failure is reported at the end of the call.
/// \tparam R     the result of a chunk
/// \tparam results_of  the granularity of results
/// \param min_length  minimum number of elements of a chunk
/// \param step  step(std::optional<R>&, LocalBlock) adds a part of a chunk to its result
/// \param use  called as use(const R&) for each result, in order
template <class R, ChunkResults results_of = ChunkResults::of_each, ExecutionPolicy Policy,
          GlobalIterator GlobIt, class Step, class Use>
void for_each_chunk_result(Call& call, const Policy& policy, const GlobIt& first,
                           const GlobIt& last, std::size_t min_length, Step step, Use use) {
  if constexpr (is_node_policy_v<Policy> && SharedResults<R>::fits) {
    if (NodeWork* const work = call.node_work()) {
      NodeChunks<GlobIt> parts(first, last, min_length);
      const std::size_t count = parts.of(call.myid()).count();
      work->run(count, [&](team_unit_t unit, std::size_t begin, std::size_t end) {
        const auto& part = parts.of(unit);
        SharedResults<R> results(work->results(unit));
        if constexpr (results_of == ChunkResults::of_each) {
          for (std::size_t chunk = begin; chunk < end; ++chunk) {
            std::optional<R> result;
            part.for_each_part_of(chunk, [&](const auto& block) { step(result, block); });
            results.put(chunk, result);
          }
        } else {
          std::optional<R> result;
          for (std::size_t chunk = begin; chunk < end; ++chunk) {
            part.for_each_part_of(chunk, [&](const auto& block) { step(result, block); });
            results.put(chunk, std::nullopt);
          }
          if (begin < end) results.put(begin, result);
        }
      });
      if (!work->wait_for_chunks()) return;
      const SharedResults<R> results(work->results(call.myid()));
      for (std::size_t chunk = 0; chunk < count; ++chunk) {
        if (const auto result = results.get(chunk)) use(*result);
      }
      return;
    }
  }
  for_each_chunk_result<R, results_of>(policy, ResultChunks(local_chunks(first, last), min_length),
                                       step, use);
}

}  // namespace dash::internal
