#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>

#include "memory/GlobalMemory.h"
#include "teams/Team.h"
#include "dash/async/Engine.h"
#include "dash/async/Executor.h"
#include "dash/core/Spin.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/dart/if/dart_synchronization.h"

namespace dash::dart {

/// A unit's part of a lock, in global memory. Units are named by their id in the team plus one; 0
/// is nobody.
struct LockCell {
  /// 1 once the unit before in the queue has handed the lock to this one.
  alignas(core::cache_line_size) exec::SharedWord granted;
  /// The unit behind in the queue.
  alignas(core::cache_line_size) exec::SharedWord next;
  /// The last unit of the queue; counts on the lock's home only.
  alignas(core::cache_line_size) std::atomic<std::int32_t> tail{0};
};

/// A queue lock of Mellor-Crummey and Scott over the units of a team: each unit waits on a word of
/// its own.
///
/// A unit puts itself at the tail by a swap and tells the unit that was there before; that one
/// hands the lock on when it is done. The tail is changed by processor atomics alone, wherever the
/// change comes from. A unit has one place in the queue: its threads take turns for it, in the
/// order in which they come.
///
/// \see Mellor-Crummey, Scott: Algorithms for Scalable Synchronization on Shared-Memory
///      Multiprocessors, 1991
class Lock {
 public:
  /// \param memory  a LockCell on each unit of the team, zero
  /// \param home    the unit, relative to the team, that has the tail
  Lock(const Team& team, const dart_gptr_t& memory, std::int32_t home);
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  /// \throws Error (DART_ERR_INVAL) if the calling thread holds it
  void acquire();
  /// \returns whether the calling thread holds it now
  bool try_acquire();
  /// \throws Error (DART_ERR_INVAL) if the calling thread does not hold it
  void release();

  bool held_by_caller() const noexcept {
    return _owner.load(std::memory_order_relaxed) == exec::running();
  }
  /// Whether a thread of this unit holds or awaits it.
  bool in_use() const noexcept {
    return _turn.value.load(std::memory_order_acquire) != _tickets.load(std::memory_order_acquire);
  }
  const dart_gptr_t& memory() const noexcept { return _memory; }
  std::int32_t home() const noexcept { return _home; }
  /// The last unit of the queue, by its id in the team; -1 if the lock is free.
  std::int32_t last_in_queue();

 private:
  class Turn;

  bool try_once();
  dart_gptr_t place_of(std::int32_t unit, std::size_t offset) const noexcept;
  /// Old values of the tail.
  std::int32_t swap_tail(std::int32_t value);
  std::int32_t compare_and_swap_tail(std::int32_t expected, std::int32_t value);
  void tell(std::int32_t unit, std::size_t offset, std::uint32_t value);
  void end_turn() noexcept;

  dart_gptr_t _memory;
  std::int32_t _home;
  std::int32_t _my_name;
  LockCell* _mine;
  std::atomic<std::uint32_t> _tickets{0};  // turns taken by threads of this unit
  exec::SharedWord _turn;                  // whose it is
  std::atomic<const void*> _owner{nullptr};
};

/// The locks of this unit, from init to exit.
class Locks {
 public:
  explicit Locks(GlobalMemory& memory) noexcept : _memory(memory) {}
  ~Locks();
  Locks(const Locks&) = delete;
  Locks& operator=(const Locks&) = delete;

  /// Collective over the team.
  dart_lock_t create(Team& team);
  void destroy(Team& team, dart_lock_t lock);
  /// A team ends, and the memory of its locks with it. \pre nobody waits for one
  void forget(dart_team_t team);
  /// \throws Error (DART_ERR_INVAL) unless it is a lock
  static Lock& check(const dart_lock_struct* lock);

 private:
  GlobalMemory& _memory;
  std::mutex _mutex;  // guards what follows
  std::uint64_t _created = 0;
  std::set<dart_lock_t> _living;
};

}  // namespace dash::dart

struct dart_lock_struct {
  std::unique_ptr<dash::dart::Lock> lock;  // nullptr: destroyed
};
