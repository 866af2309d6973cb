#pragma once

namespace dash::util {

/// What a Timer measures with.
struct TimeMeasure {
  enum MeasureMode { Counter = 0, Clock = 1 };
  enum MeasureDomain { Cycles, Time };
};

}  // namespace dash::util
