#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

#include "dash/core/Clock.h"
#include "dash/core/Export.h"

namespace dash::core {

/// Kinds of events of the timeline.
enum class TraceKind : std::uint8_t {
  call,        ///< a call of the C interface
  wait,        ///< a wait of a thread
  operation,   ///< a transfer between units; on a thread if the caller waits for it
  collective,  ///< a collective operation; on a thread if the caller waits for it
  copy,        ///< an asynchronous copy on the node, or one chunk of it
  progress,    ///< a poll that made progress; a sleep of the progress thread
  task         ///< user code: tasks, continuations, chunks; the suspension of a task
};

/// See tracing(). Relaxed: publishes no data. The lock of a buffer orders its events.
extern DASH_API std::atomic<bool> trace_on;

/// Whether a timeline is recorded. \cost one load
inline bool tracing() noexcept {
  return trace_on.load(std::memory_order_relaxed);
}

/// Starts recording; discards earlier events. \threads no thread may record during the call
DASH_API void start_trace();
/// \threads no thread may record during the call
DASH_API void stop_trace() noexcept;

/// The value of `peer` for events without a peer.
inline constexpr int no_peer = -1;

/// Records a span of the calling thread, or the beginning or end of an asynchronous operation.
/// \param name  must stay valid until the process ends
/// \param id    identifies the operation among those in flight
/// \param peer  the other unit
/// \threads thread-safe  \blocks never  \cost 30 ns and 48 bytes; after a million events nothing is recorded
/// @{
DASH_API void trace_span(TraceKind kind, const char* name, std::uint64_t begin_ns,
                         std::uint64_t end_ns, std::size_t nbytes = 0, int peer = no_peer) noexcept;
DASH_API void trace_flight_begin(TraceKind kind, const char* name, const void* id,
                                 std::size_t nbytes, int peer = no_peer) noexcept;
DASH_API void trace_flight_end(TraceKind kind, const char* name, const void* id) noexcept;
/// @}

/// Stores a name until the process ends, for names that are not string literals.
/// \returns null if the limit of 4096 names has been reached
DASH_API const char* trace_name(const std::string& name);

/// Appends the events in Chrome's trace event format, one per line after a comma, and the number of
/// dropped events, if any.
/// \param unit     the process id in the file
/// \param zero_ns  the time that becomes 0 in the file
/// \returns the number of dropped events
DASH_API std::size_t write_trace(std::FILE* file, int unit, std::uint64_t zero_ns);

/// A span until the end of the scope. If it belongs to a task that is suspended within it, it is recorded
/// as an asynchronous operation, since the thread executes other code in the meantime.
class TraceSpan {
 public:
  TraceSpan(TraceKind kind, const char* name, std::size_t nbytes = 0, int peer = no_peer) noexcept
      : _name(tracing() ? name : nullptr), _nbytes(nbytes), _peer(peer), _kind(kind) {
    if (_name != nullptr) [[unlikely]]
      begin();
  }
  ~TraceSpan() {
    if (_name != nullptr) [[unlikely]]
      end();
  }
  TraceSpan(const TraceSpan&) = delete;
  TraceSpan& operator=(const TraceSpan&) = delete;

 private:
  DASH_API void begin() noexcept;
  DASH_API void end() noexcept;

  const char* _name;
  std::size_t _nbytes;
  std::uint64_t _begin_ns = 0;
  std::uint64_t _fiber_run = 0;
  int _peer;
  TraceKind _kind;
};

/// The time in which a thread executes a fiber, from a resume to the next suspension. Constructed on the
/// stack of the thread.
class FiberTraceScope {
 public:
  FiberTraceScope() noexcept : _recorded(tracing()) {
    if (_recorded) [[unlikely]]
      begin();
  }
  ~FiberTraceScope() {
    if (_recorded) [[unlikely]]
      end();
  }
  FiberTraceScope(const FiberTraceScope&) = delete;
  FiberTraceScope& operator=(const FiberTraceScope&) = delete;

 private:
  DASH_API void begin() noexcept;
  DASH_API void end() noexcept;

  bool _recorded;
  std::uint64_t _outer = 0;
};

}  // namespace dash::core
