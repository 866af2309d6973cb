#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/WakeWord.h"
#include "dash/core/Futex.h"

namespace dash::dart {

/// Wakes idle progress threads of units on the same host.
///
/// An idle progress thread polls MPI rarely, since each poll may interrupt a computation, and a unit on another host
/// has to wait for its next poll. But units of simulated nodes, on one host, share a page: a thread that sleeps sets
/// a flag there, and a unit that has sent it a message wakes it.
class PeerWakeUp {
 public:
  /// \param words  of all units; empty if units cannot wake each other
  /// \param unit   the caller
  PeerWakeUp(std::vector<WakeWord*> words, int unit) noexcept
      : _words(std::move(words)), _unit(static_cast<std::size_t>(unit)) {}

  /// Whether units can wake each other.
  bool is_possible() const noexcept { return !_words.empty(); }

  /// Wakes the unit's progress thread if it sleeps. Called after MPI has the message.
  /// \threads thread-safe  \cost a fence and one load if it does not sleep; else a system call
  void wake(int unit) const noexcept {
    if (is_possible()) _words[static_cast<std::size_t>(unit)]->wake();
  }

  /// Wakes the sleeping progress threads of all other units, because an operation of the caller does not advance and
  /// its target may have to poll. Skips a thread that a unit has woken for this reason within its interval. The
  /// accesses are relaxed: they publish nothing, and the next call finds a thread that this one has missed.
  /// \param interval_ns  time until a unit may wake the same thread again for this reason
  /// \threads thread-safe
  void wake_silent(std::uint64_t now_ns, std::uint64_t interval_ns) const noexcept {
    for (std::size_t unit = 0; unit < _words.size(); ++unit) {
      WakeWord& word = *_words[unit];
      std::uint64_t next = word.next_wake_of_silent_ns.load(std::memory_order_relaxed);
      if (unit == _unit || now_ns < next || word.sleeps.load(std::memory_order_relaxed) == 0)
        continue;
      if (word.next_wake_of_silent_ns.compare_exchange_strong(next, now_ns + interval_ns,
                                                              std::memory_order_relaxed))
        word.wake_if_sleeping();
    }
  }

  /// Announces that the thread is about to sleep. It has to poll once more before it does.
  /// \threads the progress thread, as stay_awake()  \pre is_possible()
  core::FutexWord sleep_word() noexcept {
    WakeWord& own = *_words[_unit];
    _announced = true;
    return {&own.value, own.announce_sleep(), true};
  }
  /// The thread is awake.
  void stay_awake() noexcept {
    if (!_announced) return;
    _announced = false;
    _words[_unit]->stay_awake();
  }

 private:
  std::vector<WakeWord*> _words;
  std::size_t _unit;
  bool _announced = false;  // belongs to the progress thread
};

}  // namespace dash::dart
