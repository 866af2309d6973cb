#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "copy/CopyQueue.h"
#include "dash/async/Engine.h"
#include "dash/core/NumaDomain.h"

namespace dash::exec {

/// Copies in the background, by the progress thread and by callers that wait: a queue for each NUMA
/// domain of the unit.
///
/// A copy is in the queue of the domain that its destination lies in: of its memory traffic, the
/// destination is the greater part (what is written is read before, unless it bypasses the caches),
/// and who reads the copy is likely to be there. Each thread takes from the queue of the domain it
/// runs in, and only if that is empty from the others.
class CopyEngine final : public PollSource {
 public:
  /// How the machine is asked; tests have answers of their own.
  struct Machine {
    int (*domain_of)(const void* address) noexcept = core::numa_domain_of;
    int (*processor)() noexcept = core::this_processor;
  };

  explicit CopyEngine(Machine machine);
  CopyEngine() : CopyEngine(Machine()) {}

  /// \pre nothing is queued, and nobody polls
  void set_domains(const std::vector<core::NumaDomain>& domains);

  /// Takes over a reference.
  void submit(CopyJob& job) noexcept { _queues[queue_of(job)].submit(job); }

  /// Copies a quantum. The progress thread leaves them to callers that take some, if the processors
  /// are taken: it would only interrupt one of them.
  bool poll() noexcept override;
  Demand demand() const noexcept override;
  bool callers_poll() const noexcept override { return _callers_poll; }

  /// Whether every processor that the progress thread may use has a main thread that is awake. Said
  /// by the progress thread, before it polls.
  void set_crowded(bool crowded) noexcept { _crowded = crowded; }

 private:
  std::size_t queue_of(const CopyJob& job) const noexcept;
  std::size_t queue_here() const noexcept;
  std::size_t queue_of_domain(int os_index) const noexcept;
  bool thread_stands_back() noexcept;

  Machine _machine;
  std::vector<CopyQueue> _queues;          // constant while anybody polls, as the next two
  std::vector<int> _os_indices;            // of the domains of the queues
  std::vector<std::uint16_t> _queue_near;  // by processor, if there are several queues
  // Quanta that callers took. A hint: stores of several callers may undo each other.
  std::atomic<std::uint64_t> _callers_took{0};
  // The progress thread's own.
  std::uint64_t _seen_taken = 0;
  bool _callers_poll = false;
  bool _crowded = false;
  bool _offered = false;  // there was something to take when it looked before
};

}  // namespace dash::exec
