#pragma once

#include <string>
#include <vector>

#include "Options.h"

namespace dash::run {

/// A command with the variables that it adds to the environment.
struct Command {
  std::vector<std::string> environment;  ///< "NAME=value"
  std::vector<std::string> arguments;

  /// The command as text that can be pasted into a shell.
  std::string text() const;
};

/// The command that starts the units.
/// \throws Error if the launcher does not exist, or if it cannot do what the options request
Command make_command(const Options& options);

}  // namespace dash::run
