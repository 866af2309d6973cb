#pragma once

#include <array>
#include <optional>
#include <string>

namespace terrain {

/// What the command line asks for.
struct Options {
  std::string input;              // PGM file of elevations in metres
  std::array<int, 2> tile{1, 1};  // copies down and across
  long steps = 25;
  std::optional<double> dt;   // years; empty: the largest stable step
  double diffusivity = 0.01;  // m^2 a year: soil-mantled hillslopes are between 0.001 and 0.05
  std::optional<double> cell_size;  // metres; empty: what the input says
  std::optional<std::array<int, 2>> units_grid;
  bool map = false;  // units to the machine
  bool overlap = true;
  bool verify = false;
  std::string via = "two-sided";  // of the twin: how it exchanges
  std::string output;             // empty: none is written
  std::string picture;            // empty: none is written
  std::string report;             // empty: none is written
};

/// Result of parsing: either options, or a text to print instead of running (--help).
struct CommandLine {
  Options options;
  std::string help;  // not empty if help was asked for
};

/// Whose options they are.
enum class Program { ours, twin };

/// Parses the command line. Purely local and the same on every unit.
/// \param default_input file used without --input
/// \throws UserError naming the option, its value and what is expected
CommandLine parse_command_line(int argc, const char* const* argv, const std::string& default_input,
                               Program program = Program::ours);

}  // namespace terrain
