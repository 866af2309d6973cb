#include "Command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "Launchers.h"
#include "Program.h"
#include "ShellQuote.h"
#include "dash/core/Topology.h"
#include "dash/dart/MpiLibrary.h"

namespace dash::run {

namespace {

bool is_set(const char* name) {
  const char* const text = std::getenv(name);
  return text != nullptr && *text != '\0';
}

bool uses_srun(LauncherChoice choice) {
  if (choice != LauncherChoice::automatic) return choice == LauncherChoice::srun;
  return is_set("SLURM_JOB_ID") && has_srun();
}

/// Whether the launcher can only use this host, as far as its environment shows.
bool is_limited_to_this_host(const Options& options) {
  constexpr const char* lists_of_hosts[] = {"SLURM_JOB_ID",      "PBS_NODEFILE",   "LSB_HOSTS",
                                            "LSB_DJOB_HOSTFILE", "FLUX_URI",       "FLUX_JOB_ID",
                                            "PE_HOSTFILE",       "HYDRA_HOST_FILE"};
  return options.launcher_arguments.empty() && !uses_srun(options.launcher) &&
         std::none_of(std::begin(lists_of_hosts), std::end(lists_of_hosts), is_set);
}

void check_cores(const Options& options) {
  if (options.threads == 0 || !is_limited_to_this_host(options)) return;
  const int cores = core::Topology::load().num_cores();
  if (static_cast<long>(options.units) * options.threads <= cores) return;
  throw Error(fmt::format(
      "--threads {0}: {1} units with {0} cores each need {2} cores, but this host has {3}; "
      "reduce --threads or the units, or remove --threads so that the units share the cores",
      options.threads, options.units, static_cast<long>(options.units) * options.threads, cores));
}

void check_units_per_node(const Options& options) {
  if (options.units_per_node == 0 || options.units <= options.units_per_node) return;
  if (!is_limited_to_this_host(options)) return;
  throw Error(fmt::format(
      "--units-per-node {}: {} units need {} nodes, but mpiexec only knows this host; name the "
      "hosts with --launcher-arg, or simulate the nodes with --nodes {} instead",
      options.units_per_node, options.units, options.num_nodes(), options.num_nodes()));
}

void check_simulated_nodes(const Options& options) {
  const char* const nodes = std::getenv("SLURM_JOB_NUM_NODES");
  if (options.nodes == 0 || nodes == nullptr || std::string_view(nodes) == "1") return;
  throw Error(fmt::format(
      "--nodes {} divides the units of one host, but the job of Slurm has {} nodes; use "
      "--units-per-node",
      options.nodes, nodes));
}

void check_trace(const std::string& file) {
  if (file.empty()) return;
  const std::size_t slash = file.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : file.substr(0, slash + 1);
  const std::string& changed = ::access(file.c_str(), F_OK) == 0 ? file : folder;
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(file, ignored);
  if (!is_folder && ::access(changed.c_str(), W_OK) == 0) return;
  throw Error(fmt::format(
      "--trace {}: cannot write to '{}'; expected a file in a folder that exists, on a file "
      "system that all nodes share",
      file, changed));
}

/// Variables for the library and for MPI, which do not depend on the launcher.
std::vector<std::string> variables_of(const Options& options, MpiFamily mpi) {
  std::vector<std::string> variables;
  if (!options.trace.empty()) variables.push_back("DART_TRACE=" + options.trace);
  if (options.nodes != 0) {
    variables.push_back(fmt::format("DART_NODE_UNITS={}", options.simulated_node_units()));
    // With these variables, MPICH divides the host too, which results in another number of nodes.
    for (const char* const name :
         {"MPIR_CVAR_NOLOCAL", "MPIR_CVAR_ODD_EVEN_CLIQUES", "MPIR_CVAR_NUM_CLIQUES"}) {
      if (is_set(name)) variables.push_back(std::string(name) + "=0");
    }
  }
  if (options.progress_ranks != 0) {
    variables.emplace_back("DART_PROGRESS=ranks");
    variables.push_back(fmt::format("DART_PROGRESS_RANKS={}", options.progress_ranks));
  }
  if (options.tcp && mpi == MpiFamily::mpich) {
    // MPICH uses its network module, UCX or libfabric, only between nodes.
    variables.insert(variables.end(),
                     {"MPIR_CVAR_NOLOCAL=1", "UCX_TLS=tcp,self", "FI_PROVIDER=tcp"});
  } else if (options.tcp) {
    variables.emplace_back("DART_NODE_UNITS=1");
  }
  // In a shell that srun has started, the step of the shell holds the processors. Without this variable, another srun,
  // which mpiexec may call as well, waits for their release. Versions of Slurm before 20.11 ignore it.
  if (is_set("SLURM_STEP_ID")) variables.emplace_back("SLURM_OVERLAP=1");
  return variables;
}

}  // namespace

std::string Command::text() const {
  std::string text;
  if (!environment.empty()) text = "env";
  for (const auto& words : {environment, arguments}) {
    for (const std::string& word : words)
      text += (text.empty() ? "" : " ") + tools::shell_quote(word);
  }
  return text;
}

Command make_command(const Options& options) {
  const MpiFamily mpi = mpi_family(dart::mpi_library());
  check_simulated_nodes(options);
  check_trace(options.trace);
  check_cores(options);
  check_units_per_node(options);
  Command command{variables_of(options, mpi), {}};
  if (uses_srun(options.launcher)) {
    command.arguments = srun_arguments(options, mpi);
  } else if (mpi == MpiFamily::open_mpi) {
    command.arguments = open_mpi_arguments(options, command.environment);
  } else {
    command.arguments = hydra_arguments(options);
  }
  const std::string program = find_program(options.command.front());
  check_mpi_of_program(program);
  command.arguments.push_back(program);
  command.arguments.insert(command.arguments.end(), options.command.begin() + 1,
                           options.command.end());
  return command;
}

}  // namespace dash::run
