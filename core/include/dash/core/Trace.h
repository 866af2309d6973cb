#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "dash/core/Clock.h"
#include "dash/core/Export.h"

namespace dash::core {

/// What a piece of the timeline is.
enum class TraceKind : std::uint8_t {
  call,       ///< of the C interface, from its begin to its end
  wait,       ///< of a thread for something in flight
  operation,  ///< in flight between nodes
  copy,       ///< in flight on the node, or a piece of it being copied
  progress,   ///< a poll that found something
  task        ///< user code: tasks, chunks of algorithms
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

/// Records what the calling thread did, or that something came into flight or out of it.
/// \param name  lives as long as the process
/// \param id    of what is in flight, of those living at the time
/// \threads any  \blocks never  \cost 30 ns; memory of 48 bytes, up to a million events, then
///          nothing is recorded any more
/// @{
DASH_API void trace_span(TraceKind kind, const char* name, std::uint64_t begin_ns,
                         std::uint64_t end_ns, std::size_t nbytes = 0) noexcept;
DASH_API void trace_flight_begin(TraceKind kind, const char* name, const void* id,
                                 std::size_t nbytes) noexcept;
DASH_API void trace_flight_end(TraceKind kind, const char* name, const void* id) noexcept;
/// @}

/// Appends the events in the trace event format of Chrome, one a line, each with a comma before it.
/// \param unit    the process of the format
/// \param zero_ns the time that is 0 in the file
/// \returns events that were dropped
DASH_API std::size_t write_trace(std::FILE* file, int unit, std::uint64_t zero_ns);

/// A span from here to the end of the block.
class TraceSpan {
 public:
  TraceSpan(TraceKind kind, const char* name, std::size_t nbytes = 0) noexcept
      : _name(tracing() ? name : nullptr), _nbytes(nbytes), _kind(kind) {
    if (_name != nullptr) [[unlikely]]
      _begin_ns = now_ns();
  }
  ~TraceSpan() {
    if (_name != nullptr) [[unlikely]]
      trace_span(_kind, _name, _begin_ns, now_ns(), _nbytes);
  }
  TraceSpan(const TraceSpan&) = delete;
  TraceSpan& operator=(const TraceSpan&) = delete;

 private:
  const char* _name;
  std::size_t _nbytes;
  std::uint64_t _begin_ns = 0;
  TraceKind _kind;
};

}  // namespace dash::core
