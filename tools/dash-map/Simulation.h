#pragma once

#include <array>

#include "Study.h"

namespace dash::map {

/// Whether this dash-map was built with SimGrid.
bool can_simulate() noexcept;

/// How long one step takes in the order of the units and in the mapped one, in seconds: all messages
/// begin at once, share the links of the network fairly, and the step ends with the last of them. What
/// stays within a node takes no time. Bandwidths are taken for
/// gigabytes per second. Once a process.
/// \throws exception::InvalidArgument if there is no SimGrid, or the machine is too large for it
std::array<double, 2> simulate(const Study& study);

}  // namespace dash::map
