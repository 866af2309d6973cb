#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "launch/UnitHardware.h"
#include "dash/core/mapping/GridMapping.h"
#include "dash/core/mapping/Machine.h"

namespace dash::dart {

/// The machine that units run on, and where, as the mapper takes them.
struct UnitsOnMachine {
  core::mapping::Machine machine;
  std::vector<core::mapping::UnitPlace> places;
};

/// Nodes are those of MPI: of several on one host, the first has the host's name, the others that with
/// ":1", ":2" and so on behind it.
/// \param hardware  of all units, by global id
/// \param units     global ids
/// \param file      describes the nodes and the network. One that does not know the name of such a
///                  further node has it on the host. Empty: the nodes of the program hang from one
///                  switch
/// \throws exception::InvalidArgument if the file is wrong, or does not know a host
UnitsOnMachine units_on_machine(std::span<const UnitHardware> hardware,
                                std::span<const std::int32_t> units, const std::string& file);

}  // namespace dash::dart
