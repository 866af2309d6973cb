#pragma once

/// \file
/// Tuned settings: values that were measured on a machine, and the file that stores them.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dash/core/Export.h"
#include "dash/core/Settings.h"

namespace dash::core {

/// The name of this machine in the tuning file: the processor model and the MPI version.
/// \param mpi  name and version of MPI
/// \cost reads /proc/cpuinfo
DASH_API std::string tuned_machine(std::string_view mpi);

/// The tuning file if DART_TUNING is not set: dash/tuning.conf in $XDG_CONFIG_HOME or in ~/.config. Empty if
/// neither XDG_CONFIG_HOME nor HOME is set.
DASH_API std::string default_tuning_file();

/// Contents of a tuning file for one machine.
struct Tuning {
  Settings settings;               ///< the values of the file, else the defaults
  std::vector<std::string> names;  ///< names of the settings that the file contains
  std::string source;              ///< origin of the values, or why there are none
  std::vector<std::string>
      mistakes;  ///< errors in the file: sentences with file, line, name and value
};

/// Reads a whole file. \returns false, and the reason in `error`, if it cannot be read
DASH_API bool read_file(const std::string& file, std::string& text, std::string& error);

/// Parses the text of a tuning file. Invalid lines are reported in `mistakes` and have no effect; sections of
/// other machines are ignored.
/// \param file  name of the file, for messages
DASH_API Tuning parse_tuning(std::string_view text, std::string_view file,
                             std::string_view machine);

/// Returns the text of a tuning file in which values of a machine have been added or replaced. All other
/// lines stay unchanged.
/// \param values  "NAME=value" strings
DASH_API std::string merge_tuning(std::string_view text, std::string_view machine,
                                  std::span<const std::string> values);

/// Adds or replaces values in a file, which need not exist. If it is a symbolic link, its target is replaced.
/// \throws exception::RuntimeError, with the error text of the system
DASH_API void store_tuning(const std::string& file, std::string_view machine,
                           std::span<const std::string> values);

}  // namespace dash::core
