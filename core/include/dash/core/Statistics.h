#pragma once

/// \file
/// Counters of the operations, polls and waits of a unit since the start of the runtime (DART_STATS).

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "dash/core/Export.h"

namespace dash::core {

/// Kinds of operations. `atomic` fetches or compares, `signal` is a put that notifies the target,
/// `collective` is any collective operation but a barrier.
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

/// How the data of an operation is transferred.
enum class OperationPath : std::uint8_t {
  memory,     ///< loads and stores in shared memory, inside the call
  queue,      ///< the copy queue
  rma,        ///< MPI RMA
  message,    ///< active messages
  two_sided,  ///< MPI two-sided communication
  delegated,  ///< the progress process of the unit
};
inline constexpr std::size_t num_operation_paths = 6;

/// Other counters.
enum class Counter : std::uint8_t {
  thread_polls,  ///< by the progress thread
  useful_thread_polls,
  thread_sleeps,  ///< of the progress thread until its next poll
  thread_parks,   ///< of the progress thread until it is notified
  thread_ns,      ///< processor time of the progress thread, until its last sleep
  caller_polls,   ///< by threads that wait, test or call progress(), and by workers
  useful_caller_polls,
  caller_sleeps,
  waits_ready,       ///< waits for states that were already done
  waits_spun,        ///< waits in which the caller neither made progress nor slept
  waits_helped,      ///< waits in which the caller made progress
  waits_slept,       ///< waits in which the caller slept
  waits_suspended,   ///< waits of tasks that were suspended
  wait_ns,           ///< time in waits_spun, waits_helped and waits_slept
  chunks_by_thread,  ///< chunks of queued copies that the progress thread copied
  chunks_by_callers,
  messages_sent,  ///< active messages
  messages_handled,
  tasks,  ///< tasks that have run
};
inline constexpr std::size_t num_counters = 19;

/// Number of operations, and bytes of the caller's data in them.
struct Traffic {
  std::uint64_t operations = 0;
  std::uint64_t nbytes = 0;
};

/// Values of one unit, or a reduction over several units. Consists of 64-bit integers only, so that it can be
/// reduced as an array.
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

/// See counting(). Relaxed: publishes no data.
extern DASH_API std::atomic<bool> counting_on;

/// Whether counting is enabled. \cost one load
inline bool counting() noexcept {
  return counting_on.load(std::memory_order_relaxed);
}

/// Starts to count from zero, until stop_statistics(). \threads externally synchronized
DASH_API void start_statistics();
DASH_API void stop_statistics() noexcept;

/// The sums over the threads of this process since start_statistics(); zeros before. Exact if no thread
/// counts during the call.
/// \threads thread-safe  \blocks while a thread of the process counts for the first time
DASH_API Statistics statistics();

/// \threads thread-safe  \blocks never  \cost 2 ns; one load if counting is disabled
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
