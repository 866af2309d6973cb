#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace apps {

/// A progress bar on the terminal, redrawn at most ten times a second. It draws nothing if neither
/// standard error nor that of the mpiexec that started this process is a terminal.
class ProgressBar {
 public:
  /// \param unit     name of the counted items: "steps"
  /// \param visible  false on all units but one
  ProgressBar(long total, std::string unit, bool visible);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// \cost reads the clock
  void show(long done) {
    if (_width > 0 && Clock::now() >= _next) draw(done);
  }

 private:
  using Clock = std::chrono::steady_clock;

  void draw(long done);

  long _total;
  std::string _unit;
  std::size_t _width = 0;  // of the terminal; 0: draw nothing
  Clock::time_point _next;
  bool _drawn = false;
};

/// The text of a bar \p width characters wide: "[#####.....]  50 % of 200 steps".
std::string bar_text(long done, long total, std::string_view unit, std::size_t width);

}  // namespace apps
