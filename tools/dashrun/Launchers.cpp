#include "Launchers.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <set>
#include <string_view>

#include "Program.h"
#include "dash/dart/MpiLibrary.h"

namespace dash::run {

namespace {

/// The mpiexec of the MPI library with which libdash was built, as CMake found it.
constexpr const char* mpiexec = DASH_MPIEXEC;

void check_mpiexec() {
  if (::access(mpiexec, X_OK) == 0) return;
  throw Error(fmt::format(
      "the launcher of {}, '{}', does not exist on this host; install it or load its module, "
      "or in a job of Slurm use --launcher srun",
      dart::mpi_library(), mpiexec));
}

const char* name_of(Bind bind) {
  switch (bind) {
    case Bind::core:
      return "core";
    case Bind::numa:
      return "numa";
    case Bind::none:
      break;
  }
  return "none";
}

using Arguments = std::vector<std::string>;

void append(Arguments& arguments, const Arguments& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
}

/// Names of the variables that units on other hosts need: those given, and those of the library and of UCX.
std::set<std::string> names_to_export(const std::vector<std::string>& variables) {
  std::set<std::string> names;
  const auto add = [&](std::string_view entry) { names.emplace(entry.substr(0, entry.find('='))); };
  for (const std::string& each : variables)
    add(each);
  for (char** entry = environ; *entry != nullptr; ++entry) {
    for (const std::string_view prefix : {"DART_", "DASH_", "UCX_"}) {
      if (std::string_view(*entry).starts_with(prefix)) add(*entry);
    }
  }
  return names;
}

}  // namespace

MpiFamily mpi_family(const std::string& library) {
  return library.find("Open MPI") != std::string::npos ? MpiFamily::open_mpi : MpiFamily::mpich;
}

bool has_srun() {
  try {
    find_program("srun");
    return true;
  } catch (const Error&) {
    return false;
  }
}

Arguments hydra_arguments(const Options& options) {
  check_mpiexec();
  Arguments arguments{mpiexec};
  std::string bind = name_of(options.bind);
  if (options.threads > 1 && options.bind == Bind::core)
    bind += fmt::format(":{}", options.threads);
  append(arguments, {"-bind-to", bind});
  if (options.units_per_node != 0)
    append(arguments, {"-ppn", std::to_string(options.processes_per_node())});
  if (options.label) arguments.emplace_back("-prepend-rank");
  append(arguments, options.launcher_arguments);
  append(arguments, {"-n", std::to_string(options.processes())});
  return arguments;
}

Arguments open_mpi_arguments(const Options& options, const std::vector<std::string>& variables) {
  check_mpiexec();
  Arguments arguments{mpiexec};
  std::string map = options.units_per_node != 0
                        ? fmt::format("ppr:{}:node", options.processes_per_node())
                        : "slot";
  if (options.threads > 1 && options.bind == Bind::core)
    map += fmt::format(":PE={}", options.threads);
  // More units than processors are useful for tests; without this modifier, Open MPI does not start them.
  if (options.bind == Bind::none) map += ":OVERSUBSCRIBE";
  append(arguments, {"--map-by", map, "--bind-to", name_of(options.bind)});
  if (options.tcp) append(arguments, {"--mca", "pml", "ob1", "--mca", "btl", "tcp,self"});
  if (options.label) arguments.emplace_back("--tag-output");
  for (const std::string& name : names_to_export(variables))
    append(arguments, {"-x", name});
  append(arguments, options.launcher_arguments);
  append(arguments, {"-n", std::to_string(options.processes())});
  return arguments;
}

Arguments srun_arguments(const Options& options, MpiFamily mpi) {
  if (!has_srun()) {
    throw Error(
        "--launcher srun: there is no srun in the folders of PATH; load the module of Slurm, or "
        "use --launcher mpiexec");
  }
  // The plugin of Slurm through which the units find each other. The user's choice has precedence.
  Arguments arguments{"srun"};
  if (std::getenv("SLURM_MPI_TYPE") == nullptr) {
    arguments.emplace_back(mpi == MpiFamily::open_mpi ? "--mpi=pmix" : "--mpi=pmi2");
  }
  // The failure of one unit ends all, as with mpiexec.
  append(arguments, {"--kill-on-bad-exit=1", fmt::format("--ntasks={}", options.processes())});
  if (options.units_per_node != 0) {
    const int nodes = options.num_nodes();
    append(arguments, {fmt::format("--nodes={}", nodes),
                       fmt::format("--ntasks-per-node={}", options.processes_per_node())});
  }
  if (options.threads != 0) arguments.push_back(fmt::format("--cpus-per-task={}", options.threads));
  constexpr const char* binds[] = {"none", "cores", "ldoms"};  // in the order of Bind
  arguments.push_back(fmt::format("--cpu-bind={}", binds[static_cast<int>(options.bind)]));
  if (options.tcp && mpi == MpiFamily::open_mpi) {
    throw Error("--tcp needs options of Open MPI's mpiexec; use --launcher mpiexec");
  }
  if (options.label) arguments.emplace_back("--label");
  append(arguments, options.launcher_arguments);
  return arguments;
}

}  // namespace dash::run
