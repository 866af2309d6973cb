#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dash/core/CpuSet.h"
#include "dash/core/Topology.h"
#include "dash/dart/if/dart_locality_types.h"

namespace dash::dart {

/// What every unit knows of each other one: some 540 bytes, collected once at init.
struct UnitHardware {
  dart_hwinfo_t hwinfo{};
  /// Numbers of its cores on its host; empty if they are not known.
  core::CpuSet cores;
  /// The processors it may use: its share of the host.
  core::CpuSet processors;
  /// Which node and which host, numbered by their first units.
  std::int32_t node = 0;
  std::int32_t host = 0;
};
static_assert(sizeof(UnitHardware) <= 1024);

/// Describes a unit by the processors it is at home on.
/// \param home  not empty
UnitHardware describe_unit(const core::Topology& topology, const core::CpuSet& home);

}  // namespace dash::dart
