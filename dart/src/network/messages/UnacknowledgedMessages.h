#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "dash/core/Spin.h"

namespace dash::dart {

/// Counts messages to memory of other units that requested no reply, so that a flush can ask
/// whether they have been handled. Messages of a pair of units that the same process handles are
/// handled in order, so one reply acknowledges all earlier ones.
/// \threads thread-safe
class UnacknowledgedMessages {
 public:
  /// Messages to a unit's part of a segment since the last requested reply.
  struct Count {
    std::int16_t segment;
    std::int32_t unit;  // id in the segment's team
    int target;         // global id of the unit
    bool of_unit;       // the unit itself handles them (Message::is_for_unit)
    std::uint32_t messages;

    bool is_of(std::int16_t other_segment, std::int32_t other_unit,
               bool other_of_unit) const noexcept {
      return segment == other_segment && unit == other_unit && of_unit == other_of_unit;
    }
  };

  /// Without the lock: see _size.
  bool empty() const noexcept { return _size.load(std::memory_order_acquire) == 0; }

  /// Counts a message that has been sent. \returns the number of unacknowledged messages of the
  /// pair
  std::uint32_t add(std::int16_t segment, std::int32_t unit, int target, bool of_unit) {
    const std::lock_guard lock(_lock);
    std::vector<Count>& list = _lists[list_of(segment, unit)];
    for (Count& count : list) {
      if (count.is_of(segment, unit, of_unit)) return ++count.messages;
    }
    list.push_back({segment, unit, target, of_unit, 1});
    _size.store(_size.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    return 1;
  }

  /// Removes one entry for which matches(count) is true, after calling replace(count). Both run
  /// under the lock, so another thread that searches for the entry finds either it or its
  /// replacement.
  ///
  /// \param list  the list to begin with: zero, then the value that the previous call has left
  /// \returns whether an entry was removed
  template <class Matches, class Replace>
  bool take(std::size_t& list, const Matches& matches, const Replace& replace) {
    const std::lock_guard lock(_lock);
    for (; list < num_lists; ++list) {
      for (Count& count : _lists[list]) {
        if (!matches(count)) continue;
        replace(count);
        count = _lists[list].back();
        _lists[list].pop_back();
        _size.store(_size.load(std::memory_order_relaxed) - 1, std::memory_order_release);
        return true;
      }
    }
    return false;
  }

 private:
  static constexpr std::size_t num_lists = 64;

  static std::size_t list_of(std::int16_t segment, std::int32_t unit) noexcept {
    const auto number = static_cast<std::uint32_t>(static_cast<std::uint16_t>(segment));
    return (number * 13U + static_cast<std::uint32_t>(unit)) % num_lists;
  }

  core::SpinLock _lock;  // guards the lists
  std::array<std::vector<Count>, num_lists> _lists;
  // Entries in all lists. Stored under the lock with release, loaded without it with acquire. A
  // flush by the thread that sent the messages reads its own store or a later one. If it reads 0,
  // it sees the effects of all calls of replace().
  std::atomic<std::size_t> _size{0};
};

}  // namespace dash::dart
