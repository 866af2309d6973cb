#pragma once

#include <cstddef>
#include <vector>

#include "dash/core/CpuSet.h"
#include "dash/core/Export.h"

namespace dash::core {

class Topology;

/// A NUMA domain: processors with the same distance to one part of the memory.
struct NumaDomain {
  static constexpr int unknown = -1;

  CpuSet processors;
  int os_index = unknown;  ///< number of the NUMA node in the operating system
};

/// The NUMA domains that contain processors of `share`, in topology order, each with these processors only.
/// Processors that the topology does not contain belong to the first domain.
/// \returns at least one domain
/// \threads thread-safe
DASH_API std::vector<NumaDomain> numa_domains(const Topology& topology, const CpuSet& share);

/// The domain of the page at an address; NumaDomain::unknown if no thread has touched the page yet, or the
/// system does not report it. Does not touch the page.
/// \threads thread-safe   \cost a system call
DASH_API int numa_domain_of(const void* address) noexcept;

/// The processor on which the caller runs at the moment; -1 if the system does not report it.
/// \threads thread-safe   \cost some nanoseconds
DASH_API int this_processor() noexcept;

}  // namespace dash::core
