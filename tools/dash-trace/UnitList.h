#pragma once

#include <string>
#include <vector>

namespace dash::trace {

/// "0-3,8": ascending, each once. \throws Error if it is no list of units
std::vector<int> parse_units(const std::string& text);

}  // namespace dash::trace
