#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <limits>
#include <optional>
#include <type_traits>

#include "dash/Types.h"
#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/Chunks.h"
#include "dash/algorithm/internal/call/NodeChunks.h"
#include "dash/internal/transfer/LocalBlocks.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash::internal {

/// Whether the caller's elements of a range are in its memory in the order of the range. This may
/// not hold for strided views of patterns that distribute blocks along diagonals.
template <GlobalIterator GlobIt>
inline constexpr bool is_memory_ordered = ContainerIterator<GlobIt>;

/// The first of the matches that several threads find. A thread can stop when it reaches elements
/// after this match.
/// Memory order is relaxed, because only the number itself is published.
class FirstMatch {
 public:
  void found(default_index_t key) noexcept {
    default_index_t first = _first.load(std::memory_order_relaxed);
    while (key < first && !_first.compare_exchange_weak(first, key, std::memory_order_relaxed)) {
    }
  }
  /// Whether an earlier match is known, so that the element need not be examined.
  bool is_before(default_index_t key) const noexcept {
    return _first.load(std::memory_order_relaxed) < key;
  }
  /// \pre all threads have finished their search
  std::optional<default_index_t> get() const noexcept {
    const auto first = _first.load(std::memory_order_relaxed);
    return first == none ? std::nullopt : std::optional(first);
  }

 private:
  static constexpr auto none = std::numeric_limits<default_index_t>::max();
  std::atomic<default_index_t> _first{none};
};

/// A search for the first match among the caller's elements of a range, by several threads.
/// \tparam of_node  whether the search includes the elements of the other units of the node
template <GlobalIterator GlobIt, bool of_node = false>
class LocalSearch {
  static constexpr bool by_ordinal = is_memory_ordered<GlobIt> && !of_node;

 public:
  using Index = typename GlobIt::index_type;
  using Element = std::remove_pointer_t<typename GlobIt::local_type>;

  LocalSearch(const GlobIt& first, const GlobIt& last)
      : _first(first), _chunks(of_node ? LocalBlocks<Element>() : local_blocks_of(first, last)) {}

  const Chunks<Element>& chunks() const { return _chunks; }
  /// Whether a match exists and later elements need not be searched.
  bool is_finished() const { return by_ordinal && _match.get().has_value(); }

  /// Searches a part in steps, until an earlier match is known.
  /// \param search  search(i, end) returns the first match among the elements i ... end - 1 of the
  ///                part, or `end`
  template <class Search>
  void in_part(const LocalBlock<Element>& part, Search search) {
    for (default_index_t begin = 0; begin < part.length; begin += step) {
      const auto end = std::min(begin + step, part.length);
      if constexpr (is_memory_ordered<GlobIt>) {
        if (_match.is_before(key(part, begin))) return;
        const auto at = search(begin, end);
        if (at == end) continue;
        _match.found(key(part, at));
        return;
      } else {
        for (auto at = search(begin, end); at < end; at = search(at + 1, end))
          _match.found(key(part, at));
      }
    }
  }

  /// Position of the first match in the range; no value if there is none.
  std::optional<Index> result() const {
    const auto match = _match.get();
    if (!match) return std::nullopt;
    Index result = 0;
    if constexpr (by_ordinal) {
      _chunks.for_each_part(*match, *match + 1, [&](const LocalBlock<Element>& element) {
        result = position(element, 0);
      });
    } else {
      result = static_cast<Index>(*match);
    }
    return result;
  }

 private:
  /// Number of elements between two checks for matches of other threads.
  static constexpr default_index_t step = 1024;

  Index position(const LocalBlock<Element>& part, default_index_t i) const {
    return static_cast<Index>(
        position_of_local(_first, part.unit, static_cast<Index>(part.local_index + i)));
  }
  /// The key by which matches are compared.
  default_index_t key(const LocalBlock<Element>& part, default_index_t i) const {
    if constexpr (by_ordinal) {
      return part.ordinal + i;
    } else {
      return static_cast<default_index_t>(position(part, i));
    }
  }

  GlobIt _first;
  Chunks<Element> _chunks;
  FirstMatch _match;  // by the ordinal among the caller's elements, or by position
};

/// Position of the first match that the caller finds: among its own elements, or with par_node
/// among the elements that it has searched.
/// \param search  search(begin, end) returns a pointer to the first match, or `end`
template <ExecutionPolicy Policy, GlobalIterator GlobIt, class Search>
auto local_first_match(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                       Search search) {
  const auto in_part = [&search](auto& local, const auto& part) {
    local.in_part(part, [&](default_index_t begin, default_index_t end) {
      return search(part.data + begin, part.data + end) - part.data;
    });
  };
  if constexpr (is_node_policy_v<Policy>) {
    if (call.node_work() != nullptr) {
      LocalSearch<GlobIt, true> of_node(first, last);
      run_parts(call, policy, first, last, [&](const auto& part) { in_part(of_node, part); });
      return of_node.result();
    }
  }
  LocalSearch<GlobIt> local(first, last);
  local.chunks().run(policy, [&](std::size_t, const auto& part) { in_part(local, part); });
  return local.result();
}

/// The lowest of the units' values; no value if no unit has contributed one.
template <class T>
std::optional<T> lowest(const Gathered<T>& values) {
  std::optional<T> result;
  for (std::size_t unit = 0; unit < values.size(); ++unit) {
    if (values.has_value(unit) && (!result || values[unit] < *result)) result = values[unit];
  }
  return result;
}

/// Whether any unit has contributed a value.
template <class T>
bool has_any(const Gathered<T>& values) {
  for (std::size_t unit = 0; unit < values.size(); ++unit) {
    if (values.has_value(unit)) return true;
  }
  return false;
}

}  // namespace dash::internal
