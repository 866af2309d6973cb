#pragma once

#include <cstddef>
#include <vector>

#include "dash/core/CpuSet.h"
#include "dash/core/Export.h"

namespace dash::core {

class Topology;

/// Processors that are equally near to one part of the memory.
struct NumaDomain {
  static constexpr int unknown = -1;

  CpuSet processors;
  int os_index = unknown;  ///< the system's number of the memory
};

/// The domains of a machine that have processors of `share`, each with those of them, in topology
/// order. Processors that the topology does not know belong to the first.
/// \returns one at least
/// \threads any
DASH_API std::vector<NumaDomain> numa_domains(const Topology& topology, const CpuSet& share);

/// The domain that holds the page of an address: NumaDomain::unknown if nobody has touched the page
/// yet, or the system does not tell. Brings in no page.
/// \threads any   \cost a system call
DASH_API int numa_domain_of(const void* address) noexcept;

/// The processor that the caller runs on at the moment; -1 if the system does not tell.
/// \threads any   \cost some nanoseconds
DASH_API int this_processor() noexcept;

}  // namespace dash::core
