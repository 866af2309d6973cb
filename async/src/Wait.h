#pragma once

#include <cstdint>

#include "dash/core/Clock.h"
#include "dash/core/Statistics.h"
#include "dash/core/Trace.h"

namespace dash::exec {

/// A wait, from the first look that finds it is one to its end: what the timeline and the statistics
/// say of it.
class Wait {
 public:
  explicit Wait(const char* name) noexcept
      : _span(core::TraceKind::wait, name), _begin_ns(core::counting() ? core::now_ns() : 0) {}
  ~Wait() {
    if (_begin_ns != 0) [[unlikely]]
      count();
  }
  Wait(const Wait&) = delete;
  Wait& operator=(const Wait&) = delete;

  /// The caller has found something to do.
  void helps() noexcept {
    if (_how == core::Counter::waits_spun) _how = core::Counter::waits_helped;
  }
  void sleeps() noexcept { _how = core::Counter::waits_slept; }
  /// It was a job, whose thread ran others; the scheduler counts it.
  void set_aside() noexcept { _begin_ns = 0; }

 private:
  void count() const noexcept {
    core::count(_how);
    core::count(core::Counter::wait_ns, core::now_ns() - _begin_ns);
  }

  core::TraceSpan _span;
  std::uint64_t _begin_ns;
  core::Counter _how = core::Counter::waits_spun;
};

}  // namespace dash::exec
