#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>

#include "dash/async/Engine.h"
#include "dash/async/Executor.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/dart/if/dart_synchronization.h"
#include "locks/LockQueue.h"
#include "memory/GlobalMemory.h"
#include "teams/Team.h"

namespace dash::dart {

/// MCS queue lock (Mellor-Crummey and Scott) over the units of a team: each unit waits on a word in its own
/// memory.
///
/// A unit enqueues itself by an atomic swap of the tail and links itself to its predecessor, which passes the
/// lock to it on release. The tail is changed by processor atomics only, whichever unit initiates the change.
/// A unit has one entry in the queue; its threads take turns in using it, in the order of their arrival.
///
/// \see Mellor-Crummey, Scott: Algorithms for Scalable Synchronization on Shared-Memory
///      Multiprocessors, 1991
class Lock {
 public:
  /// \param memory  a zeroed LockCell on each unit of the team
  /// \param home    id in the team of the unit whose cell contains the tail
  Lock(const Team& team, const dart_gptr_t& memory, std::int32_t home);
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  /// \throws exception::InvalidArgument if the calling thread already holds the lock
  void acquire();
  /// \returns whether the calling thread has acquired the lock
  bool try_acquire();
  /// \throws exception::InvalidArgument if the calling thread does not hold the lock
  void release();

  bool held_by_caller() const noexcept {
    return _owner.load(std::memory_order_relaxed) == exec::current_execution();
  }
  /// Whether a thread of this unit holds the lock or waits for it.
  bool in_use() const noexcept {
    return _now_serving.value.load(std::memory_order_acquire) !=
           _tickets.load(std::memory_order_acquire);
  }
  const dart_gptr_t& memory() const noexcept { return _memory; }
  std::int32_t home() const noexcept { return _home; }
  /// Id in the team of the last unit of the queue; -1 if the lock is free.
  std::int32_t last_in_queue();

 private:
  class ReleaseGuard;
  using Queue = LockQueue<Lock>;
  friend Queue;

  Queue queue() noexcept { return {*this, *_mine, _my_entry}; }
  bool try_once();
  dart_gptr_t pointer_to(std::int32_t unit, std::size_t offset) const noexcept;
  /// Both return the old value of the tail. With acquire and release, as LockQueue requires.
  std::int32_t swap_tail(std::int32_t value);
  std::int32_t compare_and_swap_tail(std::int32_t expected, std::int32_t value);
  void signal(std::int32_t unit, std::size_t offset, std::uint32_t value);
  void signal_next(std::int32_t entry, std::uint32_t value) {
    signal(entry - 1, offsetof(LockCell, next), value);
  }
  void signal_granted(std::int32_t entry) { signal(entry - 1, offsetof(LockCell, granted), 1); }
  static void wait(exec::SharedWord& word, exec::FunctionRef<bool(std::uint32_t)> done) {
    exec::Engine::instance().wait_shared(word, done);
  }
  void serve_next() noexcept;

  dart_gptr_t _memory;
  std::int32_t _home;
  std::int32_t _my_entry;
  LockCell* _mine;
  // The next ticket for a thread of this unit. Any order suffices: the tickets only have to be
  // different, and _now_serving publishes what the previous holder has written.
  std::atomic<std::uint32_t> _tickets{0};
  exec::SharedWord _now_serving;  // the ticket of the holder
  // Relaxed everywhere: a thread compares it with itself only, and reads its own last store.
  std::atomic<const void*> _owner{nullptr};
};

/// The locks of this unit, from dart_init to dart_exit.
class Locks {
 public:
  explicit Locks(GlobalMemory& memory) noexcept : _memory(memory) {}
  ~Locks();
  Locks(const Locks&) = delete;
  Locks& operator=(const Locks&) = delete;

  /// \collective over the team
  dart_lock_t create(Team& team);
  void destroy(Team& team, dart_lock_t lock);
  /// Drops the locks of a team that is destroyed, which frees their memory. \pre no unit waits for one
  void forget(dart_team_t team);
  /// \throws exception::InvalidArgument unless the handle is that of an active lock
  static Lock& check(const dart_lock_struct* lock);

 private:
  GlobalMemory& _memory;
  std::mutex _mutex;  // guards the members below
  std::uint64_t _created = 0;
  std::set<dart_lock_t> _active;
};

}  // namespace dash::dart

struct dart_lock_struct {
  std::unique_ptr<dash::dart::Lock> lock;  // nullptr: destroyed
};
