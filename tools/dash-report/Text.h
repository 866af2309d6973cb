#pragma once

#include <string>

#include "Results.h"

namespace dash::report {

/// All rows in one table, and the number of bars met.
std::string text_of(const Results& results);

}  // namespace dash::report
