#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dash/core/mapping/GridMapping.h"
#include "dash/core/mapping/Machine.h"
#include "launch/UnitHardware.h"

namespace dash::dart {

/// Input of the mapper: the machine, and the location of each unit on it.
struct UnitsOnMachine {
  core::mapping::Machine machine;
  std::vector<core::mapping::UnitLocation> locations;
};

/// Locates units on a machine. Its nodes are those of MPI. The first node of a host has the name of the host;
/// further nodes of the host have that name followed by ":1", ":2" and so on.
/// \param hardware  of all units, by global id
/// \param units     global ids
/// \param file      description of the nodes and the network. A further node that it does not contain is
///                  located at the node of its host. Empty: all nodes are connected to one switch
/// \throws exception::InvalidArgument if the file is malformed or does not contain a host
UnitsOnMachine units_on_machine(std::span<const UnitHardware> hardware,
                                std::span<const std::int32_t> units, const std::string& file);

}  // namespace dash::dart
