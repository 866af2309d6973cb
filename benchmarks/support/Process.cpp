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

void append_progress_mode(std::string_view mode, std::vector<std::string>& environment) {
  if (mode == "mpich-thread") {
    environment.insert(environment.end(), {"DART_PROGRESS=poll", "MPIR_CVAR_ASYNC_PROGRESS=1"});
    return;
  }
  if (mode != "auto") environment.push_back(fmt::format("DART_PROGRESS={}", mode));
}

int process_count(int units, std::string_view layout, std::string_view mode) {
  if (mode != "ranks") return units;
  const int nodes = layout == "node" ? 1 : layout == "cliques" ? 2 : units;
  return units + nodes;
}

Command command_of_units(int units, std::string_view layout, std::string_view mode,
                         const std::vector<std::string>& words) {
  if (units < 1)
    throw std::invalid_argument(fmt::format("{} units: at least one is needed", units));
  const int processes = process_count(units, layout, mode);
  const bool is_possible = layout == "node" || (layout == "cliques" && units % 2 == 0) ||
                           (layout == "nolocal" && units == 2);
  if (mode == "ranks" && !is_possible) {
    throw std::invalid_argument(fmt::format(
        "{} units, {}, with progress processes: expected one node, cliques with an even "
        "number of units, or nolocal with two",
        units, layout));
  }
  // Two cliques of one unit and one progress process each.
  const bool uses_cliques = mode == "ranks" && layout == "nolocal";
  Command command{{DASH_BENCH_MPIEXEC, "-n", std::to_string(processes)},
                  layout_environment(uses_cliques ? "cliques" : layout, units)};
  append_progress_mode(mode, command.environment);
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
