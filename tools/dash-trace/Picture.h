#pragma once

#include <string>
#include <vector>

#include "Summary.h"
#include "Timeline.h"

namespace dash::trace {

/// The timeline as a picture: an SVG file that needs nothing else. Each unit has lanes for its main
/// thread, its other threads, its progress thread and what is in flight.
/// \param title  what it is a picture of
/// \returns the file: below 2 MiB, however many events there are
std::string draw(const std::string& title, const Timeline& timeline,
                 const std::vector<SelectedUnit>& units, const Summary& summary);

}  // namespace dash::trace
