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

/// Inner elements between two looks at what has arrived: some microseconds.
constexpr std::size_t chunk = 8192;

/// Elements of the border that one thread does at a time.
constexpr std::ptrdiff_t part = 4096;

/// Positions in the border's iteration.
struct Range {
  std::ptrdiff_t begin = 0;
  std::ptrdiff_t end = 0;
  std::ptrdiff_t size() const { return end - begin; }
};

/// What nobody has taken yet of the border.
class Border {
 public:
  Border(HaloExchange& exchange, std::span<const BorderBox> boxes)
      : _exchange(exchange), _boxes(boxes), _left(std::make_unique<Left[]>(boxes.size())) {
    for (std::size_t i = 0; i < boxes.size(); ++i)
      _left[i].begin.store(boxes[i].begin, std::memory_order_relaxed);
  }

  /// Takes a part whose regions have arrived.
  /// \returns it, which is the caller's now; empty if there is none
  Range take_ready() {
    for (std::size_t i = 0; i < _boxes.size(); ++i) {
      if (left(i) == 0 || !is_ready(i)) continue;
      const std::ptrdiff_t begin = _left[i].begin.fetch_add(part, std::memory_order_relaxed);
      if (begin < _boxes[i].end) return {begin, std::min(_boxes[i].end, begin + part)};
    }
    return {};
  }

  /// Waits until one of the regions has arrived that those parts need which are left, if they need any.
  /// \returns how many elements are ready; 0 if none is left
  std::ptrdiff_t wait_for_next() {
    std::vector<region_index_t> missing;
    while (true) {
      std::ptrdiff_t ready = 0;
      bool is_left = false;
      missing.clear();
      for (std::size_t i = 0; i < _boxes.size(); ++i) {
        if (left(i) == 0) continue;
        is_left = true;
        if (is_ready(i)) {
          ready += left(i);
        } else {
          add_missing(_boxes[i], missing);
        }
      }
      if (ready != 0 || !is_left) return ready;
      if (!missing.empty()) _exchange.wait_for_any(missing);
    }
  }

 private:
  struct Left {
    std::atomic<std::ptrdiff_t> begin{0};
    std::atomic<bool> is_ready{false};
  };

  std::ptrdiff_t left(std::size_t i) const {
    const std::ptrdiff_t begin = _left[i].begin.load(std::memory_order_relaxed);
    return std::max<std::ptrdiff_t>(0, _boxes[i].end - begin);
  }

  bool is_ready(std::size_t i) {
    if (_left[i].is_ready.load(std::memory_order_acquire)) return true;
    const auto& needed = _boxes[i].needed;
    const bool ready = std::all_of(needed.begin(), needed.end(), [this](region_index_t region) {
      return _exchange.arrived(region);
    });
    if (ready) _left[i].is_ready.store(true, std::memory_order_release);
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
  std::unique_ptr<Left[]> _left;
};

void run_parts(HaloExchange& exchange, std::size_t ninner,
               exec::FunctionRef<void(std::size_t, std::size_t)> inner,
               std::span<const BorderBox> boxes,
               exec::FunctionRef<void(std::ptrdiff_t, std::ptrdiff_t)> border) {
  Border left(exchange, boxes);
  std::atomic<std::size_t> next{0};
  const auto run_ready = [&] {
    for (Range range = left.take_ready(); range.size() > 0; range = left.take_ready())
      border(range.begin, range.end);
  };
  const auto run_all = [&] {
    while (true) {
      run_ready();
      const std::size_t begin = next.fetch_add(chunk, std::memory_order_relaxed);
      if (begin >= ninner) return;
      inner(begin, std::min(ninner, begin + chunk));
      // Transfers have to move where nobody else moves them.
      exec::Engine::instance().progress_as_worker();
    }
  };
  // Other threads come if there is more than one part for them.
  const auto nborder = boxes.empty() ? 0 : boxes.back().end - boxes.front().begin;
  ninner > chunk || nborder > part ? exec::run_on_workers(run_all) : run_all();
  while (const std::ptrdiff_t ready = left.wait_for_next()) {
    ready > part ? exec::run_on_workers(run_ready) : run_ready();
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
    // Who catches it may write the block.
    exchange.complete_sends();
    throw;
  }
}

}  // namespace dash::halo::internal
