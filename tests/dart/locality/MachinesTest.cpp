// dash-test: serial main=own timeout=120

// Programs on simulated machines, which variables of hwloc describe, and with restricted processor masks. The
// program starts itself under mpiexec.

#include <sched.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>

#include "dash/core/Topology.h"
#include "dash/dart/if/dart.h"
#include "dash/dart/if/dart_locality.h"

namespace {

constexpr const char* synthetic_machine = "package:2 numa:4 core:8 pu:1";

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition, dart_last_error()); \
      dart_abort(1);                                                                               \
    }                                                                                              \
  } while (false)

int count(const dart_domain_locality_t* domain, dart_locality_scope_t scope) {
  int n = 0;
  dart_domain_locality_t** domains = nullptr;
  dart_domain_scope_domains(domain, scope, &n, &domains);
  std::free(domains);
  return n;
}

dart_domain_locality_t* root() {
  dart_domain_locality_t* domain = nullptr;
  CHECK(dart_domain_team_locality(DART_TEAM_ALL, ".", &domain) == DART_OK);
  return domain;
}

/// Four units on a simulated machine with 2 packages, 8 NUMA domains and 64 cores.
void check_simulated_machine(int nodes) {
  const dart_domain_locality_t* const all = root();
  CHECK(all->num_nodes == nodes);
  CHECK(all->num_cores == 64);
  CHECK(count(all, DART_LOCALITY_SCOPE_NUMA) == 4);
  CHECK(count(all, DART_LOCALITY_SCOPE_CORE) == 64);
  for (int unit = 0; unit < 4; ++unit) {
    dart_unit_locality_t* locality = nullptr;
    CHECK(dart_unit_locality(DART_TEAM_ALL, unit, &locality) == DART_OK);
    CHECK(locality->hwinfo.num_cores == 16);
    CHECK(locality->hwinfo.num_numa == 2);
    CHECK(locality->hwinfo.num_sockets == 1);
    CHECK(locality->hwinfo.numa_id == 2 * unit);
    CHECK(locality->hwinfo.core_id == 16 * unit);
  }
}

/// All units may use the same single processor and share its core.
void check_one_processor() {
  cpu_set_t mask;
  CHECK(sched_getaffinity(0, sizeof mask, &mask) == 0);
  CHECK(CPU_COUNT(&mask) == 1);
  CHECK(root()->num_cores == 1);
  size_t units = 0;
  CHECK(dart_size(&units) == DART_OK);
  for (int unit = 0; unit < static_cast<int>(units); ++unit) {
    dart_unit_locality_t* locality = nullptr;
    CHECK(dart_unit_locality(DART_TEAM_ALL, unit, &locality) == DART_OK);
    CHECK(locality->hwinfo.num_cores == 1);
    CHECK(CPU_ISSET(static_cast<size_t>(locality->hwinfo.cpu_id), &mask));
  }
}

/// Restricts this process, and programs that it starts later, to one processor.
bool restrict_to_one_processor() {
  cpu_set_t mask;
  if (sched_getaffinity(0, sizeof mask, &mask) != 0) return false;
  size_t cpu = 0;
  while (!CPU_ISSET(cpu, &mask))
    ++cpu;
  CPU_ZERO(&mask);
  CPU_SET(cpu, &mask);
  return sched_setaffinity(0, sizeof mask, &mask) == 0;
}

/// Number of cores that this process may use.
int allowed_cores() {
  const auto machine = dash::core::Topology::load();
  std::set<int> cores;
  for (const dash::core::Processor& processor : machine.processors()) {
    if (machine.allowed().test(processor.os_index)) cores.insert(processor.core);
  }
  return static_cast<int>(cores.size());
}

/// Unit 0 has one processor, unit 1 the mask of the machine; no other unit shares their masks.
void check_different_masks(int my_cores) {
  dart_global_unit_t me;
  CHECK(dart_myid(&me) == DART_OK);
  dart_unit_locality_t* locality = nullptr;
  CHECK(dart_unit_locality(DART_TEAM_ALL, me.id, &locality) == DART_OK);
  CHECK(locality->hwinfo.num_cores == my_cores);
  int most = 0;
  CHECK(dart_allreduce(&my_cores, &most, 1, DART_TYPE_INT, DART_OP_MAX, DART_TEAM_ALL) == DART_OK);
  CHECK(root()->num_cores == most);  // the core of unit 0 is also one of unit 1
  if (me.id == 0) CHECK(my_cores == 1);
}

int run(const char* scenario) {
  const bool different = std::strcmp(scenario, "different-masks") == 0;
  const char* const pmi_rank = std::getenv("PMI_RANK");
  const char* const rank = pmi_rank != nullptr ? pmi_rank : std::getenv("OMPI_COMM_WORLD_RANK");
  if (different && rank != nullptr && std::atoi(rank) == 0 && !restrict_to_one_processor())
    return 1;
  const int my_cores = allowed_cores();

  if (dart_init(nullptr, nullptr) != DART_OK) {
    std::fprintf(stderr, "dart_init: %s\n", dart_last_error());
    return 1;
  }
  if (std::strcmp(scenario, "simulated") == 0) check_simulated_machine(1);
  if (std::strcmp(scenario, "simulated-nodes") == 0) check_simulated_machine(4);
  if (std::strcmp(scenario, "one-processor") == 0) check_one_processor();
  if (different) check_different_masks(my_cores);
  CHECK(dart_barrier(DART_TEAM_ALL) == DART_OK);
  return dart_exit() == DART_OK ? 0 : 1;
}

bool passes(const std::string& command) {
  const int status = std::system(command.c_str());
  const bool passed = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  std::printf("%s: %s\n", passed ? "passed" : "FAILED", command.c_str());
  return passed;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) return run(argv[1]);
  const std::string program = argv[0];
  const std::string mpiexec = "${DASH_TEST_MPIEXEC:-mpiexec} ";
  const std::string machine =
      std::string("env HWLOC_SYNTHETIC='") + synthetic_machine + "' HWLOC_THISSYSTEM=0 ";
  bool passed = passes(machine + mpiexec + "-n 4 " + program + " simulated");
  passed &= passes(machine + "MPIR_CVAR_NOLOCAL=1 DART_NODE_UNITS=1 " + mpiexec + "-n 4 " +
                   program + " simulated-nodes");
  passed &= passes(mpiexec + "-n 2 " + program + " different-masks");
  passed &= restrict_to_one_processor();
  passed &= passes(mpiexec + "-n 1 " + program + " one-processor");
  passed &= passes(mpiexec + "-n 3 " + program + " one-processor");
  return passed ? 0 : 1;
}
