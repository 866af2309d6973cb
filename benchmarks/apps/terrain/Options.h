#pragma once

#include <array>
#include <optional>
#include <string>

namespace terrain {

/// The options of the command line.
struct Options {
  std::string input;              // PGM file of elevations in metres
  std::array<int, 2> tile{1, 1};  // rows and columns of copies
  long steps = 25;
  std::optional<double> dt;   // years; empty: the largest stable step
  double diffusivity = 0.01;  // m^2 per year: soil-mantled hillslopes are between 0.001 and 0.05
  std::optional<double> cell_size;  // metres; empty: as specified by the input
  std::optional<std::array<int, 2>> units_grid;
  bool map = false;  // map the units to the machine
  bool overlap = true;
  bool verify = false;
  std::string via = "two-sided";  // exchange of the baseline
  std::string output;             // empty: none is written
  std::string picture;            // empty: none is written
  std::string report;             // empty: none is written
};

/// Result of parsing: the options, or the text of --help to print instead of running.
struct CommandLine {
  Options options;
  std::string help;  // empty unless --help was given
};

/// The program whose options are parsed: terrain or terrain_mpi.
enum class Program { dash, baseline };

/// Parses the command line. The call is local, and its result is the same on all units.
/// \param default_input  file used without --input
/// \throws UserError  names the option, its value and the expected values
CommandLine parse_command_line(int argc, const char* const* argv, const std::string& default_input,
                               Program program = Program::dash);

}  // namespace terrain
