#pragma once

#include <atomic>
#include <cstddef>

#include "dash/async/CopyJob.h"
#include "dash/core/Spin.h"

namespace dash::exec {

/// Queue of copies, from which threads take chunks.
///
/// Round robin: one chunk of each copy in turn.
/// \threads thread-safe
class CopyQueue {
 public:
  /// A part of a job that one thread copies.
  struct Chunk {
    CopyJob* job = nullptr;  // null: the queue is empty
    std::size_t begin = 0;
    std::size_t length = 0;
  };

  /// Takes over a reference of the caller.
  void submit(CopyJob& job) noexcept;
  Chunk take() noexcept;

  /// Whether no chunk is left to take.
  bool empty() const noexcept { return _unclaimed.load(std::memory_order_seq_cst) == 0; }

  /// Copies a chunk. The thread that finishes the last one completes the job.
  static void run(const Chunk& chunk) noexcept;

 private:
  void append(CopyJob& job) noexcept;

  core::SpinLock _lock;  // guards the list and CopyJob::_claimed
  CopyJob* _first = nullptr;
  CopyJob* _last = nullptr;
  // Jobs in the list. Changed under the lock; sequentially consistent for Engine::Impl::is_backed_off().
  std::atomic<std::size_t> _unclaimed{0};
};

}  // namespace dash::exec
