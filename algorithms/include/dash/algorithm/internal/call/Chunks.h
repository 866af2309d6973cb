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

/// Size of a chunk in bytes. It is large enough to amortize the dispatch to a worker (less than a
/// microsecond), and small enough for load balancing and for a private cache.
inline constexpr std::size_t chunk_bytes = std::size_t{128} << 10;

/// Calls body(begin, end) for subranges of 0 ... n - 1: one subrange on the calling thread with
/// seq, otherwise by exec::run_ranges().
template <ExecutionPolicy Policy, class Body>
void run_ranges(const Policy&, std::size_t n, const Body& body) {
  if constexpr (std::is_same_v<Policy, execution::sequenced_policy>) {
    if (n > 0) body(std::size_t{0}, n);
  } else {
    exec::run_ranges(n, body);
  }
}

/// The elements of a range that a unit owns, for loops over all of them or over chunks of equal
/// length. A chunk consists of contiguous blocks, or of parts of them.
template <class T>
class Chunks {
 public:
  /// Elements of a chunk.
  static constexpr auto length =
      static_cast<default_index_t>(std::max<std::size_t>(chunk_bytes / sizeof(T), 1));

  Chunks() = default;
  explicit Chunks(LocalBlocks<T> blocks) : _blocks(std::move(blocks)) {
    if (!_blocks.empty()) _size = _blocks.back().ordinal + _blocks.back().length;
  }

  /// Number of elements.
  default_index_t size() const { return _size; }

  /// Number of chunks.
  std::size_t count() const { return count(0, _size); }

  /// Calls body(chunk, LocalBlock) for each part of each chunk. The parts of a chunk are processed
  /// in order and on one thread. The body must not wait for communication.
  /// \throws the first exception of a body
  template <ExecutionPolicy Policy, class Body>
  void run(const Policy& policy, Body body) const {
    run(policy, 0, _size, body);
  }
  /// \overload for the elements with the ordinals first ... last - 1
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

  /// Calls body(LocalBlock) for disjoint parts of the elements with the ordinals first ... last -
  /// 1, for work without a result. With one worker the parts are the contiguous blocks themselves.
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

  /// Calls fn(LocalBlock) for each contiguous part of the elements with the ordinals begin ... end
  /// - 1.
  template <class Fn>
  void for_each_part(default_index_t begin, default_index_t end, Fn fn) const {
    auto block = std::upper_bound(
        _blocks.begin(), _blocks.end(), begin,
        [](default_index_t ordinal, const LocalBlock<T>& at) { return ordinal < at.ordinal; });
    if (block != _blocks.begin()) --block;
    for (; block != _blocks.end() && block->ordinal < end; ++block) {
      const auto skip = std::max<default_index_t>(begin - block->ordinal, 0);
      const auto stop = std::min(end - block->ordinal, block->length);
      if (skip < stop) {
        fn(LocalBlock<T>{block->data + skip, stop - skip, block->local_index + skip,
                         block->ordinal + skip, block->unit});
      }
    }
  }

 private:
  static std::size_t count(default_index_t first, default_index_t last) {
    return static_cast<std::size_t>((last - first + length - 1) / length);
  }

  LocalBlocks<T> _blocks;
  default_index_t _size = 0;
};

/// Calls f(i) for i from 0 to n - 1. With par_unseq the calls may be interleaved (vectorized).
template <ExecutionPolicy Policy, class Index, class F>
void for_each_of(const Policy&, Index n, F f) {
  if constexpr (std::is_same_v<Policy, execution::parallel_unsequenced_policy>) {
    // clang has a similar pragma, but with it warns about each loop that it does not vectorize, in the user's program.
#ifndef __clang__
#pragma GCC ivdep
#endif
    for (Index i = 0; i < n; ++i)
      f(i);
  } else {
    for (Index i = 0; i < n; ++i)
      f(i);
  }
}

/// The caller's elements of a global range.
template <GlobalIterator GlobIt>
auto local_chunks(const GlobIt& first, const GlobIt& last) {
  using T = std::remove_pointer_t<typename GlobIt::local_type>;
  return Chunks<T>(local_blocks_of(first, last));
}

}  // namespace dash::internal
