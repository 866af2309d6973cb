#pragma once

#include <cstdint>
#include <string>

#include "launch/Session.h"
#include "teams/Team.h"

namespace dash::dart {

/// Records the timeline of all units from its construction until it is written (DART_TRACE).
///
/// The environment of unit 0 decides whether it is written. Units on the host of unit 0 share its clock. On
/// other hosts, time 0 is the end of a barrier, so that clocks differ by up to the duration of a barrier.
class Timeline {
 public:
  /// Starts recording if DART_TRACE is set. \pre no threads of the library are running
  Timeline();
  /// Makes the end of the initialization time 0. \collective over all units
  void agree_on_zero(const Session& session, Team& all);
  /// Stops recording and writes the file, one unit after the other. \collective over all units
  void write(Team& all);

 private:
  template <class Print>
  void append(const char* mode, Print print);

  std::string _file;  // empty: nothing is recorded here
  bool _written = false;
  std::uint64_t _zero_ns = 0;
};

}  // namespace dash::dart
