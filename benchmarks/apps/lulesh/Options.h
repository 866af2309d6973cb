#pragma once

#include <string>

#include "Mesh.h"
#include "Regions.h"
#include "common/Error.h"

namespace lulesh {

using apps::UserError;

struct Options {
  Int3 mesh{30, 30, 30};  ///< elements of the whole mesh
  Int3 units{1, 1, 1};    ///< grid of units
  long cycles = 9'999'999;
  bool has_limit = false;  ///< whether that was asked for
  RegionOptions regions;
  bool progress = false;
  bool quiet = false;
  int repeat = 1;            ///< runs of the blast
  std::string report;        ///< empty: none is written
  std::string plot;          ///< empty: none is drawn
  std::string via = "dash";  ///< how units exchange
};

/// The options, or the text of --help.
struct CommandLine {
  Options options;
  std::string help;
};

enum class Program { dash, mpi };

/// Purely local, and the same on all units.
/// \param units  that run the program
/// \throws UserError naming the option, its value and what is expected
CommandLine parse_command_line(int argc, char** argv, int units, Program program);

}  // namespace lulesh
