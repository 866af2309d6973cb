#pragma once

#include <string>

#include "Summary.h"
#include "Timeline.h"

namespace dash::trace {

/// The summary as text, for people.
/// \param file      what it is a summary of
/// \param per_unit  operations of each unit, too
std::string text_report(const std::string& file, const Timeline& timeline, const Summary& summary,
                        bool per_unit);

/// The same for programs: one JSON object, times in nanoseconds, shares between 0 and 1.
std::string json_report(const std::string& file, const Timeline& timeline, const Summary& summary);

}  // namespace dash::trace
