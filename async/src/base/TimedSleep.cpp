#include "base/TimedSleep.h"

#include <algorithm>

#include "base/TimeSlice.h"
#include "dash/core/Clock.h"

namespace dash::exec {

TimedSleep::Watched::Watched(TimedSleep& nap, std::int64_t timeout_ns) noexcept
    : _nap(nap), _length_ns(timeout_ns < 0 ? 0 : static_cast<std::uint64_t>(timeout_ns)) {
  if (_length_ns > longest_ns) _length_ns = 0;
  if (_length_ns == 0) return;
  _begin_ns = core::now_ns();
  _switches = times_slept();
}

TimedSleep::Watched::~Watched() {
  // Who was woken, or found it changed, says nothing.
  if (_length_ns == 0 || core::now_ns() - _begin_ns < _length_ns) return;
  _nap.learn(_length_ns, times_slept() != _switches);
}

void TimedSleep::learn(std::uint64_t length_ns, bool gave_away) noexcept {
  if (!gave_away) {
    _ns = std::max(_ns, std::min(2 * length_ns, longest_ns));
    _good = 0;
  } else if (length_ns <= _ns && ++_good == enough) {
    _ns = std::max(_ns / 2, shortest_ns);
    _good = 0;
  }
}

}  // namespace dash::exec
