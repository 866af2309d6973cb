#pragma once

#include <cstdint>
#include <optional>

#include "dash/async/Watch.h"
#include "dash/core/Clock.h"
#include "dash/core/Statistics.h"
#include "dash/core/Trace.h"

namespace dash::exec {

/// The name of a wait in the timeline: by what the caller says it waits for, if it says so.
const char* name_of_wait(const char* otherwise) noexcept;

/// A wait, from the first look that finds it is one to its end: what the timeline, the statistics and
/// a watchdog say of it.
class Wait {
 public:
  explicit Wait(const char* name) noexcept
      : _span(core::TraceKind::wait, core::tracing() ? name_of_wait(name) : name),
        _begin_ns(core::counting() || watching() ? core::now_ns() : 0) {}
  ~Wait() {
    if (_begin_ns != 0 && _counted) [[unlikely]]
      count();
  }
  Wait(const Wait&) = delete;
  Wait& operator=(const Wait&) = delete;

  /// The caller has found something to do.
  void helps() noexcept {
    if (_how == core::Counter::waits_spun) _how = core::Counter::waits_helped;
    if (watching()) [[unlikely]]
      spins(core::now_ns());
  }
  /// It still looks, without sleeping.
  void spins(std::uint64_t now_ns) noexcept {
    if (_first_look_ns == 0) _first_look_ns = now_ns;
    _last_look_ns = now_ns;
    if (watching() && now_ns - _begin_ns > long_spin_ns) [[unlikely]]
      watch();
  }
  void sleeps() noexcept {
    _how = core::Counter::waits_slept;
    if (watching()) [[unlikely]]
      watch();
  }
  /// Whether it has ended soon: whoever waits so waits again soon, mostly.
  bool was_short() const noexcept {
    return _how != core::Counter::waits_slept && _last_look_ns - _first_look_ns < short_ns;
  }
  /// It was a job, whose thread ran others; the scheduler counts it.
  void set_aside() noexcept { _counted = false; }

 private:
  /// A watchdog has to see waits that do not sleep, too, but not each of some microseconds.
  static constexpr std::uint64_t long_spin_ns = 10'000'000;
  static constexpr std::uint64_t short_ns = 100'000;

  void watch() noexcept {
    if (_begin_ns != 0 && !_watched) _watched.emplace(_begin_ns);
  }
  void count() const noexcept {
    core::count(_how);
    core::count(core::Counter::wait_ns, core::now_ns() - _begin_ns);
  }

  core::TraceSpan _span;
  std::uint64_t _begin_ns;
  std::uint64_t _first_look_ns = 0;
  std::uint64_t _last_look_ns = 0;
  core::Counter _how = core::Counter::waits_spun;
  bool _counted = true;
  std::optional<WatchedWait> _watched;
};

}  // namespace dash::exec
