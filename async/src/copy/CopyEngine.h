#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "copy/CopyQueue.h"
#include "dash/async/PollSource.h"
#include "dash/core/NumaDomain.h"

namespace dash::exec {

/// Runs copies in the background, on the progress thread and on waiting callers. There is one queue for
/// each NUMA domain of the unit.
///
/// A copy is in the queue of the domain of its destination: the destination causes the greater part of the
/// memory traffic (written lines are read first, unless the copy bypasses the caches), and the threads that
/// read the copy are likely to run there. A thread takes chunks from the queue of the domain in which it
/// runs, and from the others only if that is empty.
class CopyEngine final : public PollSource {
 public:
  /// Queries of the machine; tests replace them.
  struct Machine {
    int (*domain_of)(const void* address) noexcept = core::numa_domain_of;
    int (*processor)() noexcept = core::this_processor;
  };

  explicit CopyEngine(Machine machine);
  CopyEngine() : CopyEngine(Machine()) {}

  /// \pre the queues are empty, and no thread polls
  void set_domains(const std::vector<core::NumaDomain>& domains);

  /// Takes over a reference.
  void submit(CopyJob& job) noexcept { _queues[queue_of(job)].submit(job); }

  /// Copies one chunk. If no processor is idle, the progress thread leaves chunks to waiting callers, since
  /// running them would interrupt a main thread.
  bool poll() noexcept override;
  Demand demand() const noexcept override;
  bool polled_by_callers() const noexcept override { return _callers_poll; }

  /// Sets whether every processor that the progress thread may use has a main thread that is awake.
  /// \threads the progress thread, before it polls
  void set_no_idle_processor(bool no_idle_processor) noexcept {
    _no_idle_processor = no_idle_processor;
  }

 private:
  std::size_t queue_of(const CopyJob& job) const noexcept;
  std::size_t nearest_queue() const noexcept;
  std::size_t queue_of_domain(int os_index) const noexcept;
  bool thread_leaves_chunks() noexcept;

  Machine _machine;
  std::vector<CopyQueue> _queues;  // this and the next two are constant while any thread polls
  std::vector<int> _os_indices;    // of the domain of each queue
  std::vector<std::uint16_t> _nearest_queue_of;  // by processor; empty if there is one queue
  // Number of chunks that callers took. A hint: concurrent updates may be lost.
  std::atomic<std::uint64_t> _num_taken_by_callers{0};
  // The members below belong to the progress thread.
  std::uint64_t _taken_at_last_poll = 0;
  bool _callers_poll = false;
  bool _no_idle_processor = false;
  bool _had_chunks = false;  // a chunk was available at the previous poll
};

}  // namespace dash::exec
