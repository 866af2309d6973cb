#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dash/core/Export.h"
#include "dash/core/mapping/Machine.h"

namespace dash::core::mapping {

/// Formats of machine descriptions (docs/how-to/place-units.md).
enum class MachineFormat {
  automatic,  ///< detected from the first line that is not empty
  dash,       ///< the format of this library
  slurm,      ///< Slurm's topology.conf
  cray        ///< locations of Cray nodes, as printed by xtprocadmin
};

/// Reads a machine from a file.
/// \throws exception::InvalidArgument if the file cannot be read or parsed; the message names the file, the
///         line, the value and what was expected
DASH_API Machine read_machine(const std::string& path,
                              MachineFormat format = MachineFormat::automatic);

/// Parses a machine description.
/// \param name  name of the source in error messages
DASH_API Machine parse_machine(std::string_view text, const std::string& name,
                               MachineFormat format = MachineFormat::automatic);

/// Expands a host list of Slurm: "n[001-003,7],login" gives n001, n002, n003, n7, login.
/// \throws exception::InvalidArgument naming the list and the invalid part
DASH_API std::vector<std::string> expand_hostlist(std::string_view list);

}  // namespace dash::core::mapping
