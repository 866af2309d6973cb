#pragma once

#include <string>

#include "Results.h"

namespace dash::report {

/// A page that needs nothing else: no scripts, no fonts, no files. Dark where the reader wants it.
std::string html_of(const Results& results);

}  // namespace dash::report
