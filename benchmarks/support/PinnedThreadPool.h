#pragma once

#include <barrier>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

#include "dash/core/CpuSet.h"

namespace dash::bench {

/// Threads for hand-written parallel loops, each bound to a processor. They sleep between the loops.
class PinnedThreadPool {
 public:
  /// \param processors  assigned to the threads round-robin
  PinnedThreadPool(const core::CpuSet& processors, int threads);
  ~PinnedThreadPool();
  PinnedThreadPool(const PinnedThreadPool&) = delete;
  PinnedThreadPool& operator=(const PinnedThreadPool&) = delete;

  int threads() const noexcept { return static_cast<int>(_threads.size()); }

  /// Calls body(thread) on each thread, and returns after all calls have returned.
  void run(const std::function<void(int)>& body);

  /// Divides [0, n) into equal blocks and calls body(begin, end) on each thread, for its block.
  template <class Body>
  void run_blocks(std::size_t n, const Body& body) {
    const auto threads = static_cast<std::size_t>(this->threads());
    run([&](int thread) {
      const auto i = static_cast<std::size_t>(thread);
      body(n * i / threads, n * (i + 1) / threads);
    });
  }

 private:
  void run_thread(int thread, int processor);

  const std::function<void(int)>* _body = nullptr;
  bool _is_stopping = false;
  std::barrier<> _barrier;  // of the threads and the caller: before and after each loop
  std::vector<std::thread> _threads;
};

}  // namespace dash::bench
