#pragma once

#include <string>

#include "common/Error.h"
#include "mesh/Mesh.h"
#include "mesh/Regions.h"

namespace lulesh {

using apps::UserError;

struct Options {
  Int3 mesh{30, 30, 30};  ///< elements of the whole mesh
  Int3 units{1, 1, 1};    ///< grid of units
  long cycles = 9'999'999;
  bool has_limit = false;  ///< whether -i was given
  RegionOptions regions;
  bool progress = false;
  bool quiet = false;
  int repeat = 1;            ///< number of runs
  std::string report;        ///< file for the times; empty: none is written
  std::string plot;          ///< file for the picture; empty: none is written
  std::string via = "dash";  ///< how units exchange data
};

/// The options, or the text of --help.
struct CommandLine {
  Options options;
  std::string help;
};

enum class Program { dash, mpi };

/// Parses the command line. The call is local, and its result is the same on all units.
/// \param units  number of units of the program
/// \throws UserError  names the option, its value and the expected values
CommandLine parse_command_line(int argc, char** argv, int units, Program program);

}  // namespace lulesh
