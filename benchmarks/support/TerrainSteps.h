#pragma once

#include <string>

#include "support/ProgramRun.h"

namespace dash::bench {

/// The times of a step that `terrain` or its baseline writes to the file of --report, in nanoseconds.
struct TerrainSteps {
  std::string progress = {};  // the progress mode, of our program only
  double step = 0;
  /// Times of three variants, whose steps are interleaved after the others; 0 with one unit.
  double overlapped = 0;        // the exchange overlaps with the computation
  double exchange_first = 0;    // the exchange completes before the computation starts
  double without_exchange = 0;  // computation only
};

/// Runs the program and waits for its end.
/// \throws std::runtime_error as run() does
TerrainSteps measure_terrain_steps(const ProgramRun& program);

}  // namespace dash::bench
