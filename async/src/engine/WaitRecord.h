#pragma once

#include <cstdint>
#include <optional>

#include "base/WaitName.h"
#include "dash/async/Executor.h"
#include "dash/async/Watch.h"
#include "dash/core/Clock.h"
#include "dash/core/Statistics.h"
#include "dash/core/Trace.h"

namespace dash::exec {

/// Records a wait for the timeline, the statistics and the watchdog, from the first check that finds its
/// condition false to its end.
class WaitRecord {
 public:
  explicit WaitRecord(const char* name) noexcept
      : _span(core::TraceKind::wait, core::tracing() ? name_of_wait(name) : name),
        _begin_ns(core::counting() || watchdog_enabled() ? core::now_ns() : 0) {}
  ~WaitRecord() {
    if (_begin_ns != 0 && _counted) [[unlikely]]
      count();
  }
  WaitRecord(const WaitRecord&) = delete;
  WaitRecord& operator=(const WaitRecord&) = delete;

  /// The caller has made progress.
  void helped() noexcept {
    if (_how == core::Counter::waits_spun) _how = core::Counter::waits_helped;
    if (watchdog_enabled()) [[unlikely]]
      spins(core::now_ns());
  }
  /// The caller still spins at this time.
  void spins(std::uint64_t now_ns) noexcept {
    if (_first_spin_ns == 0) _first_spin_ns = now_ns;
    _last_spin_ns = now_ns;
    if (watchdog_enabled() && now_ns - _begin_ns > long_spin_ns) [[unlikely]]
      watch();
  }
  /// The caller is about to sleep.
  void sleeps() noexcept {
    _how = core::Counter::waits_slept;
    if (watchdog_enabled()) [[unlikely]]
      watch();
  }
  /// Whether the wait was short. Callers whose waits are short usually wait again soon.
  bool was_short() const noexcept {
    return _how != core::Counter::waits_slept && _last_spin_ns - _first_spin_ns < short_ns;
  }
  /// The caller was a job and has been suspended; the scheduler counts the wait.
  void suspended() noexcept { _counted = false; }

 private:
  /// Waits that spin are registered with the watchdog only after this time.
  static constexpr std::uint64_t long_spin_ns = 10'000'000;
  static constexpr std::uint64_t short_ns = 100'000;

  void watch() noexcept {
    if (_begin_ns != 0 && !_watched) _watched.emplace(_begin_ns, in_job());
  }
  void count() const noexcept {
    core::count(_how);
    core::count(core::Counter::wait_ns, core::now_ns() - _begin_ns);
  }

  core::TraceSpan _span;
  std::uint64_t _begin_ns;
  std::uint64_t _first_spin_ns = 0;
  std::uint64_t _last_spin_ns = 0;
  core::Counter _how = core::Counter::waits_spun;
  bool _counted = true;
  std::optional<WatchedWait> _watched;
};

}  // namespace dash::exec
