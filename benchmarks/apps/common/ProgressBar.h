#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace apps {

/// A bar on the terminal that shows how far a loop has come, drawn at most ten times a second. It
/// draws nothing when nobody would see it: when standard error, or that of the mpiexec above this
/// process, is no terminal.
class ProgressBar {
 public:
  /// \param what     is counted
  /// \param visible  false on all units but one
  ProgressBar(long total, std::string what, bool visible);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// \cost a look at the clock
  void show(long done) {
    if (_width > 0 && Clock::now() >= _next) draw(done);
  }

 private:
  using Clock = std::chrono::steady_clock;

  void draw(long done);

  long _total;
  std::string _what;
  std::size_t _width = 0;  // of the terminal; 0: draw nothing
  Clock::time_point _next;
  bool _drawn = false;
};

/// The text of a bar \p width characters wide: "[#####.....]  50 % of 200 steps".
std::string bar_text(long done, long total, std::string_view what, std::size_t width);

}  // namespace apps
