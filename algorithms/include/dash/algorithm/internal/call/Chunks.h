#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "dash/ExecutionPolicy.h"
#include "dash/Types.h"
#include "dash/async/Executor.h"
#include "dash/internal/transfer/LocalBlocks.h"

namespace dash::internal {

/// Bytes of a chunk: large against the cost of handing it to a worker (below a microsecond), small
/// enough for an even load, and it stays in a private cache.
inline constexpr std::size_t chunk_bytes = std::size_t{128} << 10;

/// Calls body(begin, end) for ranges of 0 ... n - 1, as exec::run_ranges() unless the policy is seq.
template <ExecutionPolicy Policy, class Body>
void run_ranges(const Policy&, std::size_t n, const Body& body) {
  if constexpr (std::is_same_v<Policy, execution::sequenced_policy>) {
    if (n > 0) body(std::size_t{0}, n);
  } else {
    exec::run_ranges(n, body);
  }
}

/// The elements that a unit has of a range: for loops over all of them, or over chunks of equal
/// length. A chunk is a number of runs, or parts of them.
template <class T>
class Chunks {
 public:
  /// Elements of a chunk.
  static constexpr auto length =
      static_cast<default_index_t>(std::max<std::size_t>(chunk_bytes / sizeof(T), 1));

  Chunks() = default;
  explicit Chunks(LocalBlocks<T> runs) : _runs(std::move(runs)) {
    if (!_runs.empty()) _size = _runs.back().ordinal + _runs.back().length;
  }

  /// Elements.
  default_index_t size() const { return _size; }

  /// Number of chunks.
  std::size_t count() const { return count(0, _size); }

  /// Calls body(chunk, LocalBlock) for each part of each chunk; the parts of a chunk in order and on
  /// one thread. The body must not wait for communication.
  /// \throws the first exception of a body
  template <ExecutionPolicy Policy, class Body>
  void run(const Policy& policy, Body body) const {
    run(policy, 0, _size, body);
  }
  /// \overload for the elements number first ... last - 1
  template <ExecutionPolicy Policy, class Body>
  void run(const Policy& policy, default_index_t first, default_index_t last, Body body) const {
    run_ranges(policy, count(first, last), [&](std::size_t begin, std::size_t end) {
      for (std::size_t chunk = begin; chunk < end; ++chunk) {
        const auto at = first + static_cast<default_index_t>(chunk) * length;
        for_each_part(at, std::min(at + length, last),
                      [&](const LocalBlock<T>& part) { body(chunk, part); });
      }
    });
  }

  /// Calls body(LocalBlock) for parts of the elements number first ... last - 1, each one once: for
  /// work without a result. With one worker they are the runs themselves.
  /// \throws the first exception of a body
  /// @{
  template <ExecutionPolicy Policy, class Body>
  void run_parts(const Policy& policy, default_index_t first, default_index_t last,
                 Body body) const {
    run_ranges(policy, static_cast<std::size_t>(last - first),
               [&](std::size_t begin, std::size_t end) {
                 for_each_part(first + static_cast<default_index_t>(begin),
                               first + static_cast<default_index_t>(end), body);
               });
  }
  template <ExecutionPolicy Policy, class Body>
  void run_parts(const Policy& policy, Body body) const {
    run_parts(policy, 0, _size, std::move(body));
  }
  /// @}

  /// Calls fn(LocalBlock) for what runs have of the elements number begin ... end - 1.
  template <class Fn>
  void for_each_part(default_index_t begin, default_index_t end, Fn fn) const {
    auto run = std::upper_bound(
        _runs.begin(), _runs.end(), begin,
        [](default_index_t ordinal, const LocalBlock<T>& at) { return ordinal < at.ordinal; });
    if (run != _runs.begin()) --run;
    for (; run != _runs.end() && run->ordinal < end; ++run) {
      const auto skip = std::max<default_index_t>(begin - run->ordinal, 0);
      const auto stop = std::min(end - run->ordinal, run->length);
      if (skip < stop) {
        fn(LocalBlock<T>{run->data + skip, stop - skip, run->local_index + skip, run->ordinal + skip,
                       run->unit});
      }
    }
  }

 private:
  static std::size_t count(default_index_t first, default_index_t last) {
    return static_cast<std::size_t>((last - first + length - 1) / length);
  }

  LocalBlocks<T> _runs;
  default_index_t _size = 0;
};

/// Calls f(i) for i from 0 to n - 1, which may be interleaved if the policy says so.
template <ExecutionPolicy Policy, class Index, class F>
void for_each_of(const Policy&, Index n, F f) {
  if constexpr (std::is_same_v<Policy, execution::parallel_unsequenced_policy>) {
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
    for (Index i = 0; i < n; ++i)
      f(i);
  } else {
    for (Index i = 0; i < n; ++i)
      f(i);
  }
}

/// What the caller has of a global range.
template <GlobalIterator GlobIt>
auto local_chunks(const GlobIt& first, const GlobIt& last) {
  using T = std::remove_pointer_t<typename GlobIt::local_type>;
  return Chunks<T>(local_runs(first, last));
}

}  // namespace dash::internal
