#pragma once

/// \file
/// Record of the waits of this unit for the watchdog (DART_WATCHDOG_S): what each thread waits for, since
/// when, and from where.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "dash/async/Label.h"
#include "dash/core/Export.h"
#include "dash/core/Trace.h"

namespace dash::exec {

/// See watchdog_enabled(). Relaxed: publishes no data.
extern DASH_API std::atomic<bool> watchdog_on;

/// Whether the watchdog runs. \cost one load
inline bool watchdog_enabled() noexcept {
  return watchdog_on.load(std::memory_order_relaxed);
}

/// Whether the activities of threads are recorded: for the watchdog or for a timeline. \cost two loads
inline bool activities_recorded() noexcept {
  return watchdog_enabled() || core::tracing();
}

/// Describes, for its lifetime, what the calling thread, or the job that it runs, is doing.
/// \pre destroyed in the reverse order of construction, by the same thread or job
/// \cost two loads and a branch if activities are not recorded
class DASH_API Activity {
 public:
  enum class Kind : std::uint8_t {
    call,       ///< a call of the library's interface by the application
    purpose,    ///< what the call waits for, if it waits
    operation,  ///< the operation that a wait is for, which describes itself
    user_code,  ///< a function of the application that the library calls; hides the outer activities
    service     ///< a service loop of the library, which waits until it has work
  };

  // Stores nothing unless activities are recorded.
  Activity(Kind kind, const char* format, long a = 0, long b = 0, long c = 0) noexcept {
    if (activities_recorded()) [[unlikely]]
      enter(kind, {format, {a, b, c}}, nullptr);
  }
  explicit Activity(const Labeled& operation) noexcept {
    if (activities_recorded()) [[unlikely]]
      enter(Kind::operation, {}, &operation);
  }
  ~Activity() {
    if (_is_recorded) [[unlikely]]
      leave();
  }
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;

  /// Exchanges the innermost activity of the calling thread, when it switches to or from a job.
  static Activity* exchange(Activity* other) noexcept;
  static const Activity* innermost() noexcept;

  Kind kind() const noexcept { return _kind; }
  Label label() const noexcept;
  const Activity* outer() const noexcept { return _outer; }

 private:
  void enter(Kind kind, const Label& label, const Labeled* operation) noexcept;
  void leave() noexcept;

  bool _is_recorded = false;
  // The members below are valid if recorded.
  Kind _kind;
  const Labeled* _operation;
  Activity* _outer;
  const char* _format;
  std::array<long, 3> _numbers;
};

/// What the calls inside of the scope wait for, if they wait.
class Purpose : public Activity {
 public:
  /// \param format   fmt format for the numbers
  /// \param numbers  at most three
  template <class... Numbers>
  explicit Purpose(const char* format, Numbers... numbers) noexcept
      : Activity(Kind::purpose, format, static_cast<long>(numbers)...) {}
};

/// Registers a wait with the watchdog until the end of the scope.
/// \cost some microseconds; use it only if the watchdog runs, when the caller is about to sleep
class DASH_API WatchedWait {
 public:
  /// \param begin_ns  when the wait began
  /// \param in_job    whether a job waits, rather than a thread
  WatchedWait(std::uint64_t begin_ns, bool in_job) noexcept;
  ~WatchedWait();
  WatchedWait(const WatchedWait&) = delete;
  WatchedWait& operator=(const WatchedWait&) = delete;

 private:
  friend class Watch;
  static constexpr std::size_t max_frames = 32;

  WatchedWait* _next = nullptr;
  WatchedWait* _previous = nullptr;
  const Activity* _activity;
  std::uint64_t _begin_ns;
  std::uint64_t _due_ns;
  int _thread;
  bool _in_job;
  bool _is_service;
  std::size_t _nframes;
  std::array<void*, max_frames> _frames;
};

/// Snapshot of a wait.
struct WaitReport {
  std::uint64_t since_ns = 0;
  std::string what;  ///< what it waits for
  std::string call;  ///< the call of the library; empty if unknown
  int thread =
      0;  ///< id of the thread in the system; for a job, of the thread on which the wait began
  bool in_job = false;
  std::vector<void*> stack;  ///< return addresses, innermost first
};

/// The last call of the library's interface by any thread.
struct LastCall {
  const char* name = nullptr;  ///< null if there was none
  std::uint64_t at_ns = 0;     ///< when it began or, if it has returned, when it ended
  bool inside = false;         ///< a thread is inside of a call
};

/// All waits of this unit.
class DASH_API Watch {
 public:
  /// \param timeout_ns  a wait is overdue when it lasts that long, then when it lasts twice as long as
  ///                    at the last report
  /// \threads externally synchronized; no thread may wait
  static void start(std::uint64_t timeout_ns) noexcept;
  static void stop() noexcept;

  /// Whether a wait is overdue. \threads thread-safe
  static bool any_overdue(std::uint64_t now_ns) noexcept;
  /// The waits of all threads and jobs, the longest first. A reported wait that is overdue, or will be
  /// soon, is overdue again only after it has lasted twice as long.
  /// \threads thread-safe
  static std::vector<WaitReport> report(std::uint64_t now_ns);
  static LastCall last_call() noexcept;
};

}  // namespace dash::exec
