#pragma once

#include <cstdint>
#include <ctime>

namespace dash::core {

/// Time of the monotonic clock (CLOCK_MONOTONIC) in nanoseconds. Comparable between the processes of one
/// machine.
/// \threads thread-safe   \cost no system call (vDSO)
inline std::uint64_t now_ns() noexcept {
  std::timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(now.tv_nsec);
}

/// Processor time that the calling thread has used, in nanoseconds.
/// \threads thread-safe   \cost a system call
inline std::uint64_t thread_processor_ns() noexcept {
  std::timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<std::uint64_t>(used.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(used.tv_nsec);
}

}  // namespace dash::core
