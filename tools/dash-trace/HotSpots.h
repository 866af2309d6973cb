#pragma once

#include <string>
#include <vector>

#include "Lanes.h"
#include "Summary.h"

namespace dash::trace {

/// Something in a picture that says what it is.
struct HotSpot {
  std::size_t unit;  // index of those selected
  LaneKind lane;
  Interval time;
  std::string tip;
};

/// The longest waits, operations and tasks, if they are not shorter than `least`: some hundreds at
/// most, the longest first.
std::vector<HotSpot> find_hot_spots(const Timeline& timeline,
                                    const std::vector<SelectedUnit>& units, Time least);

}  // namespace dash::trace
