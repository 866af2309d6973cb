#pragma once

#include <string>
#include <vector>

#include "Columns.h"
#include "Summary.h"

namespace dash::trace {

enum class LaneKind { main, others, progress, flights };

/// A state as a picture shows it.
struct LaneState {
  std::string name;
  std::string colour;
};

/// What a unit did, along time.
struct Lane {
  Columns columns;
  std::vector<LaneState> states;  // from the bottom up
  std::vector<Time> times;        // of each state, of all threads of the lane
};

/// The lanes that a unit has, from top to bottom.
std::vector<LaneKind> lanes_of(const SelectedUnit& unit);
const char* name_of_lane(LaneKind kind);

Lane make_lane(const Timeline& timeline, const SelectedUnit& unit, LaneKind kind,
               const Interval& window, int ncolumns);

struct LegendEntry {
  std::string name;
  std::string colour;
};
struct LegendGroup {
  std::string name;
  std::vector<LegendEntry> entries;
};
std::vector<std::vector<LegendGroup>> legend_lines();

}  // namespace dash::trace
