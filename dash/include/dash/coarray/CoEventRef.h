#pragma once

#include "dash/Signal.h"
#include "dash/Team.h"
#include "dash/core/Export.h"

namespace dash::coarray {

/// A reference to the event of one unit, which other units post. A value type.
/// \threads thread-safe
/// \ingroup atomics
class DASH_API CoEventRef {
 public:
  /// Used by Coevent.
  CoEventRef(const GlobSignal& posted, const GlobSignal& consumed, Team& team) noexcept
      : _posted(posted), _consumed(consumed), _team(&team) {}

  /// Completes the caller's pending operations, then increments the event. A unit that has waited
  /// for the post sees data that the caller put before. The increment itself is asynchronous; the
  /// caller's next barrier completes it.
  /// \blocks until the caller's operations are complete
  /// \throws the error of a failed operation, after all have completed; then the event is not
  ///         posted
  void post() const;

  /// Number of posts that have not been consumed.
  /// \blocks until read
  int test() const;

  /// The team of the Coevent.
  Team& team() const noexcept { return *_team; }

 private:
  GlobSignal _posted;
  GlobSignal _consumed;
  Team* _team;
};

}  // namespace dash::coarray
