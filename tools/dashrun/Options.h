#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace dash::run {

/// A wrong argument or environment. The message names it, says what was expected and what to do.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class Bind { none, core, numa };
enum class LauncherChoice { automatic, mpiexec, srun };

/// The arguments of dashrun.
struct Options {
  int units = 0;
  int units_per_node = 0;  ///< 0: the launcher decides
  int threads = 0;         ///< cores of each unit; 0: not given
  Bind bind = Bind::none;
  int nodes = 0;           ///< simulated nodes; 0: none
  int progress_ranks = 0;  ///< progress processes of each node; 0: none
  bool tcp = false;
  std::string trace;
  int timeout_s = 0;  ///< 0: none
  bool label = false;
  bool dry_run = false;
  LauncherChoice launcher = LauncherChoice::automatic;
  std::vector<std::string> launcher_arguments;
  std::vector<std::string> command;  ///< the program and its arguments

  /// Units of each simulated node: the last node may have fewer. 0 if no nodes are simulated.
  int simulated_node_units() const { return nodes == 0 ? 0 : (units + nodes - 1) / nodes; }

  /// Processes to start: the units and, for each node, its progress processes.
  int processes() const { return units + num_nodes() * progress_ranks; }
  /// Processes of each node of the job; 0: the launcher decides.
  int processes_per_node() const {
    return units_per_node == 0 ? 0 : units_per_node + progress_ranks;
  }
  /// Nodes of the job or simulated nodes; 1 if the launcher decides.
  int num_nodes() const {
    if (nodes != 0) return nodes;
    return units_per_node == 0 ? 1 : (units + units_per_node - 1) / units_per_node;
  }
};

/// Parses the command line. Prints the help and exits if it is requested.
/// \throws Error for an invalid argument
Options parse_options(int argc, char** argv);

}  // namespace dash::run
