// dash-test: serial main=own timeout=240

// MPICH before 4.2 often hangs in MPI_Finalize over TCP with three or more processes. Whether it hangs or
// not, the program must end soon and with its exit code. The program starts itself under mpiexec.

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "dash/dart/MpiLibrary.h"
#include "dash/dart/if/dart.h"

namespace {

/// A unit: communicates with all units, calls dart_exit, prints a line, and returns its exit code.
int run_unit(int code) {
  dart_global_unit_t me;
  size_t units = 0;
  if (dart_init(nullptr, nullptr) != DART_OK || dart_myid(&me) != DART_OK ||
      dart_size(&units) != DART_OK) {
    return 90;
  }
  dart_gptr_t base;
  int sum = me.id;
  if (dart_team_memalloc_aligned(DART_TEAM_ALL, 1, DART_TYPE_INT, &base) != DART_OK) return 91;
  for (size_t unit = 0; unit < units; ++unit) {
    dart_gptr_t other = base;
    other.unitid = static_cast<int>(unit);
    int value = -1;
    if (dart_get_blocking(&value, other, 1, DART_TYPE_INT, DART_TYPE_INT) != DART_OK) return 92;
    sum += value;
  }
  if (dart_exit() != DART_OK || dart_initialized()) return 93;
  if (dart_init(nullptr, nullptr) != DART_ERR_OTHER) return 94;
  std::printf("unit %d has finished %d\n", me.id, sum);
  return code;
}

/// Whether a job of four units ends with the exit code and the output of all units. Open MPI ends the other
/// units when one has failed, so that their output may be missing.
bool job_ends_with(const std::string& program, int code) {
  const std::string command =
      "MPIR_CVAR_NOLOCAL=1 UCX_TLS=tcp,self DART_FINALIZE_TIMEOUT_S=1 timeout 60 "
      "${DASH_TEST_MPIEXEC:-mpiexec} -n 4 " +
      program + " " + std::to_string(code) + " 2>&1";
  FILE* const output = ::popen(command.c_str(), "r");
  if (output == nullptr) return false;
  std::string text;
  char line[512];
  while (std::fgets(line, sizeof line, output) != nullptr)
    text += line;
  const int status = ::pclose(output);
  bool good = WIFEXITED(status) && WEXITSTATUS(status) == code;
  const bool complete = code == 0 || dash::dart::mpi_library().starts_with("MPICH");
  for (int id = 0; complete && id < 4; ++id) {
    good = good && text.find("unit " + std::to_string(id) + " has finished") != std::string::npos;
  }
  const bool hung = text.find("DART_FINALIZE_TIMEOUT_S") != std::string::npos;
  std::printf("code %d: %s%s\n", code, hung ? "MPI_Finalize hung" : "MPI_Finalize returned",
              good ? "" : ", and the job did not end as expected");
  if (!good) std::printf("status %d, output:\n%s\n", status, text.c_str());
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) return run_unit(std::atoi(argv[1]));
  bool good = true;
  for (int i = 0; i < 2; ++i)
    good = job_ends_with(argv[0], 0) && job_ends_with(argv[0], 7) && good;
  return good ? 0 : 1;
}
