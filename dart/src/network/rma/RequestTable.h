#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/RemoteAddress.h"
#include "dash/core/Spin.h"
#include "network/rma/Request.h"

namespace dash::dart {

/// A two-sided message of the application that has not arrived. Its length must be known before it
/// is received.
class ExpectedMessage {
 public:
  ExpectedMessage() = default;
  ExpectedMessage(const ExpectedMessage&) = delete;
  ExpectedMessage& operator=(const ExpectedMessage&) = delete;

  /// Starts to receive the message, if it has arrived. The polling thread calls it, under the poll
  /// lock.
  /// \returns whether the message has arrived
  virtual bool arrived(MPI_Request& request) = 0;
  virtual Request& owner() noexcept = 0;

 protected:
  ~ExpectedMessage() = default;
};

/// The MPI requests in flight and the operations they belong to.
///
/// MPICH aborts if two threads test one request, so testing requires the poll lock. Adding takes a
/// separate lock, so that a caller never waits for a thread inside MPI.
class RequestTable {
 public:
  /// Requests tested by one call of test().
  static constexpr std::size_t batch = 64;

  /// Adds a part of `owner`. \threads thread-safe
  void add(MPI_Request request, Request& owner);
  /// Adds a part that has no MPI request until its message has arrived. \threads thread-safe
  void add(ExpectedMessage& message);
  /// Records that a put to the target starts. \returns whether it is the first one since the last poll
  /// \threads thread-safe
  bool record_put(const RemoteAddress& dest);
  /// Adds a put and a second part, its acknowledgement. The next poll starts one completion get for
  /// all puts to a target.
  /// \threads thread-safe
  void add_put(MPI_Request request, Request& owner, const RemoteAddress& dest);

  /// Puts to one target that have no completion get yet, linked by Request::next_unacknowledged; possibly none.
  struct UnacknowledgedPuts {
    Request* first = nullptr;
    RemoteAddress dest;  // of the put added last
  };
  /// Removes the puts to one target that have no completion get yet.
  /// \returns whether there were any
  bool take_unacknowledged_puts(UnacknowledgedPuts& puts);

  /// Counts parts that replies finish, instead of MPI requests. \threads thread-safe
  void expect_replies(std::size_t parts) noexcept;

  /// Tests requests, at most a batch of them, and removes those that are complete.
  /// \pre the caller holds the poll lock
  void test(FinishedParts& finished);

  /// Parts that are not finished, or not counted as finished yet.
  std::size_t in_flight() const noexcept {
    // Loaded in this order, so that the difference is never negative: see _added.
    const std::uint64_t finished = _finished.load(std::memory_order_acquire);
    return static_cast<std::size_t>(_added.load(std::memory_order_acquire) - finished);
  }
  /// As in_flight(), without puts that lack only their completion get: MPI keeps nothing for them.
  std::size_t in_mpi() const noexcept {
    const std::uint64_t acknowledged = _acknowledged.load(std::memory_order_acquire);
    const std::uint64_t puts = _puts.load(std::memory_order_acquire) - acknowledged;
    const std::size_t all = in_flight();
    return all > puts ? all - static_cast<std::size_t>(puts) : 0;
  }
  /// Parts added since construction.
  std::uint64_t added() const noexcept { return _added.load(std::memory_order_acquire); }

  /// Counts parts as finished, after they have been reported to their requests: an operation that a
  /// completion starts is counted as in flight before the completed one no longer is.
  void count_finished(std::size_t parts) noexcept {
    _finished.fetch_add(parts, std::memory_order_release);
  }
  /// Counts the acknowledgement of a put as finished.
  void count_acknowledged() noexcept {
    count_finished(1);
    _acknowledged.fetch_add(1, std::memory_order_release);
  }

 private:
  struct Entry {
    MPI_Request request;
    Request* owner;
  };

  void count_added(std::size_t parts) noexcept;
  UnacknowledgedPuts* find_unacknowledged(const RemoteAddress& dest) noexcept;
  void take_submitted();
  void receive_arrived();

  // These belong to the holder of the poll lock.
  std::vector<MPI_Request> _requests;  // without gaps
  std::vector<Request*> _owners;
  std::vector<ExpectedMessage*> _expected;
  std::size_t _cursor = 0;  // where the next batch begins
  std::uint64_t _fruitless_tests = 0;

  core::SpinLock _submit_lock;  // guards the next four, and the stores to _added and _puts
  std::vector<Entry> _submitted;
  std::vector<ExpectedMessage*> _submitted_messages;
  // Length of the two lists, stored under the lock. A poll loads it without the lock to skip empty
  // lists. Any order suffices: the lock orders the entries, and the next poll finds an entry that
  // this one misses.
  std::atomic<std::size_t> _num_submitted{0};
  std::vector<UnacknowledgedPuts> _unacknowledged;  // one entry for each target and window
  std::atomic<std::size_t> _num_unacknowledged{0};  // entries; as _num_submitted
  // A part is counted in _added, under the lock, before it can finish. in_flight() loads _finished
  // first, with acquire, which pairs with the release in count_finished(). So it finds in _added
  // all parts that are counted as finished, and those that their completions have added. In the
  // same way, in_mpi() finds all puts of _acknowledged in _puts, and those of _puts in _added.
  //
  // The caller that adds a part notifies the engine afterwards, whose EventCount orders _added with
  // the check of a thread that goes to sleep. It does not while the polling window of this unit is
  // open; then the progress thread sleeps for a limited time only.
  std::atomic<std::uint64_t> _added{0};
  std::atomic<std::uint64_t> _puts{0};  // of those added
  std::atomic<std::uint64_t> _finished{0};
  std::atomic<std::uint64_t> _acknowledged{0};
};

}  // namespace dash::dart
