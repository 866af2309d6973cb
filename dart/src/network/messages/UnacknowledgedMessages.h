#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "dash/core/Spin.h"

namespace dash::dart {

/// Messages for memory of other units that asked for no answer, and of which a flush has to know that
/// they were served. Messages of a pair are served in order, so one answer stands for all before it.
/// \threads any
class UnacknowledgedMessages {
 public:
  /// The messages for a unit's part of a segment since an answer was asked for.
  struct Mark {
    std::int16_t segment;
    std::int32_t unit;  // of the segment's team
    int target;         // its global id
    std::uint32_t messages;
  };

  bool empty() const noexcept { return _size.load(std::memory_order_acquire) == 0; }

  /// After the message has been sent. \returns how many there are
  std::uint32_t add(std::int16_t segment, std::int32_t unit, int target) {
    const std::lock_guard lock(_lock);
    std::vector<Mark>& list = _lists[list_of(segment, unit)];
    for (Mark& mark : list) {
      if (mark.segment == segment && mark.unit == unit) return ++mark.messages;
    }
    list.push_back({segment, unit, target, 1});
    _size.store(_size.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    return 1;
  }

  /// Takes a mark out for which matches(mark) is true, after replace(mark), both under the lock: who
  /// looks for it meanwhile finds what has replaced it.
  /// \param list  where to begin; zero, and what the call before has left
  /// \returns whether there was one
  template <class Matches, class Replace>
  bool take(std::size_t& list, const Matches& matches, const Replace& replace) {
    const std::lock_guard lock(_lock);
    for (; list < num_lists; ++list) {
      for (Mark& mark : _lists[list]) {
        if (!matches(mark)) continue;
        replace(mark);
        mark = _lists[list].back();
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
  std::array<std::vector<Mark>, num_lists> _lists;
  std::atomic<std::size_t> _size{0};
};

}  // namespace dash::dart
