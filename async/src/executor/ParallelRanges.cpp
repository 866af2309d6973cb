#include <algorithm>
#include <atomic>
#include <vector>

#include "dash/async/ChunkSizer.h"
#include "dash/async/Executor.h"
#include "dash/core/Trace.h"
#include "executor/Arena.h"

namespace dash::exec {

namespace {

using Body = FunctionRef<void(std::size_t, std::size_t)>;

/// Time that the calling thread works alone to measure the cost of an item.
constexpr std::uint64_t probe_ns = 2'000;
/// Shares of at least this size begin at multiples of `aligned`: workers then share no cache lines.
constexpr std::size_t large_share = 4096;
constexpr std::size_t aligned = 64;

void run(Body body, std::size_t begin, std::size_t end) {
  const core::TraceSpan span(core::TraceKind::task, "chunk");
  body(begin, end);
}

/// Runs ranges of growing size, from the first item on, until the cost of an item is known.
/// \returns the number of items that have been run
std::size_t probe(std::size_t n, Body body, ChunkSizer& sizer) {
  const std::uint64_t begin = core::now_ns();
  std::size_t done = 0;
  std::uint64_t elapsed = 0;
  for (std::size_t end = 1; done < n && elapsed < probe_ns; end *= 8) {
    end = std::min(end, n);
    run(body, done, end);
    done = end;
    elapsed = core::now_ns() - begin;
  }
  sizer.record(done, elapsed);
  return done;
}

/// The range with which each worker begins. It is the same for all loops of the same length, so that a
/// worker finds the data that it has used before in its caches and in its NUMA domain.
class Shares {
 public:
  Shares(std::size_t n, std::size_t done, std::size_t workers) : _shares(workers) {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < workers; ++i) {
      std::size_t end = n / workers * (i + 1) + n % workers * (i + 1) / workers;
      if (n / workers >= large_share && i + 1 < workers) end = end / aligned * aligned;
      _shares[i].next.store(std::max(begin, std::min(done, end)), std::memory_order_relaxed);
      _shares[i].end = end;
      begin = end;
    }
  }

  /// Runs the remaining items of a worker's share, then of the other shares.
  void work(std::size_t first, ChunkSizer sizer, Body body) {
    try {
      for (std::size_t i = 0; i < _shares.size(); ++i)
        _shares[(first + i) % _shares.size()].work(sizer, body);
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

    // Relaxed: the arena synchronizes all workers with the caller at the end.
    void work(ChunkSizer& sizer, Body body) {
      while (true) {
        const std::size_t first = next.load(std::memory_order_relaxed);
        if (first >= end) return;
        const std::size_t batch = sizer.batch(first, end);
        const std::size_t begin = next.fetch_add(batch, std::memory_order_relaxed);
        if (begin >= end) return;
        const std::size_t stop = std::min(begin + batch, end);
        sizer.run(stop - begin, [&] { run(body, begin, stop); });
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
  ChunkSizer sizer(static_cast<std::size_t>(workers));
  const std::size_t done = probe(n, body, sizer);
  if (done == n) return;
  if (static_cast<double>(n - done) * sizer.ns_per_item() < parallel_threshold_ns) {
    run(body, done, n);
    return;
  }
  Shares shares(n, done, static_cast<std::size_t>(workers));
  arena_run([&](int thread) { shares.work(static_cast<std::size_t>(thread), sizer, body); });
}

void run_on_workers(FunctionRef<void()> body) {
  if (executor_workers() == 1) {
    body();
  } else {
    arena_run([&](int) { body(); });
  }
}

}  // namespace dash::exec
