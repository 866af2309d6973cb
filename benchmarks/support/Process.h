#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace dash::bench {

/// A command to start, and what it is given beyond the environment of this process.
struct Command {
  std::vector<std::string> words;
  std::vector<std::string> environment = {};  // NAME=VALUE
  int limit_s = 0;                            // it is ended after so long; 0: it may take its time

  /// As one would type it in the folder of the programs: reports do not tell where that was.
  std::string text() const;
};

struct Ended {
  int code = 0;        // of its exit
  std::string output;  // both streams
};

/// Runs it to its end.
/// \param each_piece  called with what it prints, as it comes
/// \returns code 124 if its time was over, 127 if there is no such program
/// \throws std::runtime_error if it cannot be started
Ended run(const Command& command, const std::function<void(std::string_view)>& each_piece = {});

/// What makes the nodes of a layout out of one machine.
/// \param layout  node, cliques (two nodes), nolocal (a node each unit) or tcp (nolocal, joined by
///                TCP only)
/// \throws std::invalid_argument which names those that there are
std::vector<std::string> layout_environment(std::string_view layout);

/// `program` with its arguments on so many units.
/// \param layout  as for layout_environment
Command command_of_units(int units, std::string_view layout, const std::vector<std::string>& words);

/// The path of a program that stands next to this one; one with a slash is a path already.
/// \throws std::runtime_error if it is not there: it has to be built
std::string path_of_program(const std::string& program);

}  // namespace dash::bench
