#include "dash/util/Timer.h"

#include <atomic>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace dash::util::internal {

namespace {

/// Relaxed: only the number is published.
std::atomic<double> calibrated_ticks_per_us{0};

/// Measures the rate of the counter against the clock, over 5 ms.
double measure_ticks_per_us() {
  constexpr std::uint64_t duration_ns = 5'000'000;
  const std::uint64_t begin_ns = core::now_ns();
  const std::uint64_t begin = CounterSource::now();
  std::uint64_t end_ns = begin_ns;
  while (end_ns - begin_ns < duration_ns)
    end_ns = core::now_ns();
  const std::uint64_t end = CounterSource::now();
  return static_cast<double>(end - begin) * 1000.0 / static_cast<double>(end_ns - begin_ns);
}

}  // namespace

#if defined(__x86_64__)
std::uint64_t CounterSource::now() noexcept {
  return __rdtsc();
}
const char* CounterSource::name() noexcept {
  return "time stamp counter";
}
#else
std::uint64_t CounterSource::now() noexcept {
  return core::now_ns();
}
const char* CounterSource::name() noexcept {
  return "clock";
}
#endif

double CounterSource::ticks_per_us() {
  const double known = calibrated_ticks_per_us.load(std::memory_order_relaxed);
  if (known > 0) return known;
  calibrate(0);
  return calibrated_ticks_per_us.load(std::memory_order_relaxed);
}

void CounterSource::calibrate(unsigned mhz) {
  calibrated_ticks_per_us.store(mhz > 0 ? mhz : measure_ticks_per_us(), std::memory_order_relaxed);
}

}  // namespace dash::util::internal
