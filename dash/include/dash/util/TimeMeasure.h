#pragma once

namespace dash::util {

/// Time sources of a Timer.
/// \ingroup utilities
struct TimeMeasure {
  /// The time source: the time stamp counter of the processor, if there is one, or the system's
  /// monotonic clock.
  enum MeasureMode { Counter = 0, Clock = 1 };
  /// Kept for source compatibility; without effect.
  enum MeasureDomain { Cycles, Time };
};

}  // namespace dash::util
