#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "dash/async/State.h"
#include "dash/core/Spin.h"

namespace dash::dart {

/// The pending operations of this unit, in lists by segment and unit. An operation leaves its list
/// when it completes; a flush searches only the lists of the operations it waits for.
/// \threads thread-safe
class PendingList {
 public:
  static constexpr std::int32_t any_unit = -1;
  static constexpr std::size_t num_lists = 256;

  /// Element of a list, a member of the object that holds the operation's state.
  class Entry {
   public:
    Entry() noexcept = default;
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

    /// Leaves the list, if in one. To be called before the state is complete, or when it is.
    void remove() noexcept {
      if (_list != nullptr) _list->remove(*this);
    }

    const exec::State& state() const noexcept { return *_state; }
    std::int32_t unit() const noexcept { return _unit; }
    std::int16_t segment() const noexcept { return _segment; }

   private:
    friend class PendingList;
    PendingList* _list = nullptr;
    exec::State* _state = nullptr;
    Entry* _previous = nullptr;
    Entry* _next = nullptr;
    std::uint64_t _serial = 0;
    std::int32_t _unit = 0;
    std::int16_t _segment = 0;
  };

  /// \param unit  any_unit if the operation concerns several units; the flush of each of them then
  ///              waits for it
  /// \pre the state lives until the entry is removed, and no other thread has it yet
  void add(Entry& entry, exec::State& state, std::int16_t segment, std::int32_t unit) noexcept;

  static std::size_t list_of(std::int16_t segment, std::int32_t unit) noexcept {
    const std::uint32_t mixed =
        static_cast<std::uint32_t>(static_cast<std::uint16_t>(segment)) * 97U +
        static_cast<std::uint32_t>(unit);
    return mixed % num_lists;
  }

  /// Without the lock: 0 means that a flush has nothing to wait for.
  std::size_t size() const noexcept { return _size.load(std::memory_order_acquire); }
  bool has_any_unit() const noexcept { return _of_any_unit.load(std::memory_order_acquire) != 0; }

  /// Serial number of the next entry; those in the lists have smaller ones.
  std::uint64_t next_serial() noexcept {
    const std::lock_guard lock(_lock);
    return _next_serial;
  }

  /// Stores references to the states of matching entries, from `list` up to `end_list`, until the
  /// array is full.
  ///
  /// \param list    moves to the list where the next call has to continue
  /// \param before  only entries with smaller serial numbers are considered
  /// \returns the number of states stored
  template <std::size_t capacity, class Matches>
  std::size_t collect(std::array<exec::StatePtr<exec::State>, capacity>& states, std::size_t& list,
                      std::size_t end_list, std::uint64_t before, const Matches& matches) {
    std::size_t count = 0;
    const std::lock_guard lock(_lock);
    for (; list < end_list; ++list) {
      for (Entry* entry = _lists[list]; entry != nullptr && count < capacity;
           entry = entry->_next) {
        if (entry->_serial >= before || !matches(*entry)) continue;
        // The producer's reference exists as long as the entry is in the list.
        states[count++] = exec::StatePtr<exec::State>::share(entry->_state);
      }
      if (count == capacity) break;
    }
    return count;
  }

  /// Calls f(state) with a reference to the state of every entry.
  template <class F>
  void for_each_state(F f) {
    const std::lock_guard lock(_lock);
    for (const Entry* entry : _lists) {
      for (; entry != nullptr; entry = entry->_next)
        f(exec::StatePtr<exec::State>::share(entry->_state));
    }
  }

 private:
  void remove(Entry& entry) noexcept;

  core::SpinLock _lock;  // guards the lists
  std::array<Entry*, num_lists> _lists{};
  std::uint64_t _next_serial = 0;
  // Stored under the lock with release, loaded without it with acquire. A caller that reads 0 sees
  // the effects of all operations that have been removed. It reads its own store or a later one, so
  // it never reads 0 while an operation that it has added is in a list.
  std::atomic<std::size_t> _size{0};
  std::atomic<std::size_t> _of_any_unit{0};
};

}  // namespace dash::dart
