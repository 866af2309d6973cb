#include <algorithm>
#include <atomic>
#include <vector>

#include "executor/Arena.h"
#include "dash/async/Executor.h"
#include "dash/async/Pace.h"
#include "dash/core/Trace.h"

namespace dash::exec {

namespace {

using Body = FunctionRef<void(std::size_t, std::size_t)>;

/// So long the calling thread works alone to find out what a piece costs.
constexpr std::uint64_t probe_ns = 2'000;
/// Shares of more pieces begin at multiples of `aligned`: the pieces may be elements.
constexpr std::size_t many = 4096;
constexpr std::size_t aligned = 64;

void run(Body body, std::size_t begin, std::size_t end) {
  const core::TraceSpan span(core::TraceKind::task, "chunk");
  body(begin, end);
}

/// Runs ever larger ranges from the first piece on, until their time is known.
/// \returns how many pieces were run
std::size_t probe(std::size_t n, Body body, Pace& pace) {
  const std::uint64_t begin = core::now_ns();
  std::size_t done = 0;
  std::uint64_t elapsed = 0;
  for (std::size_t end = 1; done < n && elapsed < probe_ns; end *= 8) {
    end = std::min(end, n);
    run(body, done, end);
    done = end;
    elapsed = core::now_ns() - begin;
  }
  pace.note(done, elapsed);
  return done;
}

/// What each worker begins with: the same for loops of the same length, so that a worker finds in
/// its caches, and in the memory next to it, what it has used or written first before.
class Shares {
 public:
  Shares(std::size_t n, std::size_t done, std::size_t workers) : _shares(workers) {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < workers; ++i) {
      std::size_t end = n / workers * (i + 1) + n % workers * (i + 1) / workers;
      if (n / workers >= many && i + 1 < workers) end = end / aligned * aligned;
      _shares[i].next.store(std::max(begin, std::min(done, end)), std::memory_order_relaxed);
      _shares[i].end = end;
      begin = end;
    }
  }

  /// Runs what is left of a worker's share, then of the others'.
  void work(std::size_t first, Pace pace, Body body) {
    try {
      for (std::size_t i = 0; i < _shares.size(); ++i)
        _shares[(first + i) % _shares.size()].work(pace, body);
    } catch (...) {
      for (Share& share : _shares)
        share.next.store(share.end, std::memory_order_relaxed);
      throw;
    }
  }

 private:
  struct alignas(64) Share {
    std::atomic<std::size_t> next{0};
    std::size_t end = 0;

    // What the pieces wrote is handed over by the arena, at the end of all.
    void work(Pace& pace, Body body) {
      while (true) {
        const std::size_t seen = next.load(std::memory_order_relaxed);
        if (seen >= end) return;
        const std::size_t batch = pace.batch(seen, end);
        const std::size_t begin = next.fetch_add(batch, std::memory_order_relaxed);
        if (begin >= end) return;
        const std::size_t stop = std::min(begin + batch, end);
        pace.run(stop - begin, [&] { run(body, begin, stop); });
      }
    }
  };

  std::vector<Share> _shares;
};

}  // namespace

void run_ranges(std::size_t n, FunctionRef<void(std::size_t, std::size_t)> body) {
  if (n == 0) return;
  const int workers = executor_workers();
  if (workers == 1 || n == 1) {
    run(body, 0, n);
    return;
  }
  Pace pace(static_cast<std::size_t>(workers));
  const std::size_t done = probe(n, body, pace);
  if (done == n) return;
  if (static_cast<double>(n - done) * pace.ns_per_piece() < worth_sharing_ns) {
    run(body, done, n);
    return;
  }
  Shares shares(n, done, static_cast<std::size_t>(workers));
  arena_run([&](int thread) { shares.work(static_cast<std::size_t>(thread), pace, body); });
}

void run_on_workers(FunctionRef<void()> body) {
  if (executor_workers() == 1) {
    body();
  } else {
    arena_run([&](int) { body(); });
  }
}

}  // namespace dash::exec
