#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "Channel.h"
#include "Copies.h"
#include "dash/Tasks.h"
#include "dash/async/TaskGraph.h"

namespace dash::tasks::internal {

/// What a task uses of the memory that units can name; the rest is in the graph already.
struct GlobalUses {
  /// As it is sent to the owner.
  struct Remote {
    dart_gptr_t gptr;
    std::uint64_t nbytes;
    std::uint64_t task;  // the user's address of it
    exec::Access mode;
  };
  struct Grant {
    int owner;
    std::uint64_t reference;
  };

  std::vector<exec::MemoryUse> own;
  std::vector<std::pair<int, Remote>> remote;  // with their owners
  core::SpinLock lock;                         // guards grants
  std::vector<Grant> grants;
};

/// The tasks of this unit, and their order among those of all.
///
/// A task's uses of global memory enter the graph of the memory's *owner*. What a unit's own tasks
/// and those of the others do to its memory in a phase enters in the order of the units when the
/// phase ends; so all owners agree on one order of all tasks, and no two wait for each other. For a
/// task of another unit there is a stand-in: when it is ready, the task's unit is granted the use;
/// when that unit says that the task is done, the stand-in is finished. A task runs when all owners
/// have granted, and its place in its own unit's graph has come.
///
/// Notes are taken by a job, the postman, which lives from the first phase's end to wait()'s.
class Domain {
 public:
  static Domain& instance();

  exec::TaskGraph& graph() noexcept { return _graph; }

  void start(Task& task, std::span<const Dependency> dependencies);
  Dependency start_copy(const CopyIn& copy);
  void finishes(Task& task) noexcept;

  void end_phase();
  std::size_t phase() const noexcept { return _phase.load(std::memory_order_relaxed); }
  void wait();

  /// In the end of the program: runs what is left and says so.
  void finish();

 private:
  class StandIn;
  class Postman;
  using Uses = std::vector<GlobalUses::Remote>;

  template <class PlainUses>
  void sort_use(Task& task, const Dependency& dependency, PlainUses& plain,
                std::unique_ptr<GlobalUses>& global);
  void hold(Task& task, std::span<const exec::MemoryUse> plain, std::unique_ptr<GlobalUses> global);
  void open();
  std::vector<std::vector<GlobalUses::Remote>> exchange(const std::vector<Task*>& held);
  static void complete_writes(const GlobalUses& uses);
  void enter_own(const std::vector<Task*>& held);
  void enter_others(int unit, const Uses& uses);
  void take(int source, const Note& note);
  void dismiss_postman();

  exec::TaskGraph _graph;
  std::atomic<std::size_t> _phase{0};
  std::mutex _mutex;         // guards the one below
  std::vector<Task*> _held;  // until the phase ends, in the order in which they were made
  Copies _copies;
  dart_gptr_t _staging = DART_GPTR_NULL;  // what was offered to the others at the last phase's end
  std::unique_ptr<Channel> _channel;
  std::atomic<bool> _dismissed{false};
  std::atomic<bool> _postman_here{false};
};

}  // namespace dash::tasks::internal
