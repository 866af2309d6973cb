#pragma once

#include <atomic>
#include <cstddef>

#include "dash/async/CopyJob.h"
#include "dash/core/Spin.h"

namespace dash::exec {

/// Copies that wait for threads to take a quantum of them.
///
/// Fair: the jobs take turns, a quantum each.
/// \threads any
class CopyQueue {
 public:
  /// A part of a job that one thread copies.
  struct Quantum {
    CopyJob* job = nullptr;  // null: there is none
    std::size_t begin = 0;
    std::size_t length = 0;
  };

  /// Takes over a reference.
  void submit(CopyJob& job) noexcept;
  Quantum take() noexcept;

  /// Nothing to take.
  bool empty() const noexcept { return _unclaimed.load(std::memory_order_seq_cst) == 0; }

  /// Copies what was taken; the last quantum completes the job.
  static void run(const Quantum& quantum) noexcept;

 private:
  void append(CopyJob& job) noexcept;

  core::SpinLock _lock;  // guards the list and what is claimed of each job
  CopyJob* _first = nullptr;
  CopyJob* _last = nullptr;
  std::atomic<std::size_t> _unclaimed{0};  // jobs in the list
};

}  // namespace dash::exec
