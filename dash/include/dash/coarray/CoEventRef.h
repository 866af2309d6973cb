#pragma once

#include "dash/Signal.h"
#include "dash/Team.h"
#include "dash/core/Export.h"

namespace dash::coarray {

/// The event of one unit: what others post. A value.
/// \threads any
class DASH_API CoEventRef {
 public:
  CoEventRef(const GlobSignal& posted, const GlobSignal& consumed, Team& team) noexcept
      : _posted(posted), _consumed(consumed), _team(&team) {}

  /// Counts the event up, after the caller's own pending_operations operations are complete: who has waited
  /// for it sees what was put before. It is counted a moment later, with the caller's next barrier at
  /// the latest.
  /// \blocks until these are complete
  /// \throws what one of them failed with; then nothing is posted, and all of them are complete
  void post() const;

  /// The posts that were not waited for yet.
  /// \blocks until read
  int test() const;

  Team& team() const noexcept { return *_team; }

 private:
  GlobSignal _posted;
  GlobSignal _consumed;
  Team* _team;
};

}  // namespace dash::coarray
