#pragma once

#include <cstdint>

#include "dash/core/Statistics.h"
#include "launch/Session.h"
#include "teams/Team.h"

namespace dash::dart {

/// Collects statistics during its lifetime, if enabled, and prints those of all units and progress processes (DART_STATS).
class StatisticsReport {
 public:
  /// \param enabled  equal on all units
  explicit StatisticsReport(bool enabled);
  ~StatisticsReport();
  StatisticsReport(const StatisticsReport&) = delete;
  StatisticsReport& operator=(const StatisticsReport&) = delete;

  /// Begins the measurement; excludes the initialization of the library.
  void begin(const Session& session);
  /// Ends the measurement; excludes the finalization of the library.
  void end(const Session& session);
  /// Prints the report on unit 0.
  /// \pre begin() and end() were called  \collective over all units
  void print(const Session& session, Team& all) const;

 private:
  bool _enabled;
  std::uint64_t _begin_ns = 0;
  std::uint64_t _end_ns = 0;
  core::Statistics _mine;
  core::Statistics _server;  // of the progress process that this unit commands, if any
};

}  // namespace dash::dart
