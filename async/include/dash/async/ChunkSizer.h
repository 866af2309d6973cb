#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "dash/core/Clock.h"

namespace dash::exec {

/// Chooses how many work items of unknown cost a worker takes at a time: enough to make the cost of taking
/// them small, and fewer towards the end, so that all workers finish at about the same time.
/// \threads externally synchronized per object
class ChunkSizer {
 public:
  /// \param workers  number of workers that share the items
  explicit ChunkSizer(std::size_t workers) noexcept
      : _share(2 * std::max<std::size_t>(workers, 2)) {}

  /// The number of items, at least 1, to take from [next, end).
  std::size_t batch(std::size_t next, std::size_t end) const noexcept {
    const double each = std::max(_ns_per_item, shortest_ns);
    const std::size_t lower = each * few_items <= few_ns ? few_items : 1;
    const std::size_t upper =
        std::min({std::max((end - next) / _share, lower), growth * _latest, end - next});
    const double wanted = static_cast<double>(batch_ns) / each;
    if (wanted < static_cast<double>(alignment)) {
      return std::clamp<std::size_t>(static_cast<std::size_t>(wanted), 1,
                                     std::max<std::size_t>(upper, 1));
    }
    const std::size_t many =
        wanted < static_cast<double>(upper) ? static_cast<std::size_t>(wanted) : upper;
    const std::size_t stop = (next + many) / alignment * alignment;
    return stop > next ? stop - next : std::max<std::size_t>(many, 1);
  }

  double ns_per_item() const noexcept { return _ns_per_item; }

  /// Calls f(), which runs a number of items, and records its time. Recent batches have the greatest weight.
  template <class F>
  void run(std::size_t items, F&& f) {
    const std::uint64_t begin = core::now_ns();
    f();
    record(items, core::now_ns() - begin);
  }
  /// Records the time of a batch.
  void record(std::size_t items, std::uint64_t ns) noexcept {
    const double each = static_cast<double>(ns) / static_cast<double>(items);
    _ns_per_item = _latest == 0 ? each : (_ns_per_item + each) / 2;
    _latest = items;
  }

 private:
  /// Intended duration of a batch: a hundred times the cost of taking it.
  static constexpr std::uint64_t batch_ns = 30'000;
  /// A few items that take little time together are not divided for load balance.
  static constexpr std::size_t few_items = 16;
  static constexpr double few_ns = 3'000;
  static constexpr double shortest_ns = 1e-3;
  /// Limits a batch to a multiple of the previous one: later items may cost more.
  static constexpr std::size_t growth = 8;
  /// Larger batches end at multiples of this: batches of array elements are then whole cache lines.
  static constexpr std::size_t alignment = 64;

  std::size_t _share;       // a batch takes at most 1/_share of the remaining items
  std::size_t _latest = 0;  // size of the latest batch
  double _ns_per_item = 0;
};

}  // namespace dash::exec
