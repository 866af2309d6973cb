#include "support/Process.h"

#include <fmt/core.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "ShellQuote.h"

namespace dash::bench {

namespace {

void append(std::string& text, const std::vector<std::string>& words) {
  for (const std::string& word : words)
    text += (text.empty() ? "" : " ") + tools::shell_quote(word);
}

/// The line for the shell. `timeout` keeps the command in the foreground process group, so that an
/// interrupt from the keyboard reaches all processes; `setpriv` terminates the command when this process
/// ends.
std::string shell_line(const Command& command) {
  std::vector<std::string> words{"exec", "setpriv", "--pdeathsig", "TERM"};
  if (command.limit_s > 0) {
    words.insert(words.end(),
                 {"timeout", "--foreground", "--kill-after=10", std::to_string(command.limit_s)});
  }
  words.emplace_back("env");
  words.insert(words.end(), command.environment.begin(), command.environment.end());
  words.insert(words.end(), command.words.begin(), command.words.end());
  std::string line;
  append(line, words);
  return line + " 2>&1 </dev/null";
}

}  // namespace

std::string Command::text() const {
  std::string text;
  append(text, environment);
  std::vector<std::string> without_folders;
  for (const std::string& word : words) {
    const std::filesystem::path path(word);
    without_folders.push_back(path.is_absolute() ? path.filename().string() : word);
  }
  append(text, without_folders);
  return text;
}

ProcessResult run(const Command& command, const std::function<void(std::string_view)>& on_output) {
  std::FILE* const pipe = ::popen(shell_line(command).c_str(), "r");
  if (pipe == nullptr) {
    throw std::runtime_error(
        fmt::format("cannot start {}: {}", command.text(), std::generic_category().message(errno)));
  }
  ProcessResult result;
  std::array<char, 4096> line;
  while (std::fgets(line.data(), static_cast<int>(line.size()), pipe) != nullptr) {
    result.output += line.data();
    if (on_output) on_output(line.data());
  }
  const int status = ::pclose(pipe);
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

std::vector<std::string> layout_environment(std::string_view layout, int units) {
  if (layout == "node") return {};
  // Without DART_NODE_UNITS, the units would be one node with Open MPI, which has no such variables. With MPICH it
  // divides no node further.
  if (layout == "cliques")
    return {fmt::format("DART_NODE_UNITS={}", (units + 1) / 2), "MPIR_CVAR_ODD_EVEN_CLIQUES=1"};
  std::vector<std::string> separate{"DART_NODE_UNITS=1", "MPIR_CVAR_NOLOCAL=1"};
  if (layout == "nolocal") return separate;
  if (layout == "tcp") {
    separate.insert(separate.end(),
                    {"UCX_TLS=tcp,self", "OMPI_MCA_pml=ob1", "OMPI_MCA_btl=tcp,self"});
    return separate;
  }
  throw std::invalid_argument(
      fmt::format("unknown layout '{}': expected node, cliques, nolocal or tcp", layout));
}

Command command_of_units(int units, std::string_view layout,
                         const std::vector<std::string>& words) {
  if (units < 1)
    throw std::invalid_argument(fmt::format("{} units: at least one is needed", units));
  Command command{{DASH_BENCH_MPIEXEC, "-n", std::to_string(units)},
                  layout_environment(layout, units)};
  command.words.insert(command.words.end(), words.begin(), words.end());
  return command;
}

std::string path_of_program(const std::string& program) {
  std::filesystem::path path = program;
  if (program.find('/') == std::string::npos) {
    path = std::filesystem::read_symlink("/proc/self/exe").replace_filename(program);
  }
  if (!std::filesystem::exists(path)) {
    throw std::runtime_error(
        fmt::format("{} does not exist: build the target '{}'", path.string(), program));
  }
  return path.string();
}

}  // namespace dash::bench
