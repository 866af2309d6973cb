#pragma once

/// \file
/// Values of settings that were measured on a machine, and the file that keeps them.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dash/core/Export.h"
#include "dash/core/Settings.h"

namespace dash::core {

/// What values are measured for: the model of the processor, and the version of MPI.
/// \param mpi  as the layer says that knows it
/// \cost reads /proc/cpuinfo
DASH_API std::string tuned_machine(std::string_view mpi);

/// Where values are kept unless DART_TUNING names another file: dash/tuning.conf in
/// $XDG_CONFIG_HOME, or in ~/.config. Empty if neither variable is set.
DASH_API std::string default_tuning_file();

/// What a file says of a machine.
struct Tuning {
  Settings settings;                  ///< the defaults, but for what the file has
  std::vector<std::string> names;     ///< of what the file has
  std::string source;                 ///< where they come from, or why from nowhere
  std::vector<std::string> mistakes;  ///< a sentence each, with file, line, name and value
};

/// \returns false, and why, if it cannot be read
DASH_API bool read_file(const std::string& file, std::string& text, std::string& error);

/// Reads the text of a file. What is wrong in it is said, and has no effect; what is of other machines
/// is passed over.
/// \param file  its name, for the sentences
DASH_API Tuning parse_tuning(std::string_view text, std::string_view file,
                             std::string_view machine);

/// The text of a file with values of a machine: those that it had of the same names are replaced, all
/// else stays.
/// \param values  "NAME=value" strings
DASH_API std::string merge_tuning(std::string_view text, std::string_view machine,
                                  std::span<const std::string> values);

/// Merges values into a file, which need not exist. A link stays one: what it names is replaced.
/// \throws exception::RuntimeError, with what the system says
DASH_API void store_tuning(const std::string& file, std::string_view machine,
                           std::span<const std::string> values);

}  // namespace dash::core
