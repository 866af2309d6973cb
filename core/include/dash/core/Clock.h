#pragma once

#include <cstdint>
#include <ctime>

namespace dash::core {

/// Nanoseconds of the monotonic clock of this machine (CLOCK_MONOTONIC): comparable between the
/// processes of one machine, never set back.
/// \threads any   \cost no system call (vDSO)
inline std::uint64_t now_ns() noexcept {
  std::timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace dash::core
