#pragma once

#include <string>
#include <vector>

namespace dash::trace {

/// Parses a list of units such as "0-3,8".
/// \returns the units in ascending order, without duplicates
/// \throws Error if the text is not a list of units
std::vector<int> parse_units(const std::string& text);

}  // namespace dash::trace
