#pragma once

#include <cstdint>
#include <string>

#include "launch/Session.h"
#include "teams/Team.h"

namespace dash::dart {

/// The timeline of all units, from its making until it is written (DART_TRACE).
///
/// It is written if unit 0's environment says so. Units of unit 0's host share its clock; on other
/// hosts a barrier at the beginning is the same moment, to within what a barrier takes.
class Timeline {
 public:
  /// Begins to record if the setting says so. \pre no threads of the library run
  Timeline();
  /// The end of the initialisation is 0. \collective over all units
  void agree_on_zero(const Session& session, Team& all);
  /// Ends the recording; units write one after the other. \collective over all units
  void write(Team& all);

 private:
  template <class Print>
  void append(const char* mode, Print print);

  std::string _file;  // empty: nothing is recorded here
  bool _written = false;
  std::uint64_t _zero_ns = 0;
};

}  // namespace dash::dart
