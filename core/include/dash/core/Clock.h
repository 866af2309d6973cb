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

}  // namespace dash::core
