#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "dash/async/State.h"
#include "dash/core/Export.h"

namespace dash::exec {

/// Calls finish() when the last of several states is done. Attaches a continuation to each pending
/// state; all of them share one allocation.
class DASH_API Countdown {
 public:
  /// \param owner       the state that is pending until the count ends, and of which this is a part
  /// \param max_states  upper limit of the number of states that will be added
  Countdown(State& owner, std::size_t max_states);
  Countdown(const Countdown&) = delete;
  Countdown& operator=(const Countdown&) = delete;

  /// \pre the state is not lazy
  void add(State& state);

  /// Call it after the last add(). \returns whether all states are done; if not, finish() will be called
  bool end() noexcept { return count_down(_max_states - _attached + 1); }

 protected:
  ~Countdown();

  /// All states are done. Called by the thread that completes the last one, possibly the progress thread;
  /// not called if end() returns true.
  virtual void finish() noexcept = 0;

 private:
  class Node;

  bool count_down(std::size_t by) noexcept {
    return _pending.fetch_sub(by, std::memory_order_acq_rel) == by;
  }

  State& _owner;
  std::unique_ptr<Node[]> _nodes;
  std::size_t _max_states;
  std::size_t _attached = 0;
  // Number of pending states (an upper limit until end() corrects it), plus 1 until end() is called.
  // Each decrement releases and the last one acquires: finish() sees the results of all states, and the nodes that
  // add() wrote.
  std::atomic<std::size_t> _pending;
};

/// Finds which of several states is done first.
class DASH_API Race {
 public:
  static constexpr std::size_t no_winner = static_cast<std::size_t>(-1);

  Race(State& owner, std::size_t num_states);
  Race(const Race&) = delete;
  Race& operator=(const Race&) = delete;

  /// \returns false if a state has won already: the caller need not add the others
  /// \pre the state is not lazy; each index is used at most once, in any order
  bool add(State& state, std::size_t index) noexcept;

  /// Call it after the last add(). \returns whether a state has won; if not, finish() will be called
  bool end() noexcept { return advance(ended); }

  /// \pre finish() was called, or end() returned true
  std::size_t winner() const noexcept { return _winner.load(std::memory_order_relaxed); }

 protected:
  ~Race();

  /// The first state is done. Called by the thread that completes it, possibly the progress thread; not
  /// called if end() returns true.
  virtual void finish() noexcept = 0;

 private:
  class Node;
  static constexpr unsigned won = 1;
  static constexpr unsigned ended = 2;

  bool arrive(std::size_t index) noexcept;
  /// \returns whether this is the second of the two events, `won` and `ended`
  bool advance(unsigned event) noexcept {
    return _events.fetch_or(event, std::memory_order_acq_rel) == (won + ended - event);
  }

  State& _owner;  // retained by each attached node
  std::unique_ptr<Node[]> _nodes;
  // Relaxed: _events orders it. Its caller sets the winner before `won`, and winner() is called after both events.
  std::atomic<std::size_t> _winner{no_winner};
  // Each event releases and the second acquires: it sees what the thread of the first one wrote.
  std::atomic<unsigned> _events{0};
};

/// Makes progress and sleeps until a continuation is ready, for at most some microseconds: used between two
/// tests of states that cannot notify a waiting thread.
DASH_API void wait_between_tests();

}  // namespace dash::exec
