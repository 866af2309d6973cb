#include "common/ProgressBar.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <string_view>
#include <utility>

namespace apps {
namespace {

constexpr std::size_t usual_width = 80;
constexpr auto interval = std::chrono::milliseconds(100);

// Columns of the terminal that a file descriptor refers to; 0 if it is not a terminal.
std::size_t terminal_width(int descriptor) {
  if (::isatty(descriptor) == 0) return 0;
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return usual_width;
  return size.ws_col;
}

struct Process {
  std::string name;
  long parent = 0;
};

// Reads "pid (name) state parent ..." from /proc. The name may contain spaces and parentheses.
Process read_process(long pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string line;
  std::getline(file, line);
  const auto open = line.find('(');
  const auto close = line.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close + 4 > line.size()) return {};
  return {line.substr(open + 1, close - open - 1),
          std::strtol(line.c_str() + close + 4, nullptr, 10)};
}

bool is_launcher(std::string_view name) {
  static constexpr std::array<std::string_view, 4> launchers{"mpiexec", "mpirun", "srun",
                                                             "orterun"};
  return std::any_of(launchers.begin(), launchers.end(),
                     [&](std::string_view launcher) { return name.starts_with(launcher); });
}

// The standard error of a process under mpiexec is a pipe, which mpiexec forwards. So if it is not
// a terminal, use that of the launcher among the parent processes.
std::size_t width_for_standard_error() {
  if (const auto width = terminal_width(STDERR_FILENO); width > 0) return width;
  long pid = ::getppid();
  for (int generation = 0; generation < 6 && pid > 1; ++generation) {
    const auto process = read_process(pid);
    if (is_launcher(process.name)) {
      const int descriptor = ::open(fmt::format("/proc/{}/fd/2", pid).c_str(),
                                    O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
      if (descriptor < 0) return 0;
      const auto width = terminal_width(descriptor);
      ::close(descriptor);
      return width;
    }
    pid = process.parent;
  }
  return 0;
}

}  // namespace

std::string bar_text(long done, long total, std::string_view unit, std::size_t width) {
  const auto percent = total > 0 ? 100 * done / total : 100;
  const auto label = fmt::format(" {:3} % of {} {}", percent, total, unit);
  const std::size_t length =
      width > label.size() + 3 ? std::min<std::size_t>(width - label.size() - 3, 60) : 0;
  if (length < 5) return label;
  const auto filled = length * static_cast<std::size_t>(percent) / 100;
  return fmt::format("[{:#<{}}{:.<{}}]{}", "", filled, "", length - filled, label);
}

ProgressBar::ProgressBar(long total, std::string unit, bool visible)
    : _total(total),
      _unit(std::move(unit)),
      _width(visible ? width_for_standard_error() : 0),
      _next(Clock::now() + interval) {}

ProgressBar::~ProgressBar() {
  if (!_drawn) return;
  // Clear the line for the output that follows.
  fmt::print(stderr, "\r{:{}}\r", "", std::min<std::size_t>(_width - 1, 100));
  std::fflush(stderr);
}

void ProgressBar::draw(long done) {
  fmt::print(stderr, "\r{}", bar_text(done, _total, _unit, _width - 1));
  std::fflush(stderr);
  _drawn = true;
  _next = Clock::now() + interval;
}

}  // namespace apps
