#pragma once

#include "dash/core/Export.h"

namespace dash::exec {

/// True on the progress thread, which must not wait.
DASH_API bool on_progress_thread() noexcept;

/// Marks that the calling thread polls a source and may hold locks of the library, or that it runs a function of the
/// application between two polls. Operations that it starts must neither wait nor run continuations of the application:
/// a wait throws exception::RuntimeError.
class DASH_API PollScope {
 public:
  PollScope() noexcept;
  ~PollScope();
  PollScope(const PollScope&) = delete;
  PollScope& operator=(const PollScope&) = delete;

  /// Whether the calling thread is in such a scope.
  static bool active() noexcept;
};

/// Whether the caller may wait: it is not the progress thread, and not in a PollScope.
DASH_API bool may_wait() noexcept;

/// To be called before an operation starts whose function waits for it: a wait that fails later would leave the operation
/// in flight. \throws exception::RuntimeError unless may_wait()
DASH_API void check_may_wait();

}  // namespace dash::exec
