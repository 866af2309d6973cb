#pragma once

#include <string>

#include "Results.h"

namespace dash::report {

/// What was measured on what, in tables for a document: rows that differ in size only are one.
std::string markdown_of(const Results& results);

/// A document with the text between its marks replaced; they stay.
/// \throws Error if the marks are not there, once each and in this order
std::string with_results(const std::string& document, const std::string& text);

/// Lines of their own, comments in markdown.
constexpr const char* begin_mark = "<!-- results: begin -->";
constexpr const char* end_mark = "<!-- results: end -->";

}  // namespace dash::report
