#include "launch/ProcessRoles.h"

#include <array>
#include <bit>
#include <cstddef>
#include <numeric>
#include <type_traits>

#include "base/MpiCheck.h"
#include "dash/core/Topology.h"
#include "launch/BootstrapCollectives.h"

namespace dash::dart {

namespace {

/// What each process tells all others.
struct Role {
  std::int32_t is_progress_process = 0;
  std::int32_t server = 0;  // rank of the process that serves the heap
  std::int32_t index = 0;   // among the units that it serves
};

/// All processes are units, which serve themselves.
Processes units_only(MPI_Comm communicator, int size) {
  Processes processes;
  processes.communicator = communicator;
  processes.rank_of.resize(static_cast<std::size_t>(size));
  std::iota(processes.rank_of.begin(), processes.rank_of.end(), 0);
  processes.server_of = processes.rank_of;
  processes.unit_of_rank = processes.rank_of;
  processes.index_at_server.assign(processes.rank_of.size(), 0);
  return processes;
}

AllowedProcessors allowed_for_all(MPI_Comm communicator) {
  using Words = std::array<std::uint64_t, sizeof(core::CpuSet) / sizeof(std::uint64_t)>;
  const auto mine = std::bit_cast<Words>(core::this_thread_affinity());
  const auto combine = [&](MPI_Op op) {
    Words words = mine;
    allreduce(words.data(), static_cast<int>(words.size()), MPI_UINT64_T, op, communicator);
    return std::bit_cast<core::CpuSet>(words);
  };
  return {combine(MPI_BOR), combine(MPI_BAND)};
}

/// The role of a process of a node. \param ranks  of the processes of the node
Role role_on_node(const std::vector<std::int32_t>& ranks, int index, int per_node) {
  const int nunits = static_cast<int>(ranks.size()) - per_node;
  Role role;
  if (index >= nunits) {
    role.is_progress_process = 1;
    role.server = ranks[static_cast<std::size_t>(index)];
    return role;
  }
  int server = per_node - 1;
  while (server * nunits / per_node > index)
    --server;
  role.server = ranks[static_cast<std::size_t>(nunits + server)];
  role.index = index - server * nunits / per_node;
  return role;
}

/// \returns the number of units of a node that all processes use: the largest one. A unit with another value
///          reports it later
int agree_on_node_units(MPI_Comm communicator, int per_node, int node_units,
                        const std::string& settings_error) {
  int extremes[] = {per_node, -per_node, settings_error.empty() ? 0 : 1, node_units};
  allreduce(extremes, 4, MPI_INT, MPI_MAX, communicator);
  if (extremes[0] == -extremes[1]) return extremes[3];
  if (!settings_error.empty()) throw exception::InvalidArgument(settings_error);
  if (extremes[2] != 0) throw_error(DART_ERR_INVAL, "another unit has an invalid setting");
  throw_error(DART_ERR_INVAL,
              "this process has {} progress processes per node, but others have {} to {}; set "
              "DART_PROGRESS and DART_PROGRESS_RANKS to the same values for all processes",
              per_node, -extremes[1], extremes[0]);
}

}  // namespace

MPI_Comm node_communicator(MPI_Comm communicator, int rank, int size, AllowedProcessors* allowed) {
  MPI_Comm host = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host),
            "MPI_Comm_split_type");
  if (allowed != nullptr) *allowed = allowed_for_all(host);
  if (size == 0) return host;
  int index = 0;
  check_mpi(MPI_Comm_rank(host, &index), "MPI_Comm_rank");
  MPI_Comm node = MPI_COMM_NULL;
  const int code = MPI_Comm_split(host, index / size, index, &node);
  MPI_Comm_free(&host);
  check_mpi(code, "MPI_Comm_split");
  return node;
}

ProcessRoles divide_processes(MPI_Comm communicator, int per_node, int node_units,
                              const std::string& settings_error) {
  int rank = 0;
  int size = 0;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator, &size), "MPI_Comm_size");
  node_units = agree_on_node_units(communicator, per_node, node_units, settings_error);
  if (per_node == 0) return {units_only(communicator, size), 0, node_units, false, {}, {}};

  ProcessRoles result;
  MPI_Comm node = node_communicator(communicator, rank, node_units == 0 ? 0 : node_units + per_node,
                                    &result.allowed);
  int index = 0;
  int node_size = 0;
  MPI_Comm_rank(node, &index);
  MPI_Comm_size(node, &node_size);
  std::vector<std::int32_t> ranks(static_cast<std::size_t>(node_size));
  allgather(&rank, ranks.data(), sizeof rank, node);
  check_mpi(MPI_Comm_free(&node), "MPI_Comm_free");

  int smallest = node_size;
  allreduce(&smallest, 1, MPI_INT, MPI_MIN, communicator);
  if (smallest < 2 * per_node) {
    throw_error(
        DART_ERR_INVAL,
        "DART_PROGRESS=ranks: a node has {} processes, of which {} would be progress processes; "
        "expected at least as many units, so start at least {} processes on each node",
        smallest, per_node, 2 * per_node);
  }

  const Role mine = role_on_node(ranks, index, per_node);
  std::vector<Role> roles(static_cast<std::size_t>(size));
  static_assert(std::is_trivially_copyable_v<Role>);
  allgather(&mine, roles.data(), sizeof mine, communicator);
  result.progress_processes_per_node = per_node;
  result.node_units = node_units;
  result.is_progress_process = mine.is_progress_process != 0;
  Processes& processes = result.processes;
  processes.communicator = communicator;
  processes.has_progress_processes = true;
  processes.unit_of_rank.assign(roles.size(), -1);
  for (std::size_t other = 0; other < roles.size(); ++other) {
    if (roles[other].is_progress_process != 0) continue;
    const auto unit = static_cast<std::int32_t>(processes.rank_of.size());
    processes.rank_of.push_back(static_cast<std::int32_t>(other));
    processes.server_of.push_back(roles[other].server);
    processes.index_at_server.push_back(roles[other].index);
    processes.unit_of_rank[other] = unit;
    std::int32_t& first_served =
        processes.unit_of_rank[static_cast<std::size_t>(roles[other].server)];
    if (first_served < 0) first_served = unit;
    if (roles[other].server == rank) result.served_units.push_back(unit);
  }
  return result;
}

}  // namespace dash::dart
