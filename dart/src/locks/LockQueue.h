#pragma once

#include <atomic>
#include <cstdint>

#include "dash/async/SharedWord.h"
#include "dash/core/Spin.h"

namespace dash::dart {

/// A unit's cell of a lock, in global memory. Words identify a unit by its id in the team plus one; 0 is no
/// unit.
struct LockCell {
  /// 1 when the predecessor in the queue has passed the lock to this unit.
  alignas(core::cache_line_size) exec::SharedWord granted;
  /// The successor in the queue.
  alignas(core::cache_line_size) exec::SharedWord next;
  /// The last unit of the queue; used in the cell of the lock's home unit only.
  alignas(core::cache_line_size) std::atomic<std::int32_t> tail{0};
};

/// The queue of Mellor-Crummey and Scott, apart from how a unit accesses the cells of others.
///
/// The lock passes from one unit to the next by a word that the first one signals with release and the
/// second one awaits with acquire: `granted`, or `tail` if the queue was empty in between. So a holder sees
/// what earlier holders have written.
/// \tparam Access  has swap_tail(value) and compare_and_swap_tail(expected, value), both with acquire and
///                 release, which return the old value; signal_next(unit, value) and signal_granted(unit), with
///                 release, for a unit's cell; and wait(word, done), with acquire
template <class Access>
class LockQueue {
 public:
  static constexpr std::int32_t no_unit = 0;

  LockQueue(Access& access, LockCell& mine, std::int32_t my_entry) noexcept
      : _access(access), _mine(mine), _my_entry(my_entry) {}

  void acquire() {
    reset();
    const std::int32_t predecessor = _access.swap_tail(_my_entry);
    if (predecessor == no_unit) return;
    _access.signal_next(predecessor, static_cast<std::uint32_t>(_my_entry));
    _access.wait(_mine.granted, [](std::uint32_t granted) { return granted == 1; });
  }

  bool try_acquire() {
    reset();
    return _access.compare_and_swap_tail(no_unit, _my_entry) == no_unit;
  }

  void release() {
    if (_mine.next.value.load(std::memory_order_acquire) == no_unit &&
        _access.compare_and_swap_tail(_my_entry, no_unit) == _my_entry) {
      return;
    }
    // Another unit has replaced the tail and will set `next` shortly.
    _access.wait(_mine.next, [](std::uint32_t next) { return next != no_unit; });
    // Relaxed: the wait has acquired the value, which no other unit changes.
    _access.signal_granted(
        static_cast<std::int32_t>(_mine.next.value.load(std::memory_order_relaxed)));
  }

 private:
  /// Relaxed: no other unit accesses the cell while its unit is not in the queue, and the release of the
  /// swap of the tail publishes the values to the successor.
  void reset() noexcept {
    _mine.granted.value.store(0, std::memory_order_relaxed);
    _mine.next.value.store(no_unit, std::memory_order_relaxed);
  }

  Access& _access;
  LockCell& _mine;
  std::int32_t _my_entry;
};

}  // namespace dash::dart
