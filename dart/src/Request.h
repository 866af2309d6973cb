#pragma once

#include <array>
#include <atomic>
#include <cstddef>

#include "Outstanding.h"
#include "Pooled.h"
#include "dash/async/State.h"

namespace dash::dart {

/// An operation between units that consists of parts: MPI requests, and messages that are
/// answered. It is complete when its last part is and when its starter has let go of it.
class Request : public async::State, public Pooled {
 public:
  /// Called once per part, never under a lock. The last call completes the operation and gives up
  /// the producer's reference.
  void part_finished() noexcept {
    if (_unfinished.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    finish();
    outstanding.remove();
    complete();
    release();
  }

  /// Before a part is given to those who will finish it.
  void add_part() noexcept { _unfinished.fetch_add(1, std::memory_order_relaxed); }

  /// The answer to a message of this request. Called by who polls, under its lock.
  virtual void take_reply(const std::byte* payload, std::size_t nbytes) noexcept {
    static_cast<void>(payload);
    static_cast<void>(nbytes);
  }

  Outstanding::Entry outstanding;
  char landing_byte = 0;  // of the get that confirms a put

 protected:
  /// What remains to be done before the operation counts as complete.
  virtual void finish() noexcept {}

 private:
  std::atomic<int> _unfinished{1};  // the starter's part
};

/// The starter's part of a request, for as long as it starts others.
class Start {
 public:
  explicit Start(Request& request) noexcept : _request(request) {}
  ~Start() { _request.part_finished(); }
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
