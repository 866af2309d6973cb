// dash-test: serial main=own uses=mpi timeout=240

// When a unit is terminated in any way, the job ends soon, reports the unit, and leaves no process behind.
// The program starts itself under mpiexec.

#include <fcntl.h>
#include <mpi.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "dash/Init.h"
#include "dash/dart/if/dart.h"

namespace {

// --- Units of the job ----------------------------------------------------------------------------

[[gnu::noinline]] int overflow(int depth) {
  volatile char buffer[4096];
  buffer[depth % 4096] = static_cast<char>(depth);
  return depth < 0 ? 0 : overflow(depth + 1) + buffer[0];
}

void access_past_end_of_file() {
  char name[] = "/tmp/dash-crash-XXXXXX";
  const int file = ::mkstemp(name);
  ::unlink(name);
  void* const page = ::mmap(nullptr, 4096, PROT_READ, MAP_SHARED, file, 0);
  std::printf("%d\n", *static_cast<volatile char*>(page));
}

void write_to_read_only_page() {
  void* const page = ::mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *static_cast<volatile char*>(page) = 1;
}

void application_handler(int) {
  const char text[] = "the application's handler\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, sizeof text - 1);
  ::_exit(9);
}

/// Forks a child that exits like any program while its parent continues.
bool fork_and_exit() {
  const pid_t child = ::fork();
  if (child == 0) std::exit(7);
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7;
}

/// Terminates the process that the launcher has started besides this unit and unit 0.
void terminate_progress_process(pid_t unit_0) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const pid_t process = std::atoi(entry.path().filename().c_str());
    pid_t parent = 0;
    std::ifstream file(entry.path() / "status");
    for (std::string line; std::getline(file, line);) {
      if (line.rfind("PPid:", 0) == 0) parent = std::atoi(line.c_str() + 5);
    }
    const bool is_unit = process == ::getpid() || process == unit_0;
    if (process > 0 && !is_unit && parent == ::getppid()) ::kill(process, SIGSEGV);
  }
}

/// One of the processes is not a unit, and receives no message.
void send_to_all_processes() {
  int processes = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  for (int rank = 0; rank < processes; ++rank)
    MPI_Send(&rank, 1, MPI_INT, rank, 17, MPI_COMM_WORLD);
}

void terminate_by(const std::string& how) {
  if (how == "segv") write_to_read_only_page();
  if (how == "bus") access_past_end_of_file();
  if (how == "fpe") std::raise(SIGFPE);
  if (how == "ill") __builtin_trap();
  if (how == "abort") std::abort();
  if (how == "term") ::kill(::getpid(), SIGTERM);
  if (how == "kill") ::kill(::getpid(), SIGKILL);
  if (how == "exception") throw std::runtime_error("it went wrong");
  if (how == "overflow") std::printf("%d\n", overflow(1));
  if (how == "handler" || how == "silent") ::kill(::getpid(), SIGTERM);
  if (how == "call") dart_abort(5);
  if (how == "dash") dash::abort();
  if (how == "dash-code") dash::abort(6);
  if (how == "message") send_to_all_processes();
}

int run_unit(const std::string& how) {
  dart_global_unit_t me;
  if (how == "handler") std::signal(SIGTERM, application_handler);
  if (dart_init(nullptr, nullptr) != DART_OK || dart_myid(&me) != DART_OK) return 90;
  if (me.id == 1 && how == "fork" && !fork_and_exit()) return 91;
  if (how == "progress") {
    pid_t unit_0 = ::getpid();
    dart_bcast(&unit_0, sizeof unit_0, DART_TYPE_BYTE, dart_team_unit_t{0}, DART_TEAM_ALL);
    if (me.id == 1) terminate_progress_process(unit_0);
  }
  if (me.id == 1 && how != "restored") terminate_by(how);
  dart_barrier(DART_TEAM_ALL);
  if (dart_exit() != DART_OK) return 92;
  if (how == "restored") {
    // The library's handlers are removed by dart_exit.
    struct sigaction action {};
    ::sigaction(SIGTERM, nullptr, &action);
    return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL ? 0 : 93;
  }
  return 0;
}

// --- Outcome of the job -------------------------------------------------------------------------

struct Outcome {
  int code = -1;
  std::string text;
};

/// An argument that identifies the processes started by this program, but not those of other tests.
std::string token() {
  return "crash-" + std::to_string(::getpid()) + "-";
}

Outcome run(const std::string& program, const std::string& how, const std::string& environment) {
  const std::string command = "env " + environment +
                              " timeout 100 ${DASH_TEST_MPIEXEC:-mpiexec} -n 3 " + program + " " +
                              how + " " + token() + " 2>&1";
  FILE* const output = ::popen(command.c_str(), "r");
  Outcome outcome;
  char line[512];
  while (output != nullptr && std::fgets(line, sizeof line, output) != nullptr)
    outcome.text += line;
  const int status = output != nullptr ? ::pclose(output) : -1;
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

/// Number of processes of the job that are still running after a grace period.
long processes_left() {
  const std::string job_token = token();
  long left = 0;
  for (int attempt = 0; attempt < 300; ++attempt) {
    left = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      std::ifstream file(entry.path() / "cmdline");
      std::stringstream text;
      text << file.rdbuf();
      left += text.str().find(job_token) != std::string::npos ? 1 : 0;
    }
    if (left == 0) break;
    ::usleep(100'000);
  }
  return left;
}

struct Case {
  std::string how;
  std::vector<std::string> expected_texts;
  bool fails = true;
  std::string forbidden_text = "";
  std::string environment = "";
};

bool passes(const std::string& program, const Case& expected) {
  const Outcome outcome = run(program, expected.how, expected.environment);
  bool good = outcome.code != 124 && (outcome.code != 0) == expected.fails;
  for (const std::string& part : expected.expected_texts)
    good = good && outcome.text.find(part) != std::string::npos;
  if (!expected.forbidden_text.empty()) {
    good = good && outcome.text.find(expected.forbidden_text) == std::string::npos;
  }
  const long left = processes_left();
  if (!good || left != 0) {
    std::printf("%s: code %d, %ld processes left, output:\n%s\n", expected.how.c_str(),
                outcome.code, left, outcome.text.c_str());
  }
  return good && left == 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2) return run_unit(argv[1]);
  const std::vector<Case> cases{
      {"segv", {"unit 1 of 3", "terminated by SIGSEGV", ", at 0x"}},
      {"bus", {"unit 1 of 3", "terminated by SIGBUS"}},
      {"fpe", {"unit 1 of 3", "terminated by SIGFPE"}},
      {"ill", {"unit 1 of 3", "terminated by SIGILL"}},
      {"abort", {"unit 1 of 3", "terminated by SIGABRT"}},
      {"term", {"unit 1 of 3", "terminated by SIGTERM"}},
      {"kill", {}},
      {"exception", {"unit 1 of 3", "uncaught exception: it went wrong"}, true, "SIGABRT"},
      {"overflow", {"unit 1 of 3", "terminated by SIGSEGV"}},
      {"handler", {"the application's handler"}, true, "terminated by"},
      {"silent", {}, true, "terminated by", "DART_SIGNALS=none"},
      {"call", {"unit 1 aborts the job with code 5"}},
      {"dash", {"unit 1 aborts the job with code " + std::to_string(DART_EXIT_ABORT)}},
      {"dash-code", {"unit 1 aborts the job with code 6"}},
      // The child has inherited memory that it does not free.
      {"fork", {}, false, "exits without", "ASAN_OPTIONS=detect_leaks=0"},
      {"restored", {}, false},
      {"segv", {"unit 1 of 3", "terminated by SIGSEGV"}, true, "", "MPIR_CVAR_NOLOCAL=1"},
      {"exception", {"unit 1 of 3"}, true, "", "MPIR_CVAR_NOLOCAL=1 DART_PROGRESS=thread"},
      {"progress",
       {"progress process of units 0 to 1", "terminated by SIGSEGV"},
       true,
       "",
       "DART_PROGRESS=ranks"},
      {"message",
       {"progress process of units 0 to 1", "has sent a message with tag 17 to this process",
        "dart_team_communicator"},
       true,
       "",
       "DART_PROGRESS=ranks"},
  };
  int failed = 0;
  for (const Case& each : cases)
    failed += passes(argv[0], each) ? 0 : 1;
  std::printf("%zu kinds of termination: %d failed\n", cases.size(), failed);
  return failed == 0 ? 0 : 1;
}
