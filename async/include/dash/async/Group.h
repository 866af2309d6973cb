#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "dash/async/State.h"
#include "dash/core/Export.h"

namespace dash::exec {

/// Tells a group when the last of several states is done: a continuation at each that is pending,
/// all of them in one allocation.
class DASH_API Countdown {
 public:
  /// \param owner  the state that is pending until the count ends, and of which this is a part
  /// \param most   how many states will be added
  Countdown(State& owner, std::size_t most);
  Countdown(const Countdown&) = delete;
  Countdown& operator=(const Countdown&) = delete;

  /// \pre the state is not lazy
  void add(State& state);

  /// After the last add(). \returns whether all are done already; else finish() will be called
  bool end() noexcept { return count_down(_most - _attached + 1); }

 protected:
  ~Countdown();

  /// All are done. Called by whoever completes the last, perhaps the progress thread; by nobody if
  /// end() returns true.
  virtual void finish() noexcept = 0;

 private:
  class Node;

  bool count_down(std::size_t by) noexcept {
    return _pending.fetch_sub(by, std::memory_order_acq_rel) == by;
  }

  State& _owner;
  std::unique_ptr<Node[]> _nodes;
  std::size_t _most;
  std::size_t _attached = 0;
  // What could be pending, until end() tells; one count more is held by who adds.
  std::atomic<std::size_t> _pending;
};

/// Tells which of several states is done first.
class DASH_API Race {
 public:
  static constexpr std::size_t nobody = static_cast<std::size_t>(-1);

  Race(State& owner, std::size_t runners);
  Race(const Race&) = delete;
  Race& operator=(const Race&) = delete;

  /// \returns false if the race is over: the rest need not start
  /// \pre the state is not lazy; indices are given once, in any order
  bool add(State& state, std::size_t index) noexcept;

  /// After the last add(). \returns whether somebody has won already; else finish() will be called
  bool end() noexcept { return advance(ended); }

  /// \pre finish() was called, or end() returned true
  std::size_t winner() const noexcept { return _winner.load(std::memory_order_relaxed); }

 protected:
  ~Race();

  /// The first is done. Called by whoever completes it, perhaps the progress thread; by nobody if
  /// end() returns true.
  virtual void finish() noexcept = 0;

 private:
  class Node;
  static constexpr unsigned won = 1;
  static constexpr unsigned ended = 2;

  bool arrive(std::size_t index) noexcept;
  /// \returns whether the second of the two has happened now
  bool advance(unsigned event) noexcept {
    return _events.fetch_or(event, std::memory_order_acq_rel) == (won + ended - event);
  }

  State& _owner;  // alive until the last runner has arrived
  std::unique_ptr<Node[]> _nodes;
  std::atomic<std::size_t> _winner{nobody};
  std::atomic<unsigned> _events{0};
};

/// Helps, and sleeps until something completes or has to be looked at again.
DASH_API void wait_a_little();

}  // namespace dash::exec
