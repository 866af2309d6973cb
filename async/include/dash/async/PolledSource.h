#pragma once

#include "dash/async/Engine.h"
#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"

namespace dash::exec {

/// A source that callers who begin to wait tell of it, and that can look for what they wait for by
/// itself. The engine knows it by its class when it is added.
class DASH_API PolledSource : public PollSource {
 public:
  /// A caller begins to wait, for whatever it is. \threads any
  virtual void caller_waits() noexcept = 0;

  /// Polls as densely as it can, for some microseconds at most, until `enough` is true: on behalf of a
  /// caller that begins to wait while no other source has anything to do. \threads any
  virtual void look_for(FunctionRef<bool()> enough) noexcept = 0;
};

}  // namespace dash::exec
