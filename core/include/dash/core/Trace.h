#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

#include "dash/core/Clock.h"
#include "dash/core/Export.h"

namespace dash::core {

/// What a piece of the timeline is.
enum class TraceKind : std::uint8_t {
  call,        ///< of the C interface, from its begin to its end
  wait,        ///< of a thread for something in flight
  operation,   ///< in flight between units; on a thread if its caller waits for it
  collective,  ///< the same of a team
  copy,        ///< in flight on the node, or a piece of it being copied
  progress,    ///< a poll that found something; sleeps of the progress thread
  task         ///< user code: tasks, continuations, chunks; a task that is set aside
};

extern DASH_API std::atomic<bool> trace_on;

/// Whether a timeline is recorded. \cost one load
inline bool tracing() noexcept {
  return trace_on.load(std::memory_order_relaxed);
}

/// Begins to record, what was recorded before being forgotten. \threads none may record
DASH_API void start_trace();
/// \threads none may record
DASH_API void stop_trace() noexcept;

/// What has no peer.
inline constexpr int no_peer = -1;

/// Records what the calling thread did, or that something came into flight or out of it.
/// \param name  lives as long as the process
/// \param id    of what is in flight, of those living at the time
/// \param peer  the unit at the other end
/// \threads any  \blocks never  \cost 30 ns; memory of 48 bytes, up to a million events, then
///          nothing is recorded any more
/// @{
DASH_API void trace_span(TraceKind kind, const char* name, std::uint64_t begin_ns,
                         std::uint64_t end_ns, std::size_t nbytes = 0, int peer = no_peer) noexcept;
DASH_API void trace_flight_begin(TraceKind kind, const char* name, const void* id,
                                 std::size_t nbytes, int peer = no_peer) noexcept;
DASH_API void trace_flight_end(TraceKind kind, const char* name, const void* id) noexcept;
/// @}

/// A name that lives as long as the process, for what is not known when the program is written.
/// \returns null if there are thousands already
DASH_API const char* trace_name(const std::string& name);

/// Appends the events in the trace event format of Chrome, one a line, each with a comma before it;
/// and how many were dropped, if any were.
/// \param unit    the process of the format
/// \param zero_ns the time that is 0 in the file
/// \returns events that were dropped
DASH_API std::size_t write_trace(std::FILE* file, int unit, std::uint64_t zero_ns);

/// A span from here to the end of the block. If it is a task's, which was set aside meanwhile, it
/// is recorded as something in flight: its thread did other things.
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
  std::uint64_t _stretch = 0;
  int _peer;
  TraceKind _kind;
};

/// The time in which a thread runs on a stack that it may leave in the middle of something, to be
/// gone on with by another one. Made on the thread's own stack.
class TraceStretch {
 public:
  TraceStretch() noexcept : _recorded(tracing()) {
    if (_recorded) [[unlikely]]
      begin();
  }
  ~TraceStretch() {
    if (_recorded) [[unlikely]]
      end();
  }
  TraceStretch(const TraceStretch&) = delete;
  TraceStretch& operator=(const TraceStretch&) = delete;

 private:
  DASH_API void begin() noexcept;
  DASH_API void end() noexcept;

  bool _recorded;
  std::uint64_t _outer = 0;
};

}  // namespace dash::core
