#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace dash::bench {

/// A command line, with variables to add to the environment of this process.
struct Command {
  std::vector<std::string> words;
  std::vector<std::string> environment = {};  // NAME=VALUE
  int limit_s = 0;                            // time limit after which it is terminated; 0: none

  /// The command as a user types it in the folder of the programs; reports contain no absolute paths.
  std::string text() const;
};

struct ProcessResult {
  int code = 0;        // exit code
  std::string output;  // standard output and standard error
};

/// Runs a command and waits for its end.
/// \param on_output  called with each line of its output, as it is printed
/// \returns code 124 if the time limit was exceeded, 127 if the program does not exist
/// \throws std::runtime_error if the command cannot be started
ProcessResult run(const Command& command,
                  const std::function<void(std::string_view)>& on_output = {});

/// The variables that make DASH, and MPICH, treat the processes of one machine as several nodes. Open MPI treats them as
/// one node, except that they communicate by TCP only in the layout tcp.
/// \param layout  node (one node), cliques (two nodes), nolocal (each unit is a node) or tcp (nolocal, and
///                units communicate by TCP only)
/// \param units   number of units of the program
/// \throws std::invalid_argument for an unknown layout; the message lists the known ones
std::vector<std::string> layout_environment(std::string_view layout, int units);

/// Adds the variables that set a progress mode, unless it is the default, auto.
/// \param mode  a value of DART_PROGRESS, or mpich-thread: poll, with the progress thread of MPICH
void append_progress_mode(std::string_view mode, std::vector<std::string>& environment);

/// The number of processes that a program of some units consists of: with progress processes (mode "ranks"), one more on
/// each node.
int process_count(int units, std::string_view layout, std::string_view mode);

/// The command that starts a program with mpiexec.
/// \param layout  as for layout_environment. With progress processes, nolocal means cliques of one unit and one progress
///                process each, since MPIR_CVAR_NOLOCAL would make each process a node
/// \param mode    the progress mode; auto: the default
/// \param words   the program and its arguments
/// \throws std::invalid_argument if the layout is not possible
Command command_of_units(int units, std::string_view layout, std::string_view mode,
                         const std::vector<std::string>& words);

/// \returns the path of a program in the folder of the running one; a name with a slash is returned unchanged
/// \throws std::runtime_error if the file does not exist, that is, the target is not built
std::string path_of_program(const std::string& program);

}  // namespace dash::bench
