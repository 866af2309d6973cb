#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dash/core/CpuSet.h"
#include "dash/core/Topology.h"
#include "dash/dart/if/dart_locality_types.h"

namespace dash::dart {

/// Hardware of a unit, about 540 bytes. At initialization every unit collects those of all units.
struct UnitHardware {
  dart_hwinfo_t hwinfo{};
  /// Numbers of the unit's cores on its host; empty if unknown.
  core::CpuSet cores;
  /// The unit's share of the host's processors.
  core::CpuSet processors;
  /// Node and host of the unit, numbered in the order of their first units.
  std::int32_t node = 0;
  std::int32_t host = 0;
};
static_assert(sizeof(UnitHardware) <= 1024);

/// Describes the hardware of a unit.
/// \param home  the processors that the unit is bound to; not empty
UnitHardware describe_unit(const core::Topology& topology, const core::CpuSet& home);

}  // namespace dash::dart
