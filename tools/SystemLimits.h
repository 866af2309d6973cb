#pragma once

#include <cstdint>
#include <string>

namespace dash::tools {

/// Limits of a process, in bytes.
struct ProcessLimits {
  static constexpr std::uint64_t unlimited = UINT64_MAX;

  std::uint64_t locked_memory = 0;       // the soft limit
  std::uint64_t locked_memory_hard = 0;  // up to which the process may increase it
  std::uint64_t free_shared_memory = 0;  // in /dev/shm; 0 if it is missing
};

/// The limits of this process and its host.
ProcessLimits process_limits();

/// Limits and settings of the system that affect programs on a cluster, as lines of text: locked memory, address
/// space, shared memory for MPI, huge pages, and the variables that choose a network.
/// \param limits  those to print: of this process, or the smallest of all units. All other lines are about this process
std::string system_limits(const ProcessLimits& limits);

}  // namespace dash::tools
