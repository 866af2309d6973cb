#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/Processes.h"
#include "dash/core/CpuSet.h"

namespace dash::dart {

/// Processors that some processes may use.
struct AllowedProcessors {
  core::CpuSet any;  // at least one of them
  core::CpuSet all;  // each of them
};

/// Part of each process of a communicator: units and, if requested, progress processes.
struct ProcessRoles {
  Processes processes;
  int progress_processes_per_node = 0;
  int node_units = 0;  // that all processes use
  bool is_progress_process = false;
  // With progress processes:
  std::vector<std::int32_t> served_units;  // by this one: global ids
  AllowedProcessors allowed;               // for the processes that share memory with this one
};

/// Divides the processes of a communicator. The last processes of each node become progress processes;
/// they serve the units of the node in groups of equal size.
/// \param per_node    progress processes of a node; 0: all processes are units
/// \param node_units  units of a node; 0: all of a host
/// \param settings_error  why the settings of this process are invalid, so that `per_node` is a default; or ""
/// \throws exception::InvalidArgument on all processes, if they pass different values of `per_node`, or if a
///         node has too few processes
/// \collective over the communicator  \blocks inside MPI
ProcessRoles divide_processes(MPI_Comm communicator, int per_node, int node_units,
                              const std::string& settings_error);

/// Returns a communicator of the processes of the caller's node: the processes that share memory, divided further into
/// groups of `size` in the order of their ranks, if this is not 0.
/// \param allowed  output, unless null: processors of the processes that share memory
MPI_Comm node_communicator(MPI_Comm communicator, int rank, int size,
                           AllowedProcessors* allowed = nullptr);

}  // namespace dash::dart
