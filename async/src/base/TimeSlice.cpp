#include "base/TimeSlice.h"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace dash::exec {

namespace {

/// The argument of sched_setattr(2), which the C library does not declare.
struct SchedulingAttributes {
  std::uint32_t size = sizeof(SchedulingAttributes);
  std::uint32_t policy = SCHED_OTHER;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime = 0;
  std::uint64_t deadline = 0;
  std::uint64_t period = 0;
};

}  // namespace

void set_time_slice(std::uint64_t nanoseconds) noexcept {
  SchedulingAttributes attributes;
  attributes.nice = getpriority(PRIO_PROCESS, 0);
  attributes.runtime = nanoseconds;
  syscall(SYS_sched_setattr, 0, &attributes, 0U);
}

void remove_timer_slack() noexcept {
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
}

TimerSlackGuard::TimerSlackGuard() noexcept : _slack(prctl(PR_GET_TIMERSLACK, 0UL, 0UL, 0UL, 0UL)) {
  if (_slack > 1) remove_timer_slack();
}
TimerSlackGuard::~TimerSlackGuard() {
  if (_slack > 1) prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(_slack), 0UL, 0UL, 0UL);
}

long voluntary_switches() noexcept {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

}  // namespace dash::exec
