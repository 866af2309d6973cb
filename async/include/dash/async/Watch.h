#pragma once

/// \file
/// What a watchdog looks at: who waits for what, since when, and from where (DART_WATCHDOG_S).

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

class State;

extern DASH_API std::atomic<bool> watching_on;

/// Whether anybody watches. \cost one load
inline bool watching() noexcept {
  return watching_on.load(std::memory_order_relaxed);
}

/// Whether anybody looks at what threads do, or waits are named in a timeline. \cost two loads
inline bool noting() noexcept {
  return watching() || core::tracing();
}

/// Says for its lifetime what the calling thread, or the job that it runs, is doing.
/// \pre destroyed in the reverse order of construction, by the same thread or job
/// \cost two loads and a branch, if nobody watches, and no timeline is recorded
class DASH_API Activity {
 public:
  enum class Kind : std::uint8_t {
    call,       ///< of the interface: where the library is entered
    purpose,    ///< what it then waits for, if it does
    operation,  ///< a state that is waited for, which knows what it stands for
    user_code,  ///< called by the library: nothing further out concerns what waits in there
    service     ///< the library's own, which waits for as long as there is nothing to do
  };

  // Nothing is stored otherwise.
  Activity(Kind kind, const char* format, long a = 0, long b = 0, long c = 0) noexcept {
    if (noting()) [[unlikely]]
      enter(kind, {format, {a, b, c}}, nullptr);
  }
  explicit Activity(const State& state) noexcept {
    if (noting()) [[unlikely]]
      enter(Kind::operation, {}, &state);
  }
  ~Activity() {
    if (_entered) [[unlikely]]
      leave();
  }
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;

  /// Exchanges what the calling thread does, when it leaves or takes up a job.
  static Activity* exchange(Activity* other) noexcept;
  static const Activity* innermost() noexcept;

  Kind kind() const noexcept { return _kind; }
  Label label() const noexcept;
  const Activity* outer() const noexcept { return _outer; }

 private:
  void enter(Kind kind, const Label& label, const State* state) noexcept;
  void leave() noexcept;

  bool _entered = false;
  Kind _kind;  // this and what follows: if entered
  const State* _state;
  Activity* _outer;
  const char* _format;
  std::array<long, 3> _numbers;
};

/// What the caller is about to wait for, for whatever it calls to get there.
class Purpose : public Activity {
 public:
  /// \param format  of fmt, for the numbers, of which there are up to three
  template <class... Numbers>
  explicit Purpose(const char* format, Numbers... numbers) noexcept
      : Activity(Kind::purpose, format, static_cast<long>(numbers)...) {}
};

/// A wait that a watchdog sees, from here to the end of the block.
/// \cost some microseconds: made when the caller is about to sleep, and somebody watches
class DASH_API WatchedWait {
 public:
  /// \param begin_ns  when the wait began
  explicit WatchedWait(std::uint64_t begin_ns) noexcept;
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

/// A wait as it was when somebody looked.
struct WaitReport {
  std::uint64_t since_ns = 0;
  std::string what;  ///< for which it waits
  std::string call;  ///< of the library; empty if it is not known
  int thread = 0;    ///< id that the system gives it, of a job where it began to wait
  bool in_job = false;
  std::vector<void*> stack;  ///< return addresses, innermost first
};

/// The last call of the library's interface, by whichever thread.
struct LastCall {
  const char* name = nullptr;  ///< null if there was none
  std::uint64_t at_ns = 0;     ///< of its begin, or of its end
  bool inside = false;         ///< a thread is in it, or in another one
};

/// All waits of this unit.
class DASH_API Watch {
 public:
  /// \param patience_ns  a wait is overdue when it lasts that long, then when it lasts twice as long as
  ///                     at the last report
  /// \threads one at a time; none may wait
  static void start(std::uint64_t patience_ns) noexcept;
  static void stop() noexcept;

  /// Whether a wait is overdue. \threads any
  static bool any_overdue(std::uint64_t now_ns) noexcept;
  /// The waits of all threads and jobs, the longest first; those that are, or will soon be, overdue are
  /// not so again before they have lasted twice as long.
  /// \threads any
  static std::vector<WaitReport> report(std::uint64_t now_ns);
  static LastCall last_call() noexcept;
};

}  // namespace dash::exec
