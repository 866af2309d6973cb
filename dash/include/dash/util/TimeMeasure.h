#pragma once

namespace dash::util {

/// Time sources of a Timer.
struct TimeMeasure {
  enum MeasureMode { Counter = 0, Clock = 1 };
  enum MeasureDomain { Cycles, Time };
};

}  // namespace dash::util
