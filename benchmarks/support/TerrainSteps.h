#pragma once

#include <string>

#include "support/Programs.h"

namespace dash::bench {

/// What a run of `terrain`, or of its twin, says of its steps in the file that --report names. Nanoseconds of one.
struct TerrainSteps {
  std::string progress = {};  // of ours
  double step = 0;
  /// Of further steps that were taken in turns; 0 with one unit.
  double overlapped = 0;
  double first = 0;  // the exchange before the computation
  double left_out = 0;
};

/// Starts it, and waits for its end.
/// \throws std::runtime_error as run() does
TerrainSteps take_terrain_steps(const ProgramRun& program);

}  // namespace dash::bench
