#pragma once

#include <string>

namespace dash::tools {

/// Measures, for about two seconds, the costs and the benefit of the progress thread: its wake-ups
/// and processor time while the units compute; the latency of a get from a unit that computes; and
/// how much of a transfer a computation hides.
/// \returns lines of text on unit 0, an empty text on other units
/// \pre initialized, with one thread of the program  \collective
/// \throws std::runtime_error if an operation fails
std::string measure_progress();

}  // namespace dash::tools
