#pragma once

#include <stdexcept>
#include <string>

#include "Mesh.h"
#include "Regions.h"

namespace lulesh {

/// What the user asked for cannot be done.
struct UserError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Options {
  Int3 mesh{30, 30, 30};  ///< elements of the whole mesh
  Int3 units{1, 1, 1};    ///< grid of units
  long cycles = 9'999'999;
  RegionOptions regions;
  bool progress = false;
  bool quiet = false;
  std::string plot;  ///< where the picture goes, if anywhere
};

/// The options, or the text of --help.
struct CommandLine {
  Options options;
  std::string help;
};

/// \param units  that run the program
/// \throws UserError
CommandLine parse_command_line(int argc, char** argv, int units);

}  // namespace lulesh
