#pragma once

#include "dash/async/Engine.h"
#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"

namespace dash::exec {

/// A source of what moves by polls alone. Callers who begin to wait tell it, and it can look for what they
/// wait for by itself; who waits goes on polling, if slowly, rather than leaving its processor to a thread
/// that does the same. The engine knows it by its class when it is added.
class DASH_API LookingSource : public PollSource {
 public:
  /// Whether something large may be moving, which takes many polls; else each finds all of something small,
  /// or nothing. \threads any
  virtual bool moves_much() const noexcept = 0;

  /// A caller begins to wait, for whatever it is. \threads any
  virtual void caller_waits() noexcept = 0;

  /// Polls as densely as it can, for some microseconds at most, until `enough` is true: on behalf of a
  /// caller that begins to wait while no other source has anything to do. \threads any
  virtual void look_for(FunctionRef<bool()> enough) noexcept = 0;
};

}  // namespace dash::exec
