#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dash/core/CpuSet.h"
#include "dash/core/Export.h"
#include "dash/dart/if/dart_locality_types.h"

namespace dash::dart {

/// Placement of the program's units, and resources of the calling unit.
struct Placement {
  int units = 0;
  /// Number of shared-memory domains, as MPI reports them and DART_NODE_UNITS divides them.
  int nodes = 0;
  /// Number of hosts.
  int hosts = 0;
  /// Number of processors of the host that the calling unit uses: its share.
  int processors = 0;
  /// Whether the program has more units than processors on the caller's host.
  bool oversubscribed = false;
  /// Whether several threads of a unit may communicate concurrently.
  bool multithreaded = false;
  /// How communication progresses: "thread", "poll", "thread for copies, poll for MPI", or "progress processes".
  const char* progress = "";
  /// Global memory that lies in windows of MPI, and so may be registered with the network: "slabs",
  /// "whole", or "nothing" if all units are on one node or MPI could not create a window.
  const char* registered_heap = "";
};

/// \pre initialized  \collective no  \blocks never
DASH_API Placement placement();

/// Placement of one unit.
struct UnitPlacement {
  int node = 0;
  /// Index of the host, in the order of the hosts' first units, and its name.
  int host = 0;
  std::string host_name;
  /// The unit's share of the host's processors; if there are more units than processors, all that it may use.
  core::CpuSet processors;
  /// Number of cores of the unit, which it may share with other units; -1 if unknown.
  int cores = 0;
  /// The same, but a core that n units share counts 1/n; 0 if unknown.
  double core_share = 0;
  /// The NUMA domain with most of the unit's processors, and the number of domains that have some; -1 if
  /// unknown.
  int numa = 0;
  int numa_domains = 0;
};

/// The placement of all units, by global id; equal on all units.
/// \pre initialized  \collective no  \blocks never  \cost linear in the number of units
DASH_API std::vector<UnitPlacement> unit_placements();

/// Whether the memory of a unit is mapped into the caller's process.
/// \param unit  global id of an existing unit
/// \pre initialized  \collective no  \blocks never  \threads thread-safe
DASH_API bool is_on_node(std::int32_t unit);

/// Index on its host of the component of a scope (CACHE: last level) that contains the first
/// processor of a unit; -1 if unknown.
/// \threads thread-safe
DASH_API int number_in_scope(const dart_hwinfo_t& hardware, dart_locality_scope_t scope) noexcept;

}  // namespace dash::dart
