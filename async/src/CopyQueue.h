#pragma once

#include <atomic>
#include <cstddef>

#include "dash/async/Engine.h"
#include "dash/core/Spin.h"

namespace dash::exec {

/// Copies in the background, cut in quanta that the progress thread and waiting callers take.
///
/// Fair: the jobs take turns, a quantum each.
class CopyQueue final : public PollSource {
 public:
  /// Bytes of a quantum: some microseconds, so that a waiter is held up no longer than that by
  /// the last one, and long against the lock that hands it out.
  static constexpr std::size_t quantum = 128 * 1024;

  Operation submit(void* dest, const void* src, std::size_t nbytes);

  bool poll() noexcept override;
  Demand demand() const noexcept override {
    return _unclaimed.load(std::memory_order_acquire) == 0 ? Demand::none : Demand::busy;
  }

 private:
  struct Job;

  core::SpinLock _lock;  // guards the list and what is claimed of each job
  Job* _first = nullptr;
  Job* _last = nullptr;
  std::atomic<std::size_t> _unclaimed{0};  // jobs in the list
};

}  // namespace dash::exec
