#pragma once

#include <cstdint>

namespace dash::exec {

/// Sets the calling thread's time slice. Kernels that know none of threads ignore it.
void set_time_slice(std::uint64_t nanoseconds) noexcept;

/// Lets the calling thread's sleeps end on time: without the slack that the kernel allows itself.
void remove_timer_slack() noexcept;

/// The same until the end of the scope.
class TimerSlackGuard {
 public:
  TimerSlackGuard() noexcept;
  ~TimerSlackGuard();
  TimerSlackGuard(const TimerSlackGuard&) = delete;
  TimerSlackGuard& operator=(const TimerSlackGuard&) = delete;

 private:
  int _slack;
};

/// How often the calling thread has given its processor away by itself.
long times_slept() noexcept;

}  // namespace dash::exec
