#pragma once

#include <string>

#include "Summary.h"
#include "Timeline.h"

namespace dash::trace {

/// The summary as text for a terminal.
/// \param file      name of the timeline
/// \param per_unit  list the operations of each unit
std::string text_report(const std::string& file, const Timeline& timeline, const Summary& summary,
                        bool per_unit);

/// The summary as a JSON object; times in nanoseconds, shares between 0 and 1.
std::string json_report(const std::string& file, const Timeline& timeline, const Summary& summary);

}  // namespace dash::trace
