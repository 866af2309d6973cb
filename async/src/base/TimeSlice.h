#pragma once

#include <cstdint>

namespace dash::exec {

/// Sets the time slice of the calling thread. Kernels without time slices per thread ignore it.
void set_time_slice(std::uint64_t nanoseconds) noexcept;

/// Removes the timer slack of the calling thread, so that its sleeps end on time.
void remove_timer_slack() noexcept;

/// Removes the timer slack until the end of the scope.
class TimerSlackGuard {
 public:
  TimerSlackGuard() noexcept;
  ~TimerSlackGuard();
  TimerSlackGuard(const TimerSlackGuard&) = delete;
  TimerSlackGuard& operator=(const TimerSlackGuard&) = delete;

 private:
  int _slack;
};

/// Number of voluntary context switches of the calling thread.
long voluntary_switches() noexcept;

}  // namespace dash::exec
