#pragma once

#include <atomic>

#include "base/CallerPolling.h"
#include "dash/core/Spin.h"

namespace dash::dart {

/// The current activity of callers, for the progress thread: it does not contend with them for
/// MPI's lock, nor for cache lines that both write. Hints: concurrent stores of several callers may
/// overwrite each other. So the orders are relaxed.
struct alignas(core::cache_line_size) CallerActivity {
  std::atomic<bool> inside_mpi{false};  // set by MpiCallGuard
  CallerPolling polling;
};

}  // namespace dash::dart
