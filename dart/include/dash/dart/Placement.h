#pragma once

#include "dash/core/Export.h"

namespace dash::dart {

/// Where the units of the program are, and what this one has.
struct Placement {
  int units = 0;
  /// Shared-memory domains, as MPI reports them.
  int nodes = 0;
  /// Machines.
  int hosts = 0;
  /// Of the caller's host that the caller may use: its share.
  int processors = 0;
  /// Several threads of a unit may communicate at once.
  bool multithreaded = false;
  /// What makes progress: "thread", "poll", or "thread for copies, poll for MPI".
  const char* progress = "";
};

/// \pre initialised  \collective no  \blocks never
DASH_API Placement placement();

}  // namespace dash::dart
