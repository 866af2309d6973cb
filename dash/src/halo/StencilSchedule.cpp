#include "dash/halo/StencilSchedule.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include "dash/async/Engine.h"
#include "dash/async/Executor.h"
#include "dash/halo/HaloExchange.h"

namespace dash::halo::internal {
namespace {

/// Elements between two looks at what has arrived: some microseconds.
constexpr std::size_t chunk = 8192;

/// The pieces that nobody has taken yet.
class Border {
 public:
  Border(HaloExchange& exchange, std::span<const BorderPiece> pieces)
      : _exchange(exchange),
        _pieces(pieces),
        _taken(std::make_unique<std::atomic<bool>[]>(pieces.size())) {}

  /// \returns one whose regions have arrived, which is the caller's now; or null
  const BorderPiece* take_ready() {
    bool all_taken = true;
    for (std::size_t i = _first.load(std::memory_order_relaxed); i < _pieces.size(); ++i) {
      if (_taken[i].load(std::memory_order_relaxed)) {
        if (all_taken) _first.store(i + 1, std::memory_order_relaxed);
        continue;
      }
      all_taken = false;
      if (is_ready(_pieces[i]) && !_taken[i].exchange(true, std::memory_order_relaxed)) {
        return &_pieces[i];
      }
    }
    return nullptr;
  }

  /// Waits until one of the regions has arrived that those need which are left, if they need any.
  /// \returns false if none is left
  bool wait_for_next() {
    bool is_left = false;
    std::vector<region_index_t> missing;
    for (std::size_t i = 0; i < _pieces.size(); ++i) {
      if (_taken[i].load(std::memory_order_relaxed)) continue;
      is_left = true;
      if (is_ready(_pieces[i])) return true;
      for (const auto region : _pieces[i].needed) {
        const bool is_known = std::find(missing.begin(), missing.end(), region) != missing.end();
        if (!is_known && !_exchange.arrived(region)) missing.push_back(region);
      }
    }
    if (!missing.empty()) _exchange.wait_for_any(missing);
    return is_left;
  }

 private:
  bool is_ready(const BorderPiece& piece) {
    return std::all_of(piece.needed.begin(), piece.needed.end(),
                       [this](region_index_t region) { return _exchange.arrived(region); });
  }

  HaloExchange& _exchange;
  std::span<const BorderPiece> _pieces;
  std::unique_ptr<std::atomic<bool>[]> _taken;
  std::atomic<std::size_t> _first{0};  // a hint: those before it are taken
};

void run_parts(HaloExchange& exchange, std::size_t ninner,
               exec::FunctionRef<void(std::size_t, std::size_t)> inner,
               std::span<const BorderPiece> pieces,
               exec::FunctionRef<void(const BorderPiece&)> border) {
  Border left(exchange, pieces);
  std::atomic<std::size_t> next{0};
  const auto run_ready = [&] {
    while (const BorderPiece* const piece = left.take_ready()) {
      border(*piece);
    }
  };
  exec::run_on_workers([&] {
    while (true) {
      run_ready();
      const std::size_t begin = next.fetch_add(chunk, std::memory_order_relaxed);
      if (begin >= ninner) return;
      inner(begin, std::min(ninner, begin + chunk));
      // Transfers have to move where nobody else moves them.
      exec::Engine::instance().progress_as_worker();
    }
  });
  do {
    run_ready();
  } while (left.wait_for_next());
}

}  // namespace

void run_stencil(HaloExchange& exchange, std::size_t ninner,
                 exec::FunctionRef<void(std::size_t, std::size_t)> inner,
                 std::span<const BorderPiece> pieces,
                 exec::FunctionRef<void(const BorderPiece&)> border) {
  try {
    run_parts(exchange, ninner, inner, pieces, border);
  } catch (...) {
    // Who catches it may write the block.
    exchange.complete_sends();
    throw;
  }
}

}  // namespace dash::halo::internal
