#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "MessageBuffer.h"
#include "Session.h"
#include "dash/async/Engine.h"
#include "dash/async/Operation.h"
#include "dash/core/Spin.h"

namespace dash::dart {

/// What goes between nodes: request-based RMA and active messages, polled by the engine.
///
/// Callers inject their operations themselves. Whoever polls holds `_poll_lock`, which owns the
/// table of requests: two threads that test one request abort MPICH. States are completed after
/// the lock has been released.
///
/// A put is complete remotely when a one-byte get from the same target that follows it is
/// (docs/decisions/002-remote-completion.md): nothing here flushes, because a flush holds MPI's
/// lock for as long as its target is silent.
class RmaDriver final : public async::PollSource {
 public:
  explicit RmaDriver(Session& session);
  ~RmaDriver() override;

  /// Transfers between this unit's memory and `offset` of the heap of `unit`, on another node.
  /// \completion get: the data is in `dest`; put: remote
  async::Operation get(void* dest, int unit, std::uint64_t offset, std::size_t nbytes);
  async::Operation put(int unit, std::uint64_t offset, const void* src, std::size_t nbytes);

  /// A get of some bytes by a caller that waits anyway: without the table, as long as it is quick.
  void get_blocking(void* dest, int unit, std::uint64_t offset, std::size_t nbytes);

  /// Puts at most MessageBuffer::max_payload bytes given as blocks, then sets the signal.
  /// \completion source, on return
  void put_signal_message(int unit, std::uint64_t offset, const void* src, std::size_t blocklen,
                          std::size_t src_stride, std::size_t nblocks, std::uint64_t signal_offset,
                          std::uint32_t value);

  /// An operation that is complete when an MPI request of the caller's is.
  async::Operation track(MPI_Request request);

  /// Active messages sent to each unit, and received from all, since the driver was made.
  std::vector<std::uint64_t> sent();
  std::uint64_t received() const noexcept { return _received.load(std::memory_order_acquire); }

  /// Requests in MPI, sends of messages included.
  std::size_t in_flight() const noexcept { return _in_flight.load(std::memory_order_acquire); }

  bool poll() noexcept override;
  async::Demand demand() const noexcept override;
  bool thread_may_poll() const noexcept override { return _session.multiple(); }

 private:
  class Request;
  class SendRequest;
  struct Entry {
    MPI_Request request;
    Request* owner;
  };

  void add(MPI_Request request, Request& owner);
  void wait_for_room();
  MessageBuffer* take_buffer();
  /// Polls densely, and tells the unit to, since a transfer from or to it begins.
  void announce(int unit, std::size_t nbytes);
  static void extend(std::atomic<std::uint64_t>& until, std::uint64_t nbytes) noexcept;
  void send(MessageBuffer* message, int unit);
  bool serve_messages();
  void handle(const MessageBuffer& message);
  std::size_t test_requests(std::span<Request*> finished);

  Session& _session;

  core::SpinLock _poll_lock;           // guards the table and the receiving of messages
  std::vector<MPI_Request> _requests;  // in flight, dense
  std::vector<Request*> _owners;       // whose they are
  std::size_t _cursor = 0;             // where the next batch of tests begins
  MessageBuffer _incoming_message;

  core::SpinLock _submit_lock;  // guards _submitted
  std::vector<Entry> _submitted;
  std::atomic<std::size_t> _num_submitted{0};

  std::atomic<std::size_t> _in_flight{0};
  std::atomic<int> _callers_inside{0};  // the door: the thread stands back while a caller is inside
  // Until when something may be moving: of our own, if it is in flight; at a peer.
  std::atomic<std::uint64_t> _own_dense_until{0};
  std::atomic<std::uint64_t> _peer_dense_until{0};

  core::SpinLock _send_lock;  // guards the next three
  std::vector<std::uint64_t> _sent;
  std::vector<std::uint64_t> _attentive_until;  // when each unit will poll less often again, ns
  std::vector<MessageBuffer*> _free_buffers;
  std::atomic<std::uint64_t> _received{0};
};

}  // namespace dash::dart
