#pragma once

#include <cstdint>

#include <span>

#include "base/Processes.h"
#include "dash/core/CpuSet.h"
#include "dash/core/Topology.h"

namespace dash::dart {

/// Processors of a unit, of the progress process that serves it, and of all progress processes of the host.
struct ProcessorReservation {
  core::CpuSet unit;
  core::CpuSet server;
  core::CpuSet all_servers;
};

/// Gives each progress process of a host a core next to the units that it serves. The processes of the host have contiguous
/// slices of the processors in topology order, each progress process after its units.
/// \param host_units  global ids, ascending
/// \param unit        one of them
/// \param mask        the processors that all processes of the host may use
/// \pre the mask has at least as many processors as the host has processes
ProcessorReservation reserve_processors(const Processes& processes,
                                        std::span<const std::int32_t> host_units, int unit,
                                        const core::Topology& topology, const core::CpuSet& mask);

}  // namespace dash::dart
