#include "dash/halo/stencil/StencilSchedule.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "dash/async/Engine.h"
#include "dash/async/Executor.h"
#include "dash/halo/exchange/HaloExchange.h"

namespace dash::halo::internal {
namespace {

/// Number of inner elements between two checks for arrived regions: a few microseconds.
constexpr std::size_t chunk = 8192;

/// Number of border elements in a part that one thread updates at once.
constexpr std::ptrdiff_t part_size = 4096;

/// Positions in the border's iteration.
struct Range {
  std::ptrdiff_t begin = 0;
  std::ptrdiff_t end = 0;
  std::ptrdiff_t size() const { return end - begin; }
};

/// The parts of the border that have not been claimed.
class Border {
 public:
  Border(HaloExchange& exchange, std::span<const BorderBox> boxes)
      : _exchange(exchange), _boxes(boxes), _states(std::make_unique<BoxState[]>(boxes.size())) {
    for (std::size_t i = 0; i < boxes.size(); ++i)
      _states[i].begin.store(boxes[i].begin, std::memory_order_relaxed);
  }

  /// Claims a part whose regions have arrived.
  /// \returns the part, which the caller must update; empty if there is none
  Range claim_ready() {
    for (std::size_t i = 0; i < _boxes.size(); ++i) {
      if (remaining(i) == 0 || !is_ready(i)) continue;
      const std::ptrdiff_t begin = _states[i].begin.fetch_add(part_size, std::memory_order_relaxed);
      if (begin < _boxes[i].end) return {begin, std::min(_boxes[i].end, begin + part_size)};
    }
    return {};
  }

  /// Waits until an unclaimed part is ready (all regions that it needs have arrived), or no
  /// unclaimed part remains.
  /// \returns number of elements in parts that are ready; 0 if no part remains
  std::ptrdiff_t wait_for_next() {
    std::vector<region_index_t> missing;
    while (true) {
      std::ptrdiff_t ready = 0;
      bool any_remaining = false;
      missing.clear();
      for (std::size_t i = 0; i < _boxes.size(); ++i) {
        if (remaining(i) == 0) continue;
        any_remaining = true;
        if (is_ready(i)) {
          ready += remaining(i);
        } else {
          add_missing(_boxes[i], missing);
        }
      }
      if (ready != 0 || !any_remaining) return ready;
      if (!missing.empty()) _exchange.wait_for_any(missing);
    }
  }

 private:
  struct BoxState {
    // `begin` is relaxed: it only distributes the parts, and the workers are joined. `is_ready` is released by a thread that has
    // seen the regions arrive, and acquired before a part is updated.
    std::atomic<std::ptrdiff_t> begin{0};
    std::atomic<bool> is_ready{false};
  };

  std::ptrdiff_t remaining(std::size_t i) const {
    const std::ptrdiff_t begin = _states[i].begin.load(std::memory_order_relaxed);
    return std::max<std::ptrdiff_t>(0, _boxes[i].end - begin);
  }

  bool is_ready(std::size_t i) {
    if (_states[i].is_ready.load(std::memory_order_acquire)) return true;
    const auto& needed = _boxes[i].needed;
    const bool ready = std::all_of(needed.begin(), needed.end(), [this](region_index_t region) {
      return _exchange.arrived(region);
    });
    if (ready) _states[i].is_ready.store(true, std::memory_order_release);
    return ready;
  }

  void add_missing(const BorderBox& box, std::vector<region_index_t>& missing) {
    for (const region_index_t region : box.needed) {
      const bool is_known = std::find(missing.begin(), missing.end(), region) != missing.end();
      if (!is_known && !_exchange.arrived(region)) missing.push_back(region);
    }
  }

  HaloExchange& _exchange;
  std::span<const BorderBox> _boxes;
  std::unique_ptr<BoxState[]> _states;
};

void run_parts(HaloExchange& exchange, std::size_t ninner,
               exec::FunctionRef<void(std::size_t, std::size_t)> inner,
               std::span<const BorderBox> boxes,
               exec::FunctionRef<void(std::ptrdiff_t, std::ptrdiff_t)> border) {
  Border unclaimed(exchange, boxes);
  // Relaxed: it only distributes the chunks; the workers are joined.
  std::atomic<std::size_t> next{0};
  const auto run_ready = [&] {
    for (Range range = unclaimed.claim_ready(); range.size() > 0; range = unclaimed.claim_ready())
      border(range.begin, range.end);
  };
  const auto run_all = [&] {
    while (true) {
      run_ready();
      const std::size_t begin = next.fetch_add(chunk, std::memory_order_relaxed);
      if (begin >= ninner) return;
      inner(begin, std::min(ninner, begin + chunk));
      // In some modes no other thread makes progress on transfers.
      exec::Engine::instance().progress_without_jobs();
    }
  };
  // Uses other threads if there is more than one part or chunk.
  const auto nborder = boxes.empty() ? 0 : boxes.back().end - boxes.front().begin;
  ninner > chunk || nborder > part_size ? exec::run_on_workers(run_all) : run_all();
  while (const std::ptrdiff_t ready = unclaimed.wait_for_next()) {
    ready > part_size ? exec::run_on_workers(run_ready) : run_ready();
  }
}

}  // namespace

void run_stencil(HaloExchange& exchange, std::size_t ninner,
                 exec::FunctionRef<void(std::size_t, std::size_t)> inner,
                 std::span<const BorderBox> boxes,
                 exec::FunctionRef<void(std::ptrdiff_t, std::ptrdiff_t)> border) {
  try {
    run_parts(exchange, ninner, inner, boxes, border);
  } catch (...) {
    // The caller may write the block after catching the exception.
    exchange.complete_sends();
    throw;
  }
}

}  // namespace dash::halo::internal
