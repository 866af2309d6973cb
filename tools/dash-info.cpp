// Prints the hardware of this machine as the library sees it, limits of the system, and all
// settings. If mpiexec has started it, it prints the placement of the program's units in addition,
// or measures the costs and the benefit of the progress thread.

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "ProgressReport.h"
#include "SystemLimits.h"
#include "dash/async/Executor.h"
#include "dash/core/Memory.h"
#include "dash/core/Settings.h"
#include "dash/core/Topology.h"
#include "dash/core/Tuning.h"
#include "dash/dart/MpiLibrary.h"
#include "dash/dart/Placement.h"
#include "dash/dart/if/dart_communication.h"
#include "dash/dart/if/dart_initialization.h"
#include "dash/dart/if/dart_team_group.h"

namespace {

constexpr double bytes_per_gib = 1024.0 * 1024.0 * 1024.0;

void print_versions() {
  std::printf("dash %s, %s, %s, %s\n\n", DASH_VERSION_TEXT, dash::dart::mpi_library().c_str(),
              dash::core::topology_library().c_str(), dash::exec::executor_library().c_str());
}

void print_machine(const dash::core::Topology& topology) {
  std::printf(
      "host        %s%s\n", topology.hostname().c_str(),
      topology.is_this_machine() ? "" : ", synthetic: set by environment variables of hwloc");
  std::printf("packages    %d\n", topology.num_packages());
  std::printf("NUMA        %d\n", topology.num_numa());
  std::printf("cores       %d\n", topology.num_cores());
  std::printf("processors  %d, this process may use %s\n", topology.num_pus(),
              topology.allowed().to_string().c_str());
  for (int level = 1; topology.cache_size(level) != 0; ++level) {
    std::printf("cache L%d    %zu KiB\n", level, topology.cache_size(level) / 1024);
  }
  std::printf("cache line  %zu B\n", topology.cache_line_bytes());
  std::printf("memory      %.1f GiB, %.1f GiB available\n",
              static_cast<double>(topology.memory_bytes()) / bytes_per_gib,
              static_cast<double>(dash::core::available_memory()) / bytes_per_gib);
}

void print_limits(const char* title, const dash::tools::ProcessLimits& limits) {
  std::printf("\n%s\n\n%s", title, dash::tools::system_limits(limits).c_str());
}

/// The smallest limits of all units, which may be on hosts with different ones. \collective
dash::tools::ProcessLimits smallest_limits() {
  const dash::tools::ProcessLimits mine = dash::tools::process_limits();
  const std::array<unsigned long long, 3> limits{mine.locked_memory, mine.locked_memory_hard,
                                                 mine.free_shared_memory};
  std::array<unsigned long long, 3> smallest{};
  if (dart_allreduce(limits.data(), smallest.data(), limits.size(), DART_TYPE_ULONGLONG,
                     DART_OP_MIN, DART_TEAM_ALL) != DART_OK) {
    throw std::runtime_error(dart_last_error());
  }
  return {smallest[0], smallest[1], smallest[2]};
}

void print_settings() {
  std::printf("\nSettings (environment variables)\n\n%s", dash::core::settings_table().c_str());
  std::printf("\nMeasured values: %s\n", dash::core::tuning_source().c_str());
}

std::string plural(int count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// Sorted numbers as "0-3,8". Not a CpuSet, which would limit the number of units.
std::string format_ranges(const std::vector<int>& ascending) {
  std::string text;
  for (std::size_t first = 0; first < ascending.size();) {
    std::size_t last = first;
    while (last + 1 < ascending.size() && ascending[last + 1] == ascending[last] + 1)
      ++last;
    text += (text.empty() ? "" : ",") + std::to_string(ascending[first]);
    if (last > first) text += "-" + std::to_string(ascending[last]);
    first = last + 1;
  }
  return text;
}

void print_nodes(const std::vector<dash::dart::UnitPlacement>& units) {
  std::map<int, std::vector<int>> units_of_node;
  for (std::size_t unit = 0; unit < units.size(); ++unit)
    units_of_node[units[unit].node].push_back(static_cast<int>(unit));
  std::printf("\nnode  host  host name             units\n");
  for (const auto& [node, members] : units_of_node) {
    const auto& first = units[static_cast<std::size_t>(members.front())];
    std::printf("%4d  %4d  %-20s  %zu: %s\n", node, first.host, first.host_name.c_str(),
                members.size(), format_ranges(members).c_str());
  }
}

void print_units() {
  const dash::dart::Placement placement = dash::dart::placement();
  const std::vector<dash::dart::UnitPlacement> units = dash::dart::unit_placements();
  std::printf("\n%s on %s, %s; progress: %s\n", plural(placement.units, "unit").c_str(),
              plural(placement.hosts, "host").c_str(), plural(placement.nodes, "node").c_str(),
              placement.progress);
  std::printf("registered with the network, of each heap: %s\n", placement.registered_heap);
  print_nodes(units);
  std::printf("\nunit  node  host  cores  NUMA  processors\n");
  for (std::size_t unit = 0; unit < units.size(); ++unit) {
    const dash::dart::UnitPlacement& each = units[unit];
    std::string numa = each.numa < 0 ? "?" : std::to_string(each.numa);
    if (each.numa_domains > 1) numa += "+" + std::to_string(each.numa_domains - 1);
    std::printf("%4zu  %4d  %4d  %5d  %4s  %s\n", unit, each.node, each.host, each.cores,
                numa.c_str(), each.processors.to_string().c_str());
  }
}

/// Whether a launcher of any MPI started this process. The runtime then warns of a launcher of another MPI.
bool started_by_launcher() {
  const char* const tasks = std::getenv("SLURM_STEP_NUM_TASKS");
  if (tasks != nullptr && std::atoi(tasks) > 1 && dash::dart::is_task_of_srun()) return true;
  for (const char* variable : {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_SIZE"}) {
    if (std::getenv(variable) != nullptr) return true;
  }
  return false;
}

void print_without_mpi() {
  dash::core::load_settings(dash::core::tuned_machine(dash::dart::mpi_library()));
  print_versions();
  print_machine(dash::core::Topology::load());
  print_limits("Limits of this process and its host", dash::tools::process_limits());
  print_settings();
}

void print_as_unit(int* argc, char*** argv, bool measures_progress) {
  // Before dart_init, which binds this thread to some of the processors.
  const auto topology = dash::core::Topology::load();
  if (dart_init(argc, argv) != DART_OK) throw std::runtime_error(dart_last_error());
  dart_global_unit_t unit;
  dart_myid(&unit);
  if (measures_progress) {
    const std::string report = dash::tools::measure_progress();
    if (unit.id == 0) {
      print_versions();
      print_units();
      std::printf("\n%s", report.c_str());
    }
  } else {
    const dash::tools::ProcessLimits limits = smallest_limits();
    if (unit.id == 0) {
      print_versions();
      print_machine(topology);
      print_units();
      print_limits(
          "Limits: locked memory and /dev/shm, the smallest of all units; the others of unit 0",
          limits);
      print_settings();
    }
  }
  if (dart_exit() != DART_OK) throw std::runtime_error(dart_last_error());
}

}  // namespace

constexpr const char* usage =
    "usage: dash-info\n"
    "       dashrun -n <units> dash-info [--progress]\n"
    "Prints the versions of the libraries, the hardware as the library sees it, the limits of the "
    "system,\n"
    "and all settings with their values and meanings. Started by mpiexec or dashrun, prints the "
    "placement of\n"
    "the units, too.\n"
    "With --progress, measures for about two seconds what the progress thread costs, and how much\n"
    "communication it hides.\n";

int main(int argc, char** argv) {
  const bool measures_progress = argc == 2 && std::strcmp(argv[1], "--progress") == 0;
  if (argc > 1 && !measures_progress) {
    const bool help =
        argc == 2 && (std::strcmp(argv[1], "--help") == 0 || std::strcmp(argv[1], "-h") == 0);
    if (!help)
      std::fprintf(stderr, "dash-info: '%s': expected --progress, --help or no argument\n",
                   argc > 2 && std::strcmp(argv[1], "--progress") == 0 ? argv[2] : argv[1]);
    std::fputs(usage, help ? stdout : stderr);
    return help ? 0 : 1;
  }
  try {
    if (started_by_launcher()) {
      print_as_unit(&argc, &argv, measures_progress);
    } else if (measures_progress) {
      throw std::runtime_error("--progress needs units: dashrun -n 2 dash-info --progress");
    } else {
      print_without_mpi();
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "dash-info: %s\n", error.what());
    return 1;
  }
}
