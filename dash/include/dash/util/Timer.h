#pragma once

#include <cstdint>
#include <limits>

#include "dash/core/Clock.h"
#include "dash/core/Export.h"
#include "dash/util/TimeMeasure.h"

namespace dash::util {

namespace internal {

/// The system's monotonic clock, in nanoseconds, which all processes of a machine share.
struct ClockSource {
  static std::uint64_t now() noexcept { return core::now_ns(); }
  static double ticks_per_us() noexcept { return 1000.0; }
  static void calibrate(unsigned) noexcept {}
  static const char* name() noexcept { return "clock"; }
};

/// The time stamp counter of the processor if there is one, otherwise the clock.
struct DASH_API CounterSource {
  static std::uint64_t now() noexcept;
  /// Measured at the first call, which takes some milliseconds.
  static double ticks_per_us();
  /// \param mhz  rate of the counter; 0: measure it
  static void calibrate(unsigned mhz);
  static const char* name() noexcept;
};

template <TimeMeasure::MeasureMode Mode>
struct TimeSource {
  using type = ClockSource;
};
template <>
struct TimeSource<TimeMeasure::Counter> {
  using type = CounterSource;
};

}  // namespace internal

/// Measures time in microseconds: since construction or the last Start(), or between timestamps.
/// \threads static functions: thread-safe
/// \tparam Mode  the time source
/// \ingroup utilities
template <TimeMeasure::MeasureMode Mode>
class Timer {
  using Source = typename internal::TimeSource<Mode>::type;

 public:
  /// A point in time, in ticks of the time source.
  using timestamp_t = std::uint64_t;
  /// The same as timestamp_t.
  using timestamp = timestamp_t;

  Timer() noexcept : _start(Now()) {}

  /// Sets the start to the current time.
  void Start() noexcept { _start = Now(); }
  /// Microseconds since the start.
  double Elapsed() const { return ElapsedSince(_start); }

  /// The current time.
  static timestamp_t Now() noexcept { return Source::now(); }
  /// Microseconds since a timestamp.
  static double ElapsedSince(timestamp_t start) { return FromInterval(start, Now()); }
  /// Microseconds between two timestamps; negative if the second one is before the first.
  static double FromInterval(timestamp_t start, timestamp_t end) {
    return static_cast<double>(static_cast<std::int64_t>(end - start)) / Source::ticks_per_us();
  }
  /// \overload
  /// For timestamps as floating-point numbers.
  static double FromInterval(double start, double end) {
    return (end - start) / Source::ticks_per_us();
  }

  /// Sets the rate of the time stamp counter, for all timers.
  /// \param freq  ticks per microsecond of a Counter; 0: measure it. Ignored for a Clock
  static void Calibrate(unsigned freq = 0) { Source::calibrate(freq); }
  /// The name of the time source: "clock" or "time stamp counter".
  static const char* TimerName() noexcept { return Source::name(); }
  /// Ticks per microsecond.
  static double FrequencyScaling() { return Source::ticks_per_us(); }

  /// The latest timestamp.
  static constexpr timestamp_t TimestampInfinity() noexcept {
    return std::numeric_limits<timestamp_t>::max();
  }
  /// The earliest timestamp.
  static constexpr timestamp_t TimestampNegInfinity() noexcept { return 0; }

 private:
  timestamp_t _start;
};

}  // namespace dash::util
