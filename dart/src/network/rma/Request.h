#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <string_view>
#include <utility>

#include "base/MpiCheck.h"
#include "transfer/PendingOperations.h"
#include "dash/async/State.h"
#include "dash/async/Watch.h"
#include "dash/core/Trace.h"

namespace dash::dart {

/// An operation between units that consists of parts: MPI requests, and messages that are
/// answered. It is complete when its last part is and, unless it has only one, when its starter has
/// let go of it.
///
/// It is made with two references: the producer's, which its end releases, and the starter's.
class Request : public exec::State {
 public:
  struct OnePart {};
  struct TwoParts {};

  /// Of parts that a Start counts.
  Request() noexcept : State(2), _unfinished(starting) {}
  /// Of one part, or two, which nobody adds.
  explicit Request(OnePart) noexcept : State(2), _unfinished(1) {}
  explicit Request(TwoParts) noexcept : State(2), _unfinished(2) {}

  /// Called once per part, never under a lock. The last call completes the operation.
  void part_finished() noexcept { subtract(1); }

  /// What a part ended with, before it is told. \param code  of MPI
  void note_error(int code) noexcept { _error = code; }

  /// The rest could not be started: it fails with this when the parts that were have ended. By the
  /// starter, before it lets go.
  void note_failure(std::exception_ptr error) noexcept { set_error(std::move(error)); }

  /// Ends it although parts are missing, which could not be started.
  void give_up() noexcept { subtract(_unfinished.load(std::memory_order_relaxed)); }

  /// Says what is in flight from here on, if a timeline is recorded or anybody watches. By the starter.
  /// \param unit  at the other end, its global id
  void trace(const char* name, std::size_t nbytes, int unit) noexcept {
    if ((!core::tracing() && !exec::watching()) || _name != nullptr) return;
    _name = name;
    _nbytes = nbytes;
    _unit = unit;
    if (core::tracing())
      core::trace_flight_begin(core::TraceKind::operation, name, this, nbytes, unit);
  }

  exec::Label label() const noexcept override {
    const auto nbytes = static_cast<long>(_nbytes);
    const std::string_view name(_name == nullptr ? "" : _name);
    if (name == "get") return {"a get of {} bytes from unit {}", {nbytes, _unit}};
    if (name == "put") return {"a put of {} bytes to unit {}", {nbytes, _unit}};
    if (name.empty()) return {};
    return {"the answer to a message of {} bytes to unit {}", {nbytes, _unit}};
  }

  /// A part is with those who will finish it, who may have done so already; by the starter only.
  void add_part() noexcept { ++_started; }

  /// Says that the source is free as soon as not more than so many parts are unfinished; else it is
  /// when the operation is done: what finish() does comes after the last part. Before the start.
  void source_done_with(std::int32_t parts) noexcept {
    _source_parts.store(parts, std::memory_order_relaxed);
  }
  static constexpr std::int32_t all_parts = std::numeric_limits<std::int32_t>::max();

  bool source_done() const noexcept override {
    return _unfinished.load(std::memory_order_acquire) <=
               _source_parts.load(std::memory_order_relaxed) ||
           done();
  }

  /// The answer to a message of this request. Called by who polls, under its lock.
  virtual void take_reply(const std::byte* payload, std::size_t nbytes) noexcept {
    static_cast<void>(payload);
    static_cast<void>(nbytes);
  }

  PendingOperations::Entry pending_operations;
  Request* next_unconfirmed = nullptr;  // of the puts to a target that one get will confirm
  char landing_byte = 0;                // of the get that confirms a put

 protected:
  /// What remains to be done before the operation counts as complete.
  virtual void finish() noexcept {}

 private:
  friend class Start;
  /// More than an operation has parts: what keeps it from ending while it starts.
  static constexpr std::int32_t starting = std::int32_t{1} << 30;

  void subtract(std::int32_t parts) noexcept {
    if (_unfinished.fetch_sub(parts, std::memory_order_acq_rel) != parts) return;
    finish();
    if (_name != nullptr && core::tracing()) [[unlikely]]
      core::trace_flight_end(core::TraceKind::operation, _name, this);
    pending_operations.remove();
    if (_error == MPI_SUCCESS) [[likely]] {
      complete();
    } else {
      fail(mpi_failure(_error));
    }
    release();
  }

  // The small ones first: they share a word with the landing byte.
  int _unit = 0;
  int _error = MPI_SUCCESS;  // ordered by the counting of the parts
  std::atomic<std::int32_t> _unfinished;
  std::int32_t _started = 0;
  std::atomic<std::int32_t> _source_parts{-1};  // a flush of another thread may look at it
  const char* _name = nullptr;  // in the timeline, and for who watches; with _nbytes and _unit
  std::size_t _nbytes = 0;
};

/// The time in which the starter of a request adds parts to it.
class Start {
 public:
  explicit Start(Request& request) noexcept : _request(request) {}
  ~Start() { _request.subtract(Request::starting - _request._started); }
  bool has_parts() const noexcept { return _request._started != 0; }
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;

 private:
  Request& _request;
};

/// Parts that a poll has found finished; the requests are told when no lock is held.
class FinishedParts {
 public:
  static constexpr std::size_t capacity = 128;

  FinishedParts() noexcept {}  // leaves the array as it is
  bool empty() const noexcept { return _size == 0; }
  std::size_t size() const noexcept { return _size; }
  void add(Request& request) noexcept { _requests[_size++] = &request; }
  Request* const* begin() const noexcept { return _requests.data(); }
  Request* const* end() const noexcept { return _requests.data() + _size; }

 private:
  std::array<Request*, capacity> _requests;
  std::size_t _size = 0;
};

}  // namespace dash::dart
