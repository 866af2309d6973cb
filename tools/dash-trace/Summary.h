#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "Activity.h"
#include "Timeline.h"

namespace dash::trace {

/// How much of the time in which something was in flight was used for something else.
struct Overlap {
  Time in_flight = 0;      // at least one was
  Time hidden = 0;         // of it: a thread of the unit ran code of the application
  Time exposed = 0;        // of it: none did
  Time exposed_waits = 0;  // of that: at least one waited; the rest was in calls

  /// Of the time in flight; nothing if nothing was in flight.
  std::optional<double> share() const noexcept {
    if (in_flight == 0) return std::nullopt;
    return static_cast<double>(hidden) / static_cast<double>(in_flight);
  }
  Overlap& operator+=(const Overlap& other) noexcept;
};

/// Operations of one name.
struct Kind {
  std::string name;
  bool collective = false;
  std::uint64_t count = 0;
  std::uint64_t nbytes = 0;
  Overlap overlap;
};

struct UnitSummary {
  int id = 0;  // of the unit; all_units for the sum of several
  Time time = 0;
  // The three make up the time.
  Time computing = 0;  // a thread ran code of the application
  Time waiting = 0;    // none did, and one waited
  Time in_calls = 0;   // neither
  // Sums over threads and tasks.
  Time in_tasks = 0;
  std::uint64_t tasks = 0;      // pieces of tasks, and chunks
  std::uint64_t set_aside = 0;  // times that a task was
  Time set_aside_time = 0;
  std::uint64_t polls = 0;   // of the progress thread, that found something
  Time polling = 0;          // in them
  Time asleep = 0;           // the progress thread
  std::uint64_t pieces = 0;  // of queued copies, by any thread
  std::uint64_t pieces_by_progress = 0;
  Overlap transfers;
  Overlap collectives;
  std::vector<Kind> kinds;       // by name, collectives last
  std::uint64_t unfinished = 0;  // operations whose end was not recorded
  std::uint64_t dropped = 0;     // events that were not recorded

  static constexpr int all_units = -1;
};

/// A wait among the longest.
struct LongWait {
  int unit = 0;
  Interval time;
  std::string thread;
  std::string what;
};

/// The operation that ended a wait, if one did: it was over shortly before.
/// \param flights  of the wait's unit
const Flight* ended_by(const Wait& wait, const std::vector<Flight>& flights);

/// What it waited for, in words.
std::string describe(const Timeline& timeline, const Unit& unit, const Wait& wait);
std::string describe(const Timeline& timeline, const Flight& flight);

/// Which part of a timeline to look at.
struct Selection {
  Interval window{INT64_MIN, INT64_MAX};
  std::vector<int> units;  // ascending; all if there are none
};

struct Summary {
  std::vector<UnitSummary> units;
  UnitSummary total;
  std::vector<LongWait> longest_waits;  // the longest first
  Interval range;                       // of all units
  std::vector<std::string> warnings;
};

inline constexpr std::size_t most_waits = 10;

/// What of a unit is selected, with what its threads did.
struct SelectedUnit {
  const Unit* unit;
  Activity activity;
};

/// \throws Error if a unit is not there, or nothing lies in the window
std::vector<SelectedUnit> select(const Timeline& timeline, const Selection& selection);

Summary summarize(const Timeline& timeline, const std::vector<SelectedUnit>& units);

/// Of the operations and copies of a unit, or of its collectives, blocking ones included; within the
/// range of its activity.
TimeSet in_flight(const Unit& unit, const Activity& activity, bool collectives);

}  // namespace dash::trace
