#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "dash/Tasks.h"
#include "dash/async/TaskGraph.h"
#include "tasks/Channel.h"
#include "tasks/SharedCopies.h"

namespace dash::tasks::internal {

/// The global memory that a task uses. The task graph already contains its uses of other memory.
struct GlobalUses {
  /// A use in the form in which it is sent to the owner of the memory.
  struct Remote {
    dart_gptr_t gptr;
    std::uint64_t nbytes;
    std::uint64_t task;  // address of the task at the unit that runs it
    exec::Access mode;
  };
  struct Grant {
    int owner;
    std::uint64_t reference;
  };

  std::vector<exec::MemoryUse> own;
  std::vector<std::pair<int, Remote>> remote;  // global id of the owner, and the use
  core::SpinLock lock;                         // guards grants
  std::vector<Grant> grants;
};

/// Orders the tasks of this unit relative to those of all other units.
///
/// A task's uses of global memory are entered into the task graph of the *owner* of that memory.
/// When a phase ends, each owner enters the uses of the phase, its own and those of the other
/// units, in the order of the units. So all owners use the same order of tasks, which rules out
/// deadlocks. A proxy node represents a task of another unit. When the proxy becomes ready, the
/// owner grants the access to the task's unit; when that unit reports that the task is done, the
/// owner finishes the proxy. A task runs when all owners have granted access and its dependencies
/// in its own unit's graph are met.
///
/// A job, the receiver, handles the messages. It runs from the end of the first phase until wait()
/// ends.
class TaskDomain {
 public:
  static TaskDomain& instance();

  exec::TaskGraph& graph() noexcept { return _graph; }

  void start(Task& task, std::span<const Dependency> dependencies);
  Dependency start_copy(const CopyIn& copy);
  void report_completion(Task& task) noexcept;

  void end_phase();
  std::size_t phase() const noexcept { return _phase.load(std::memory_order_relaxed); }
  void wait();

  /// Runs the remaining tasks and jobs of all units, and logs errors that no wait() has reported.
  /// \collective over all units
  void finish();
  /// Frees the memory of the domain. Called by dash::finalize(). \pre no task is left
  void finalize();

 private:
  class ProxyNode;
  class Receiver;
  using Uses = std::vector<GlobalUses::Remote>;

  template <class PlainUses>
  void classify_use(Task& task, const Dependency& dependency, PlainUses& plain,
                    std::unique_ptr<GlobalUses>& global);
  void defer(Task& task, std::span<const exec::MemoryUse> plain,
             std::unique_ptr<GlobalUses> global);
  void start_receiver();
  std::vector<std::vector<GlobalUses::Remote>> exchange_uses(const std::vector<Task*>& deferred);
  static void complete_writes(const GlobalUses& uses);
  void enter_own(const std::vector<Task*>& deferred);
  void enter_remote(int unit, const Uses& uses);
  void handle(int source, const TaskMessage& message);
  void stop_receiver();

  exec::TaskGraph _graph;
  std::atomic<std::size_t> _phase{0};
  std::mutex _mutex;             // guards _deferred
  std::vector<Task*> _deferred;  // until the phase ends, in order of creation
  SharedCopies _copies;
  dart_gptr_t _staging = DART_GPTR_NULL;  // uses published to the others when the last phase ended
  std::unique_ptr<Channel> _channel;
  std::atomic<bool> _stop_requested{false};
  std::atomic<bool> _receiver_active{false};
};

}  // namespace dash::tasks::internal
