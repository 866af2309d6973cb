#pragma once

#include <string>

namespace dash::tools {

/// Limits and settings of the system that affect programs on a cluster, as lines of text: locked memory, address
/// space, shared memory for MPI, huge pages, and the variables that choose a network.
std::string system_limits();

}  // namespace dash::tools
