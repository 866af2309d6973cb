#pragma once

#include <array>

#include "Comparison.h"

namespace dash::map {

/// Simulates a step of the application with SimGrid, in the order by unit and in the mapped order. All messages start
/// at the same time and share the links of the network fairly; the step ends when the last message has arrived.
/// Messages within a node take no time. Bandwidths are in GB/s.
/// \returns the times of the two steps in seconds
/// \pre     called at most once in a process
/// \throws  exception::InvalidArgument if dash-map was built without SimGrid, or the machine has too many nodes
std::array<double, 2> simulate(const Comparison& comparison);

}  // namespace dash::map
