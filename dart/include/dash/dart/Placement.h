#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dash/core/CpuSet.h"
#include "dash/core/Export.h"
#include "dash/dart/if/dart_locality_types.h"

namespace dash::dart {

/// Where the units of the program are, and what this one has.
struct Placement {
  int units = 0;
  /// Shared-memory domains, as MPI reports them.
  int nodes = 0;
  /// Machines.
  int hosts = 0;
  /// Of the caller's host that the caller may use: its share.
  int processors = 0;
  /// The program has more units on the caller's host than processors.
  bool oversubscribed = false;
  /// Several threads of a unit may communicate at once.
  bool multithreaded = false;
  /// What makes progress: "thread", "poll", or "thread for copies, poll for MPI".
  const char* progress = "";
};

/// \pre initialised  \collective no  \blocks never
DASH_API Placement placement();

/// Where one unit is.
struct UnitPlacement {
  int node = 0;
  /// Of the machine: its number, by the first units, and its name.
  int host = 0;
  std::string host_name;
  /// The unit's share of the host's processors; all that it may use where units are more than these.
  core::CpuSet processors;
  /// Cores of the unit, which it may have to share with others; -1 if they are not known.
  int cores = 0;
  /// The same, where a core that several units share counts in parts; 0 if they are not known.
  double core_share = 0;
  /// The NUMA domain with most of the unit's processors, and how many domains have some; or -1.
  int numa = 0;
  int numa_domains = 0;
};

/// Where the units are, by their global ids; the same on all units.
/// \pre initialised  \collective no  \blocks never  \cost linear in the number of units
DASH_API std::vector<UnitPlacement> unit_placements();

/// Whether the caller has the memory of a unit, given by its global id, in its process.
/// \pre initialised, and there is such a unit  \blocks never  \threads any
DASH_API bool is_on_node(std::int32_t unit);

/// What the first processor of a unit is part of: its number on the host, or -1 if that is not known. Of
/// caches the one of the last level.
/// \threads any
DASH_API int number_in_scope(const dart_hwinfo_t& hardware, dart_locality_scope_t scope) noexcept;

/// Name and version of the MPI library, as "MPICH 4.0.2". Needs no initialisation.
DASH_API std::string mpi_library();

}  // namespace dash::dart
