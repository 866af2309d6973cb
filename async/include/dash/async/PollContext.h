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

/// Marks that the calling thread runs a function of the application between two polls. A wait in it throws
/// exception::RuntimeError.
class DASH_API HandlerScope {
 public:
  HandlerScope() noexcept;
  ~HandlerScope();
  HandlerScope(const HandlerScope&) = delete;
  HandlerScope& operator=(const HandlerScope&) = delete;
};

/// Whether the caller may wait: it is not the progress thread, polls no source, and runs no function in a HandlerScope.
DASH_API bool may_wait() noexcept;

}  // namespace dash::exec
