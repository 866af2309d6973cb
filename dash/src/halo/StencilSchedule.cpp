#include "dash/halo/stencil/StencilSchedule.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "dash/async/Engine.h"
#include "dash/async/Executor.h"
#include "dash/halo/exchange/HaloExchange.h"

namespace dash::halo::internal {
namespace {

/// Number of border elements in a part that one thread updates at once.
constexpr std::ptrdiff_t part_size = 4096;

/// The parts of a step that have not been claimed by a thread.
class Parts {
 public:
  Parts(std::span<HaloExchange* const> exchanges, const StencilParts& parts,
        const StencilFunctions& functions)
      : _exchanges(exchanges),
        _parts(parts),
        _functions(functions),
        _units_per_chunk(std::max<std::ptrdiff_t>(
            1, stencil_chunk_size / std::max<std::ptrdiff_t>(1, parts.inner.size))),
        _num_chunks((parts.inner.number + _units_per_chunk - 1) / _units_per_chunk),
        _boxes(std::make_unique<State[]>(parts.boxes.size())),
        _claimed_ends(std::make_unique<std::atomic<std::uint8_t>[]>(
            static_cast<std::size_t>(parts.inner.ends.empty() ? 0 : _num_chunks))) {
    for (std::size_t i = 0; i < parts.boxes.size(); ++i)
      _boxes[i].next.store(parts.boxes[i].begin, std::memory_order_relaxed);
  }

  /// Whether there is work for several threads if all regions have arrived.
  bool is_large() const {
    const auto& boxes = _parts.boxes;
    return _num_chunks > 1 ||
           (!boxes.empty() && boxes.back().end - boxes.front().begin > part_size);
  }

  /// Computes the boxes whose regions have arrived.
  void run_ready_boxes() {
    for (std::size_t i = 0; i < _parts.boxes.size(); ++i) {
      const BorderBox& box = _parts.boxes[i];
      while (remaining(i) > 0 && is_ready(box.needed, _boxes[i].is_ready)) {
        const std::ptrdiff_t begin = _boxes[i].next.fetch_add(part_size, std::memory_order_relaxed);
        if (begin < box.end) _functions.border(begin, std::min(box.end, begin + part_size));
      }
    }
  }

  /// Computes a chunk of the inner part, and its ends whose regions have arrived.
  /// \returns false if there is no chunk left
  bool run_chunk() {
    const std::ptrdiff_t chunk = _next_chunk.fetch_add(1, std::memory_order_relaxed);
    if (chunk >= _num_chunks) return false;
    const auto [begin, end] = units_of(chunk);
    _functions.inner(begin, end);
    for (std::size_t side = 0; side < num_sides(); ++side) {
      if (is_ready(side) && claim(chunk, side)) run_end(chunk, side);
    }
    return true;
  }

  /// Computes the ends that were not ready when their chunk was computed, and are ready now.
  void run_ready_ends() {
    for (std::size_t side = 0; side < num_sides(); ++side) {
      if (!is_ready(side)) continue;
      for (std::ptrdiff_t chunk = next_end(side); chunk < _num_chunks; chunk = next_end(side)) {
        if (claim(chunk, side)) run_end(chunk, side);
      }
    }
  }

  /// Waits until a part of the border is ready (all regions that it needs have arrived), or none
  /// remains.
  /// \returns number of elements in parts that are ready; 0 if no part remains
  std::ptrdiff_t wait_for_next() {
    Missing missing;
    while (true) {
      std::ptrdiff_t ready = 0;
      missing = {};
      const auto add = [&](std::ptrdiff_t elements, bool is_part_ready,
                           const std::vector<region_index_t>& needed) {
        is_part_ready ? void(ready += elements) : add_missing(needed, missing);
      };
      bool any_remaining = false;
      for (std::size_t i = 0; i < _parts.boxes.size(); ++i) {
        if (remaining(i) == 0) continue;
        any_remaining = true;
        const auto& needed = _parts.boxes[i].needed;
        add(remaining(i), is_ready(needed, _boxes[i].is_ready), needed);
      }
      for (std::size_t side = 0; side < num_sides(); ++side) {
        const std::ptrdiff_t chunks = remaining_ends(side);
        if (chunks == 0) continue;
        any_remaining = true;
        const RowEnds& end = _parts.inner.ends[side];
        add(chunks * _units_per_chunk * end.width, is_ready(side), end.needed);
      }
      if (ready != 0 || !any_remaining) return ready;
      if (missing.exchange != nullptr) missing.exchange->wait_for_any(missing.regions);
    }
  }

 private:
  // Counters and flags of claimed parts are relaxed: they only distribute the parts, and the workers are
  // joined. `is_ready` is released by a thread that has seen the regions arrive, and acquired before a part
  // is updated.
  struct State {
    std::atomic<std::ptrdiff_t> next{0};  // position or chunk
    std::atomic<bool> is_ready{false};
  };

  std::size_t num_sides() const { return _parts.inner.ends.size(); }

  std::pair<std::ptrdiff_t, std::ptrdiff_t> units_of(std::ptrdiff_t chunk) const {
    const std::ptrdiff_t begin = chunk * _units_per_chunk;
    return {begin, std::min(_parts.inner.number, begin + _units_per_chunk)};
  }

  void run_end(std::ptrdiff_t chunk, std::size_t side) {
    const auto [begin, end] = units_of(chunk);
    _functions.ends(begin, end, _parts.inner.ends[side].side);
  }

  /// \returns whether the caller must compute the end
  bool claim(std::ptrdiff_t chunk, std::size_t side) {
    const auto bit = static_cast<std::uint8_t>(1U << side);
    auto& claimed = _claimed_ends[static_cast<std::size_t>(chunk)];
    return (claimed.fetch_or(bit, std::memory_order_relaxed) & bit) == 0;
  }
  std::ptrdiff_t next_end(std::size_t side) {
    return _ends[side].next.fetch_add(1, std::memory_order_relaxed);
  }
  std::ptrdiff_t remaining_ends(std::size_t side) const {
    const auto bit = static_cast<std::uint8_t>(1U << side);
    std::ptrdiff_t count = 0;
    for (auto chunk = _ends[side].next.load(std::memory_order_relaxed); chunk < _num_chunks;
         ++chunk) {
      const auto& claimed = _claimed_ends[static_cast<std::size_t>(chunk)];
      count += (claimed.load(std::memory_order_relaxed) & bit) == 0 ? 1 : 0;
    }
    return count;
  }

  std::ptrdiff_t remaining(std::size_t box) const {
    const std::ptrdiff_t next = _boxes[box].next.load(std::memory_order_relaxed);
    return std::max<std::ptrdiff_t>(0, _parts.boxes[box].end - next);
  }

  bool is_ready(std::size_t side) {
    return is_ready(_parts.inner.ends[side].needed, _ends[side].is_ready);
  }
  bool is_ready(const std::vector<region_index_t>& needed, std::atomic<bool>& is_known) {
    if (is_known.load(std::memory_order_acquire)) return true;
    const bool ready = std::all_of(needed.begin(), needed.end(), [this](region_index_t region) {
      return std::all_of(_exchanges.begin(), _exchanges.end(),
                         [&](HaloExchange* exchange) { return exchange->arrived(region); });
    });
    if (ready) is_known.store(true, std::memory_order_release);
    return ready;
  }

  /// Regions that have not arrived, of one exchange.
  struct Missing {
    HaloExchange* exchange = nullptr;
    std::vector<region_index_t> regions;
  };

  void add_missing(const std::vector<region_index_t>& needed, Missing& missing) {
    for (const region_index_t region : needed) {
      for (HaloExchange* const exchange : _exchanges) {
        if (exchange->arrived(region)) continue;
        if (missing.exchange == nullptr) missing.exchange = exchange;
        auto& regions = missing.regions;
        const bool is_known = std::find(regions.begin(), regions.end(), region) != regions.end();
        if (exchange == missing.exchange && !is_known) regions.push_back(region);
      }
    }
  }

  std::span<HaloExchange* const> _exchanges;
  const StencilParts& _parts;
  const StencilFunctions& _functions;
  std::ptrdiff_t _units_per_chunk;
  std::ptrdiff_t _num_chunks;
  std::atomic<std::ptrdiff_t> _next_chunk{0};
  std::unique_ptr<State[]> _boxes;
  std::array<State, 2> _ends;
  std::unique_ptr<std::atomic<std::uint8_t>[]> _claimed_ends;  // by chunk, one bit for each side
};

void run_parts(Parts& parts) {
  const auto run_all = [&] {
    do {
      parts.run_ready_boxes();
      // In some modes no other thread makes progress on transfers.
      exec::Engine::instance().progress_without_jobs();
    } while (parts.run_chunk());
    parts.run_ready_ends();
  };
  const auto run_ready = [&] {
    parts.run_ready_boxes();
    parts.run_ready_ends();
  };
  // Uses other threads if there is more than one part or chunk.
  parts.is_large() ? exec::run_on_workers(run_all) : run_all();
  while (const std::ptrdiff_t ready = parts.wait_for_next()) {
    ready > part_size ? exec::run_on_workers(run_ready) : run_ready();
  }
}

}  // namespace

void run_stencil(std::span<HaloExchange* const> exchanges, const StencilParts& parts,
                 const StencilFunctions& functions) {
  try {
    Parts unclaimed(exchanges, parts, functions);
    run_parts(unclaimed);
  } catch (...) {
    // The caller may write the block after catching the exception.
    for (HaloExchange* const exchange : exchanges)
      exchange->complete_sends();
    throw;
  }
}

}  // namespace dash::halo::internal
