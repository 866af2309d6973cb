#include "base/TimedSleep.h"

#include <algorithm>

#include "base/TimeSlice.h"
#include "dash/core/Clock.h"

namespace dash::exec {

TimedSleep::Observer::Observer(TimedSleep& sleep, std::int64_t timeout_ns) noexcept
    : _sleep(sleep), _length_ns(timeout_ns < 0 ? 0 : static_cast<std::uint64_t>(timeout_ns)) {
  if (_length_ns > longest_ns) _length_ns = 0;
  if (_length_ns == 0) return;
  _begin_ns = core::now_ns();
  _switches = voluntary_switches();
}

TimedSleep::Observer::~Observer() {
  // Ignores a sleep that another thread ended early, or that did not begin.
  if (_length_ns == 0 || core::now_ns() - _begin_ns < _length_ns) return;
  _sleep.learn(_length_ns, voluntary_switches() != _switches);
}

void TimedSleep::learn(std::uint64_t length_ns, bool yielded) noexcept {
  if (!yielded) {
    _ns = std::max(_ns, std::min(2 * length_ns, longest_ns));
    _consecutive = 0;
  } else if (length_ns <= _ns && ++_consecutive == sleeps_before_decrease) {
    _ns = std::max(_ns / 2, shortest_ns);
    _consecutive = 0;
  }
}

}  // namespace dash::exec
