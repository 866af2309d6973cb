#pragma once

#include <cstdint>

#include "launch/Session.h"
#include "teams/Team.h"
#include "dash/core/Statistics.h"

namespace dash::dart {

/// Counts for as long as it lives, if it is to, and prints what all units have counted (DART_STATS).
class StatisticsReport {
 public:
  /// \param on  the same on all units
  explicit StatisticsReport(bool on);
  ~StatisticsReport();
  StatisticsReport(const StatisticsReport&) = delete;
  StatisticsReport& operator=(const StatisticsReport&) = delete;

  /// What the library has done by itself before the program does not count.
  void begin();
  /// Nor what it does from here on.
  void end();
  /// Unit 0 prints. \collective over all units  \pre begin() and end() were called
  void print(const Session& session, Team& all) const;

 private:
  bool _on;
  std::uint64_t _begin_ns = 0;
  std::uint64_t _end_ns = 0;
  core::Statistics _mine;
};

}  // namespace dash::dart
