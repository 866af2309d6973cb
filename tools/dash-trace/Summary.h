#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "Activity.h"
#include "Timeline.h"

namespace dash::trace {

/// Times of operations in flight, and how much of them computation hides.
struct Overlap {
  Time in_flight = 0;  // at least one operation is in flight
  Time hidden = 0;     // part of in_flight in which a thread of the unit runs application code
  Time exposed = 0;    // the rest of in_flight
  Time exposed_waits =
      0;  // part of exposed in which at least one thread waits; in the rest, threads are in calls

  /// The hidden share of the time in flight; none if nothing was in flight.
  std::optional<double> share() const noexcept {
    if (in_flight == 0) return std::nullopt;
    return static_cast<double>(hidden) / static_cast<double>(in_flight);
  }
  Overlap& operator+=(const Overlap& other) noexcept;
};

/// All operations of one name.
struct OperationSummary {
  std::string name;
  bool collective = false;
  std::uint64_t count = 0;
  std::uint64_t nbytes = 0;
  Overlap overlap;
};

struct UnitSummary {
  int id = 0;  // of the unit; all_units for the sum of several
  Time time = 0;
  // These three add up to the time.
  Time computing = 0;  // at least one thread runs code of the application
  Time waiting = 0;    // no thread runs such code, and at least one waits
  Time in_calls = 0;   // no thread runs such code or waits
  // Sums over threads and tasks.
  Time in_tasks = 0;
  std::uint64_t tasks =
      0;  // segments of tasks between suspensions, continuations and chunks of algorithms
  std::uint64_t suspensions = 0;  // of tasks
  Time suspended = 0;
  std::uint64_t polls = 0;   // of the progress thread, that found something
  Time polling = 0;          // in these polls
  Time sleeping = 0;         // of the progress thread
  std::uint64_t chunks = 0;  // of queued copies, copied by any thread of the unit
  std::uint64_t chunks_by_progress = 0;
  Overlap transfers;
  Overlap collectives;
  std::vector<OperationSummary> operations;  // by name, collectives last
  std::uint64_t unfinished = 0;              // operations whose end was not recorded
  std::uint64_t dropped = 0;                 // events that were not recorded

  static constexpr int all_units = -1;
};

/// One of the longest waits.
struct LongWait {
  int unit = 0;
  Interval time;
  std::string thread;
  std::string description;
};

/// The part of a timeline to summarize.
struct Selection {
  Interval window{INT64_MIN, INT64_MAX};
  std::vector<int> units;  // ascending; empty for all
};

struct Summary {
  std::vector<UnitSummary> units;
  UnitSummary total;
  std::vector<LongWait> longest_waits;  // longest first
  Interval range;                       // of all units
  std::vector<std::string> warnings;
};

/// A selected unit with its activity in the selected window.
struct SelectedUnit {
  const Unit* unit;
  Activity activity;
};

/// \throws Error if the timeline does not contain a unit, or no event of the window
std::vector<SelectedUnit> select(const Timeline& timeline, const Selection& selection);

Summary summarize(const Timeline& timeline, const std::vector<SelectedUnit>& units);

}  // namespace dash::trace
