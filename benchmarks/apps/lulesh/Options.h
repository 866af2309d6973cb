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
  std::string exchange = "two-sided";  ///< of the program that uses MPI alone
};

/// The options, or the text of --help.
struct CommandLine {
  Options options;
  std::string help;
};

/// \param units  that run the program  \param with_exchange  whether it is by MPI alone
/// \throws UserError
CommandLine parse_command_line(int argc, char** argv, int units, bool with_exchange);

}  // namespace lulesh
