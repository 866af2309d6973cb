#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dash/core/Export.h"
#include "dash/core/mapping/Machine.h"

namespace dash::core::mapping {

/// How a file describes a machine (docs/mapping.md).
enum class MachineFormat {
  automatic,  ///< by the first line that says something
  dash,       ///< our own
  slurm,      ///< Slurm's topology.conf
  cray        ///< places of Cray nodes, as xtprocadmin lists them
};

/// Reads a machine from a file.
/// \throws exception::InvalidArgument if the file cannot be read or is not understood; the text names
///         file, line, the value and what was expected
DASH_API Machine read_machine(const std::string& path,
                              MachineFormat format = MachineFormat::automatic);

/// The same from a text.
/// \param name  what errors call it
DASH_API Machine parse_machine(std::string_view text, const std::string& name,
                               MachineFormat format = MachineFormat::automatic);

/// The names of a list as Slurm writes it: "n[001-003,7],login" is n001, n002, n003, n7, login.
/// \throws exception::InvalidArgument naming the list and the place in it
DASH_API std::vector<std::string> expand_hostlist(std::string_view list);

}  // namespace dash::core::mapping
