// dash-test: serial main=own timeout=120

// A unit that exits without dart_exit ends the job and reports its number; the other units do not wait for
// it. The program starts itself under mpiexec.

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "dash/dart/if/dart.h"

namespace {

int run_unit() {
  dart_global_unit_t unit;
  if (dart_init(nullptr, nullptr) != DART_OK || dart_myid(&unit) != DART_OK) return 90;
  if (unit.id == 1) std::exit(3);
  dart_barrier(DART_TEAM_ALL);
  return dart_exit() == DART_OK ? 0 : 91;
}

/// Whether a job ends in time, with an error and a line that names the unit.
bool fails_and_names_unit(const std::string& program, const char* layout) {
  const std::string command = std::string("env ") + layout +
                              " timeout 50 ${DASH_TEST_MPIEXEC:-mpiexec} -n 2 " + program +
                              " unit 2>&1";
  FILE* const output = ::popen(command.c_str(), "r");
  if (output == nullptr) return false;
  std::string text;
  char line[512];
  while (std::fgets(line, sizeof line, output) != nullptr)
    text += line;
  const int status = ::pclose(output);
  const bool named = text.find("unit 1 exits without dart_exit") != std::string::npos;
  const bool failed = WIFEXITED(status) && WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 124;
  if (!named || !failed) std::printf("%s: status %d, output:\n%s\n", layout, status, text.c_str());
  return named && failed;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "unit") == 0) return run_unit();
  const bool node = fails_and_names_unit(argv[0], "MPIR_CVAR_NOLOCAL=0");
  const bool nodes = fails_and_names_unit(argv[0], "MPIR_CVAR_NOLOCAL=1");
  return node && nodes ? 0 : 1;
}
