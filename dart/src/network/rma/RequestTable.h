#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/RemoteAddress.h"
#include "network/rma/Request.h"
#include "dash/core/Spin.h"

namespace dash::dart {

/// A message of the user's that has not come: how long it is has to be known before it is received.
class ExpectedMessage {
 public:
  ExpectedMessage() = default;
  ExpectedMessage(const ExpectedMessage&) = delete;
  ExpectedMessage& operator=(const ExpectedMessage&) = delete;

  /// Whether it has come; then begins to receive it. Called by who polls, under its lock.
  virtual bool arrived(MPI_Request& request) = 0;
  virtual Request& owner() noexcept = 0;

 protected:
  ~ExpectedMessage() = default;
};

/// The MPI requests in flight and whose they are.
///
/// Two threads that test one request abort MPICH: whoever tests holds the poll lock. Adding takes a
/// lock of its own, so that a caller never waits for somebody inside MPI.
class RequestTable {
 public:
  /// Requests looked at by one test().
  static constexpr std::size_t batch = 64;

  /// A part of `owner`, which was told of it. \threads any
  void add(MPI_Request request, Request& owner);
  /// A part that has no request before a message has arrived. \threads any
  void add(ExpectedMessage& awaited);
  /// The same for a put, which has a second part: that it is complete at its target. Puts wait for
  /// who polls to confirm them, all of a target at once. \threads any
  void add_put(MPI_Request request, Request& owner, const RemoteAddress& dest);
  /// Puts of a target that were not confirmed yet, linked.
  struct Unconfirmed {
    Request* first = nullptr;
    RemoteAddress dest;  // of the last
  };
  /// \returns one target's, if there are any
  bool take_unconfirmed(Unconfirmed& puts);

  /// A part that is finished by a message, not by a request. \threads any
  void expect_answer() noexcept { expect_answers(1); }
  void expect_answers(std::size_t parts) noexcept;

  /// Looks for finished requests, at most a batch of them, and forgets them.
  /// \pre the poll lock is held
  void test(FinishedParts& finished);

  /// Parts that are not finished, or not counted out yet.
  std::size_t in_flight() const noexcept {
    // In this order, so that the difference is never negative.
    const std::uint64_t out = _counted_out.load(std::memory_order_acquire);
    return static_cast<std::size_t>(_added.load(std::memory_order_acquire) - out);
  }
  /// The same without puts of which nothing is missing but that a get confirms them: of those MPI
  /// keeps nothing.
  std::size_t in_mpi() const noexcept {
    const std::uint64_t confirmed = _confirmed.load(std::memory_order_acquire);
    const std::uint64_t puts = _puts.load(std::memory_order_acquire) - confirmed;
    const std::size_t all = in_flight();
    return all > puts ? all - static_cast<std::size_t>(puts) : 0;
  }
  /// Parts that were ever added.
  std::uint64_t added() const noexcept { return _added.load(std::memory_order_acquire); }
  /// The same of the second part of a put.
  void count_out_confirmed() noexcept {
    count_out(1);
    _confirmed.fetch_add(1, std::memory_order_release);
  }
  /// Finished first, then counted out: what a completion starts is in flight before it is not.
  void count_out(std::size_t parts) noexcept {
    _counted_out.fetch_add(parts, std::memory_order_release);
  }

 private:
  struct Entry {
    MPI_Request request;
    Request* owner;
  };

  void take_submitted();
  void look_for_awaited();

  // Owned by who holds the poll lock.
  std::vector<MPI_Request> _requests;  // dense
  std::vector<Request*> _owners;
  std::vector<ExpectedMessage*> _awaited;
  std::size_t _cursor = 0;  // where the next batch begins
  std::uint64_t _fruitless_tests = 0;

  core::SpinLock _submit_lock;  // guards the next four, and the stores to _added and _puts
  std::vector<Entry> _submitted;
  std::vector<ExpectedMessage*> _submitted_awaited;
  std::atomic<std::size_t> _num_submitted{0};
  std::vector<Unconfirmed> _unconfirmed;         // one for each target and window
  std::atomic<std::size_t> _num_unconfirmed{0};  // targets
  std::atomic<std::uint64_t> _added{0};
  std::atomic<std::uint64_t> _puts{0};  // of those added
  std::atomic<std::uint64_t> _counted_out{0};
  std::atomic<std::uint64_t> _confirmed{0};
};

}  // namespace dash::dart
