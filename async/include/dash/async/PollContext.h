#pragma once

#include "dash/core/Export.h"

namespace dash::exec {

/// True on the progress thread, which must not wait.
DASH_API bool on_progress_thread() noexcept;

/// Marks that the calling thread polls a source and may hold locks of the library. Operations that it
/// starts must neither wait nor run continuations of the application.
class DASH_API PollScope {
 public:
  PollScope() noexcept;
  ~PollScope();
  PollScope(const PollScope&) = delete;
  PollScope& operator=(const PollScope&) = delete;

  /// Whether the calling thread is in such a scope.
  static bool active() noexcept;
};

}  // namespace dash::exec
