#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dash::dart {

/// The MPI processes of a session: its units and, with DART_PROGRESS=ranks, progress processes. A
/// progress process serves the heaps of units of its node: messages and one-sided operations of
/// other nodes on this memory are addressed to it.
struct Processes {
  MPI_Comm communicator = MPI_COMM_NULL;  // of all processes, for active messages and windows
  bool has_progress_processes = false;
  // By global id of a unit: its rank, the rank of the process that serves its heap (its own, or that of a
  // progress process), and its index among the units that this process serves.
  std::vector<std::int32_t> rank_of;
  std::vector<std::int32_t> server_of;
  std::vector<std::int32_t> index_at_server;
  // By rank: the unit; for a progress process, the first unit that it serves.
  std::vector<std::int32_t> unit_of_rank;

  /// Whether the process with a rank is a unit.
  bool is_unit(int rank) const noexcept { return this->rank(unit_at(rank)) == rank; }
  int nprocesses() const noexcept { return static_cast<int>(unit_of_rank.size()); }
  int rank(int unit) const noexcept { return rank_of[static_cast<std::size_t>(unit)]; }
  int server(int unit) const noexcept { return server_of[static_cast<std::size_t>(unit)]; }
  /// The unit that errors name for a rank.
  int unit_at(int rank) const noexcept { return unit_of_rank[static_cast<std::size_t>(rank)]; }
};

}  // namespace dash::dart
