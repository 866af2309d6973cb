#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <string_view>
#include <utility>

#include "base/MpiCheck.h"
#include "dash/async/State.h"
#include "dash/async/Watch.h"
#include "dash/core/Trace.h"
#include "network/rma/PendingList.h"

namespace dash::dart {

/// An operation between units that consists of parts: MPI requests, and messages that are
/// acknowledged.
///
/// It is complete when its last part is. While a RequestStart exists, it also counts as a part. A
/// request is created with two references: the producer's, which completion releases, and the
/// starter's.
class Request : public exec::State {
 public:
  /// A fixed number of parts.
  struct Parts {
    int count;
  };

  /// A request whose parts a RequestStart counts.
  Request() noexcept : State(2), _unfinished(starting) {}
  /// A request with a fixed number of parts, without a RequestStart.
  explicit Request(Parts parts) noexcept : State(2), _unfinished(parts.count) {}

  /// To be called once per part, not under a lock. The last call completes the operation.
  void part_finished() noexcept { subtract(1); }

  /// The operation fails with this error when the started parts have ended.
  /// \pre a part has not finished, or the starter's RequestStart exists
  void set_failure(std::exception_ptr error) noexcept { set_error(std::move(error)); }

  /// Completes the operation although parts are missing that could not be started.
  void give_up() noexcept { subtract(_unfinished.load(std::memory_order_relaxed)); }

  /// Describes the operation for the timeline and the watchdog. To be called by the starter.
  /// \param name  "get", "put", or the name of a message
  /// \param unit  global id of the other unit
  void trace(const char* name, std::size_t nbytes, int unit) noexcept {
    if (_name.load(std::memory_order_relaxed) != nullptr) return;
    _unit = unit;
    if (!core::tracing() && !exec::watchdog_enabled()) return;
    _nbytes = nbytes;
    _name.store(name, std::memory_order_release);
    if (core::tracing())
      core::trace_flight_begin(core::TraceKind::operation, name, this, nbytes, unit);
  }

  /// Sets the unit that errors of MPI name, a global id. trace() does this, too.
  void set_peer(int unit) noexcept { _unit = unit; }
  int peer() const noexcept { return _unit; }

  exec::Label label() const noexcept override {
    const char* const described = _name.load(std::memory_order_acquire);
    if (described == nullptr) return {};
    const std::string_view name(described);
    const auto nbytes = static_cast<long>(_nbytes);
    if (name == "get") return {"a get of {} bytes from unit {}", {nbytes, _unit}};
    if (name == "put") return {"a put of {} bytes to unit {}", {nbytes, _unit}};
    return {"the reply to a message of {} bytes to unit {}", {nbytes, _unit}};
  }

  /// Counts a part that has been started; it may have finished already. To be called by the starter
  /// only.
  void add_part() noexcept { ++_started; }

  /// The source buffer may be reused as soon as at most this many parts are unfinished. By default
  /// that is when the operation is complete, including finish(). To be called before the operation
  /// starts.
  void set_source_parts(std::int32_t parts) noexcept {
    _source_parts.store(parts, std::memory_order_relaxed);
  }
  static constexpr std::int32_t all_parts = std::numeric_limits<std::int32_t>::max();

  bool source_done() const noexcept override {
    return _unfinished.load(std::memory_order_acquire) <=
               _source_parts.load(std::memory_order_relaxed) ||
           done();
  }

  /// Receives the payload of the reply to a message of this request. The polling thread calls it,
  /// under the poll lock.
  virtual void take_reply(const std::byte* payload, std::size_t nbytes) noexcept {
    static_cast<void>(payload);
    static_cast<void>(nbytes);
  }

  PendingList::Entry pending_entry;
  Request* next_unacknowledged = nullptr;  // links the puts to a target that share a completion get
  char completion_byte = 0;                // destination of a completion get

 protected:
  /// Work that remains after the last part, before the operation counts as complete.
  virtual void finish() noexcept {}

 private:
  friend class RequestStart;
  /// More parts than an operation can have: keeps it from completing while it is being started.
  static constexpr std::int32_t starting = std::int32_t{1} << 30;

  void subtract(std::int32_t parts) noexcept {
    if (_unfinished.fetch_sub(parts, std::memory_order_acq_rel) != parts) return;
    finish();
    const char* const name = _name.load(std::memory_order_relaxed);
    if (name != nullptr && core::tracing()) [[unlikely]]
      core::trace_flight_end(core::TraceKind::operation, name, this);
    pending_entry.remove();
    complete();
    release();
  }

  // The small members first: they share a word with the completion byte.
  int _unit = no_peer;
  // A thread that finishes a part subtracts it with release and acquire: the last one sees the
  // effects of all parts when it completes the operation. source_done() loads it with acquire: the
  // caller changes the source only after the parts that read it. give_up() needs the number only.
  std::atomic<std::int32_t> _unfinished;
  std::int32_t _started = 0;
  // Relaxed: a flush by another thread that reads the initial value waits for completion instead.
  std::atomic<std::int32_t> _source_parts{-1};
  // See trace(), as _nbytes and _unit. Stored with release after these two, which the watchdog reads.
  std::atomic<const char*> _name{nullptr};
  std::size_t _nbytes = 0;
};

/// A small put from a copy of its source, which the caller may therefore reuse at once. MPI usually copies the source,
/// too, but the caller has to poll to learn of it.
class BufferedPut final : public Request {
 public:
  static constexpr std::size_t capacity = 128;

  using Request::Request;

  /// \pre nbytes <= capacity
  const void* copy_source(const void* src, std::size_t nbytes) noexcept {
    set_source_parts(all_parts);
    return std::memcpy(_source.data(), src, nbytes);
  }

 private:
  std::array<std::byte, capacity> _source;
};

/// Scope in which the starter of a request adds parts to it.
class RequestStart {
 public:
  explicit RequestStart(Request& request) noexcept : _request(request) {}
  ~RequestStart() { _request.subtract(Request::starting - _request._started); }
  bool has_parts() const noexcept { return _request._started != 0; }
  RequestStart(const RequestStart&) = delete;
  RequestStart& operator=(const RequestStart&) = delete;

 private:
  Request& _request;
};

/// Parts that a poll has found finished. The poll reports them to their requests after it has
/// released its lock.
class FinishedParts {
 public:
  static constexpr std::size_t capacity = 128;

  FinishedParts() noexcept {}  // leaves the array uninitialized
  bool empty() const noexcept { return _size == 0; }
  std::size_t size() const noexcept { return _size; }
  bool has_space() const noexcept { return _size < capacity; }
  void add(Request& request) noexcept { _requests[_size++] = &request; }
  Request* const* begin() const noexcept { return _requests.data(); }
  Request* const* end() const noexcept { return _requests.data() + _size; }

 private:
  std::array<Request*, capacity> _requests;
  std::size_t _size = 0;
};

}  // namespace dash::dart
