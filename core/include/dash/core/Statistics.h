#pragma once

/// \file
/// What a unit has done since the runtime was started, counted for DART_STATS.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "dash/core/Export.h"

namespace dash::core {

/// What an operation does. `atomic` fetches or compares, `signal` is a put whose arrival the target
/// learns of, `collective` is any but a barrier.
enum class OperationKind : std::uint8_t {
  put,
  get,
  atomic,
  accumulate,
  signal,
  send,
  receive,
  barrier,
  collective
};
inline constexpr std::size_t num_operation_kinds = 9;

/// How it gets to where it belongs.
enum class OperationPath : std::uint8_t {
  memory,     ///< loads and stores on the node, inside the call
  queue,      ///< the copy queue
  rma,        ///< RMA of MPI
  message,    ///< active messages
  two_sided,  ///< two-sided messages of MPI
};
inline constexpr std::size_t num_operation_paths = 5;

/// What else is counted.
enum class Counter : std::uint8_t {
  thread_polls,  ///< by the progress thread
  useful_thread_polls,
  thread_naps,   ///< sleeps of it until its next poll
  thread_parks,  ///< sleeps of it until somebody needs it
  caller_polls,  ///< by threads that wait, test or call progress(), and by workers
  useful_caller_polls,
  caller_sleeps,
  waits_ready,       ///< waits for what was done already
  waits_spun,        ///< that ended before the caller had anything to do or went to sleep
  waits_helped,      ///< for which the caller did what was pending of its unit
  waits_slept,       ///< for which it slept
  waits_set_aside,   ///< of tasks, whose threads ran others meanwhile
  wait_ns,           ///< in all waits but the first and the last kind
  pieces_by_thread,  ///< of queued copies, taken by the progress thread
  pieces_by_callers,
  messages_sent,  ///< active ones
  messages_served,
  tasks,  ///< that have run
};
inline constexpr std::size_t num_counters = 18;

/// Operations, and the bytes of the caller's in them.
struct Traffic {
  std::uint64_t operations = 0;
  std::uint64_t nbytes = 0;
};

/// Numbers of one unit, or what was made of those of several. It has no other members: an array of
/// them, as far as reductions are concerned.
struct Statistics {
  std::array<std::array<Traffic, num_operation_paths>, num_operation_kinds> traffic{};
  std::array<std::uint64_t, num_counters> counts{};

  const Traffic& of(OperationKind kind, OperationPath path) const noexcept {
    return traffic[static_cast<std::size_t>(kind)][static_cast<std::size_t>(path)];
  }
  std::uint64_t of(Counter counter) const noexcept {
    return counts[static_cast<std::size_t>(counter)];
  }

  static constexpr std::size_t num_words =
      2 * num_operation_kinds * num_operation_paths + num_counters;
};
static_assert(sizeof(Statistics) == Statistics::num_words * sizeof(std::uint64_t));

extern DASH_API std::atomic<bool> counting_on;

/// Whether anything is counted. \cost one load
inline bool counting() noexcept {
  return counting_on.load(std::memory_order_relaxed);
}

/// Counts from zero, until stop_statistics(). \threads one at a time
DASH_API void start_statistics();
DASH_API void stop_statistics() noexcept;

/// What the threads of this process have counted since start_statistics(); zeros before. Exact when
/// none of them is counting.
/// \threads any  \blocks while a thread of the process counts for the first time
DASH_API Statistics statistics();

/// \threads any  \blocks never  \cost 2 ns; the load of counting(), if nothing is counted
/// @{
DASH_API void add_to_counter(Counter counter, std::uint64_t n) noexcept;
DASH_API void add_operation(OperationKind kind, OperationPath path, std::size_t nbytes) noexcept;

inline void count(Counter counter, std::uint64_t n = 1) noexcept {
  if (counting()) [[unlikely]]
    add_to_counter(counter, n);
}
inline void count(OperationKind kind, OperationPath path, std::size_t nbytes) noexcept {
  if (counting()) [[unlikely]]
    add_operation(kind, path, nbytes);
}
/// @}

}  // namespace dash::core
