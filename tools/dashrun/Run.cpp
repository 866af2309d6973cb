#include "Run.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <vector>

namespace dash::run {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int code_of_timeout = 124;
constexpr int code_of_failure = 125;
constexpr std::chrono::seconds grace{5};

/// Replaces this process by the command. Ends it if this is not possible.
[[noreturn]] void execute(const Command& command) {
  for (const std::string& variable : command.environment) {
    const std::size_t equals = variable.find('=');
    ::setenv(variable.substr(0, equals).c_str(), variable.substr(equals + 1).c_str(), 1);
  }
  std::vector<char*> arguments;
  for (const std::string& word : command.arguments)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments.front(), arguments.data());
  std::fprintf(stderr, "dashrun: cannot execute '%s': %s\n", arguments.front(),
               std::strerror(errno));
  ::_exit(code_of_failure);
}

sigset_t observed_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2})
    sigaddset(&set, signal);
  return set;
}

bool ends_programs(int signal) {
  return signal == SIGHUP || signal == SIGINT || signal == SIGQUIT || signal == SIGTERM;
}

/// The process that starts the units, mpiexec or srun.
class Launcher {
 public:
  /// \param signals  blocked in the caller
  Launcher(pid_t process, const sigset_t& signals) : _process(process), _signals(signals) {}

  /// Waits until the process has ended or the deadline has passed, and forwards signals to the
  /// process.
  /// \returns whether it has ended
  bool wait_until(Clock::time_point deadline) {
    while (::waitpid(_process, &_status, WNOHANG) == 0) {
      const auto left =
          std::chrono::duration_cast<std::chrono::nanoseconds>(deadline - Clock::now());
      if (left.count() <= 0) return false;
      const timespec time{left.count() / 1'000'000'000, left.count() % 1'000'000'000};
      siginfo_t info{};
      const int signal = ::sigtimedwait(&_signals, &info, &time);
      if (ends_programs(signal)) _signal = signal;
      // The process has received a signal of the terminal already.
      if (signal > 0 && signal != SIGCHLD && info.si_code != SI_KERNEL) ::kill(_process, signal);
    }
    return true;
  }

  /// Terminates the process, which terminates the units. Uses stronger signals if they do not end.
  void terminate() {
    ::kill(_process, SIGTERM);
    if (wait_until(Clock::now() + grace)) return;
    // hydra and srun kill all units after two interrupts within a second.
    ::kill(_process, SIGINT);
    ::usleep(200'000);
    ::kill(_process, SIGINT);
    if (wait_until(Clock::now() + grace)) return;
    ::kill(_process, SIGKILL);
    wait_until(Clock::time_point::max());
  }

  /// The last signal that this process has received to end the program; 0 if none.
  int received_signal() const noexcept { return _signal; }

  /// \pre the process has ended
  int exit_code() const {
    if (WIFSIGNALED(_status)) return 128 + WTERMSIG(_status);
    // After a signal, hydra sometimes reports success.
    if (WEXITSTATUS(_status) == 0 && _signal != 0) return 128 + _signal;
    return WEXITSTATUS(_status);
  }

 private:
  pid_t _process;
  sigset_t _signals;
  int _status = 0;
  int _signal = 0;
};

/// Kills the processes that the launcher has left behind, which are now children of this process.
void kill_orphans() {
  for (;;) {
    std::ifstream children(fmt::format("/proc/self/task/{}/children", ::getpid()));
    bool has_child = false;
    for (pid_t child = 0; children >> child; has_child = true)
      ::kill(child, SIGKILL);
    if (!has_child) return;
    while (::waitpid(-1, nullptr, 0) > 0) {
    }
  }
}

}  // namespace

int run(const Command& command, int timeout_s, const std::string& program) {
  const Clock::time_point deadline =
      timeout_s == 0 ? Clock::time_point::max() : Clock::now() + std::chrono::seconds(timeout_s);
  // If a parent has ignored this signal, the system reports neither the end nor the exit code of the launcher.
  ::signal(SIGCHLD, SIG_DFL);
  const sigset_t signals = observed_signals();
  sigset_t before;
  ::sigprocmask(SIG_BLOCK, &signals, &before);
  // Processes whose parents end become children of this process, so that it can kill them.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t process = ::fork();
  if (process < 0) throw Error(fmt::format("cannot create a process: {}", std::strerror(errno)));
  if (process == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    execute(command);
  }
  Launcher launcher(process, signals);
  if (launcher.wait_until(deadline)) {
    if (launcher.received_signal() != 0) kill_orphans();
    return launcher.exit_code();
  }
  std::fprintf(stderr, "dashrun: '%s' has run for %d s, the limit of --timeout; it is terminated\n",
               program.c_str(), timeout_s);
  launcher.terminate();
  kill_orphans();
  return code_of_timeout;
}

}  // namespace dash::run
