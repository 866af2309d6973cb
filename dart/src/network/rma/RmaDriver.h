#pragma once

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <vector>

#include "network/rma/TransferBatches.h"
#include "base/CallerPolling.h"
#include "network/rma/DeferredPuts.h"
#include "network/messages/Messenger.h"
#include "network/messages/ActiveMessageHandlers.h"
#include "base/RemoteAddress.h"
#include "network/rma/Request.h"
#include "network/rma/RequestTable.h"
#include "launch/Session.h"
#include "dash/async/Engine.h"
#include "dash/async/PolledSource.h"
#include "dash/async/Operation.h"
#include "dash/core/Settings.h"
#include "dash/core/Spin.h"
#include "dash/core/Statistics.h"
#include "dash/dart/Signal.h"

namespace dash::dart {

/// What goes between units that do not share memory: request-based RMA and active messages, polled
/// by the engine.
///
/// Callers inject their operations themselves. Whoever polls holds the poll lock; requests are told
/// of their ends after it has been released.
///
/// A put is complete remotely when a one-byte get from the same target that follows it is
/// (docs/decisions/002-remote-completion.md). A flush would hold MPI's lock for as long as its
/// target is silent: only a caller that waits may flush, and only where every unit has a thread and
/// a processor for it, so that none is silent for long (docs/decisions/006-small-puts.md).
class RmaDriver final : public exec::PolledSource {
 public:
  /// Transfers are cut into pieces of so many bytes. MPI counts in int, and the setting is bounded.
  static std::size_t piece_bytes() noexcept { return core::settings().rma_piece; }

  /// What a slow network needs for so many bytes, and for how many the time is enough.
  static constexpr std::uint64_t transfer_ns(std::uint64_t nbytes) noexcept { return 2 * nbytes; }
  static constexpr std::uint64_t bytes_within(std::uint64_t ns) noexcept { return ns / 2; }

  /// How long both ends of a transfer poll densely for it. Sleeping between polls makes a transfer 3 to
  /// 30 times slower.
  static constexpr std::uint64_t dense_ns(std::uint64_t nbytes) noexcept {
    return 2'000'000 + transfer_ns(nbytes);
  }

  static constexpr std::size_t never = ~std::size_t{0};

  /// How puts get to their targets, by size: up to `blocking_message` those of a caller that waits
  /// are messages, beyond and up to `blocking_flush` they are flushed, beyond confirmed by a get;
  /// up to `started_message` those that are only started are messages. None is: 0. From `put_sent`
  /// and `get_sent` on the data is sent to its receiver, who receives it in place; of those that are
  /// only started, from `started_put_sent` and `started_get_sent` on. Smaller puts that are only
  /// started, from `put_handed` on, are handed to who polls next: MPI copies in the call.
  /// Up to `put_bundled` and `get_bundled` those that are started one after the other go in bundles.
  struct TransferWays {
    std::size_t blocking_message = Message::max_payload;
    std::size_t blocking_flush = 0;
    std::size_t started_message = 0;
    std::size_t put_sent = never;
    std::size_t get_sent = never;
    std::size_t started_put_sent = never;
    std::size_t started_get_sent = never;
    std::size_t put_handed = never;
    std::size_t put_bundled = 0;
    std::size_t get_bundled = TransferBatches::max_nbytes;
  };

  explicit RmaDriver(Session& session);

  const TransferWays& ways() const noexcept { return _ways; }
  /// \pre no transfer has been started
  void set_ways(const TransferWays& ways) noexcept { _ways = ways; }

  /// For the statistics: which way a transfer goes.
  /// \param sent_from  the one of ways() that holds for it
  static core::OperationPath path_of(std::size_t nbytes, std::size_t sent_from, bool by_message) {
    if (by_message) return core::OperationPath::message;
    return nbytes >= sent_from ? core::OperationPath::two_sided : core::OperationPath::rma;
  }

  /// Returns when not too many parts are in flight. Before an operation is started, and before
  /// each message of one that consists of many; nothing else here waits for room.
  /// \blocks  unless on the progress thread or in a poll; runs continuations, so what they may flush must not
  ///          wait for the caller
  void wait_for_room();

  /// Whether a small transfer that begins now is one of many, for put_bundled() or get_bundled().
  bool bundles_put(const RemoteAddress& dest, std::size_t nbytes) noexcept {
    return nbytes <= _ways.put_bundled && is_one_of_many(dest);
  }
  bool bundles_get(const RemoteAddress& src, std::size_t nbytes) noexcept {
    return nbytes <= _ways.get_bundled && is_one_of_many(src);
  }

  /// Start the parts of a request that stand for a transfer.
  /// \completion get: the data is in `dest`; put: remote  \blocks never
  void get(Request& request, void* dest, const RemoteAddress& src, std::size_t nbytes);
  void put(Request& request, const RemoteAddress& dest, const void* src, std::size_t nbytes);

  /// A put of a request of two parts, confirmed by who polls next. \pre nbytes <= piece_bytes()
  void put_piece(Request& request, const RemoteAddress& dest, const void* src, std::size_t nbytes);

  /// A put without the get that confirms it: one of several to the same target, before the last.
  void put_unconfirmed(Request& request, const RemoteAddress& dest, const void* src,
                       std::size_t nbytes);
  void confirm_puts(Request& request, const RemoteAddress& dest);

  /// A put by a message that its receiver answers: of Message::max_payload bytes at most, for a
  /// request of one part. \completion source on return
  void put_message(Request& request, const RemoteAddress& dest, const void* src, std::size_t nbytes);

  /// Transfers of requests of one part that go to their unit together with others: when there are
  /// enough of them, or with the next poll.
  /// \completion put: source, on return
  void put_bundled(Request& request, const RemoteAddress& dest, const void* src, std::size_t nbytes);
  void get_bundled(Request& request, void* dest, const RemoteAddress& src, std::size_t nbytes);

  /// Transfers by a caller that waits anyway: without the table, as long as they are quick.
  void get_blocking(void* dest, const RemoteAddress& src, std::size_t nbytes);
  void put_blocking(const RemoteAddress& dest, const void* src, std::size_t nbytes);

  /// Sends a message about a transfer of `nbytes` bytes.
  /// \param answer_to  as in Messenger::send
  /// \blocks never
  void send(std::unique_ptr<Message> message, int unit, std::size_t nbytes,
            Request* answer_to = nullptr);

  /// Asks a unit for an answer, which comes when it has served all messages sent before.
  /// \param answer  a request of one part
  void ask_for_answer(Request& answer, int unit);
  /// Messages that an answer will stand for are in flight, and are no longer.
  void count_unanswered(std::size_t messages) noexcept { _table.expect_answers(messages); }
  void count_answered(std::size_t messages) noexcept { _table.count_out(messages); }

  /// Bytes that go with a signal in one message, which names the signal behind them.
  static constexpr std::size_t max_signal_payload = Message::max_payload - sizeof(std::uint64_t);

  /// Puts at most max_signal_payload bytes given as blocks, then raises the signal.
  /// \param answer_to  as in Messenger::send
  /// \completion source, on return
  void put_signal_message(const RemoteAddress& dest, const void* src, std::size_t blocklen,
                          std::size_t src_stride, std::size_t nblocks, const RemoteAddress& signal,
                          std::uint32_t value, SignalOp op, Request* answer_to);

  /// Puts what its receiver receives in place, and then raises the signal.
  /// \param packed  what `src` is in, to be kept as long as MPI reads it; may be null
  /// \param answer_to  as in Messenger::send
  /// \pre nbytes <= piece_bytes()
  /// \completion source
  exec::Operation put_signal_sent(const RemoteAddress& dest, const void* src, std::size_t nbytes,
                                  std::unique_ptr<char[]> packed, const RemoteAddress& signal,
                                  std::uint32_t value, SignalOp op, Request* answer_to);

  /// Returns when all of some MPI requests of the caller's are complete. Looks at nothing else for
  /// some microseconds: for what is quick.
  void wait_privately(std::span<MPI_Request> requests);

  /// An operation that is complete when an MPI request of the caller's is; on one node, too.
  exec::Operation track(MPI_Request request);

  /// The same for a message that is awaited; takes the starter's reference to its owner.
  exec::Operation track(ExpectedMessage& awaited);

  /// Returns when the state is done. Polls densely before it sleeps: for operations of a
  /// microsecond.
  void wait(exec::State& state);

  /// From here to the end of it, units of one node send each other messages, too: while registered
  /// memory lives, or while somebody counts what arrives.
  void begin_service() noexcept {
    _services.fetch_add(1, std::memory_order_seq_cst);
    exec::Engine::instance().notify();  // the thread may sleep until told
  }
  void end_service() noexcept { _services.fetch_sub(1, std::memory_order_release); }

  Messenger& messenger() noexcept { return _messenger; }

  /// Active messages sent to each unit, and received from all, since the driver was made.
  std::vector<std::uint64_t> sent() const { return _messenger.sent(); }
  std::uint64_t received() const noexcept { return _messenger.received(); }

  /// Parts of requests that are not finished: in MPI, or messages that were not answered yet.
  std::size_t in_flight() const noexcept {
    // In this order: a put that is being started may be counted twice, but is never left out.
    const std::size_t held = _handed.size() + _bundles.in_flight();
    return held + _table.in_flight();
  }

  bool poll() noexcept override;
  exec::Demand demand() const noexcept override;
  bool thread_may_poll() const noexcept override { return _session.multiple(); }
  bool callers_poll() const noexcept override { return _caller_polls.found(); }
  bool quick() const noexcept override;
  bool moves_by_polls() const noexcept override { return true; }
  bool moves_much() const noexcept override;
  void caller_waits() noexcept override;
  void look_for(exec::FunctionRef<bool()> enough) noexcept override;

 private:
  class Confirmation;
  /// Rounds of polls of a caller that waits for something quick: one where whom it waits for may need
  /// the processor.
  static constexpr int most_private_rounds = 10;
  /// Units whose large transfers from or to this one are taken to be under way together.
  static constexpr int most_peers_at_once = 8;

  /// Calls f(offset, length) for pieces that MPI can count.
  template <class F>
  static void for_each_piece(std::size_t nbytes, F f) {
    const std::size_t piece = piece_bytes();
    for (std::size_t done = 0; done < nbytes; done += piece) {
      f(done, static_cast<int>(std::min(piece, nbytes - done)));
    }
  }

  exec::Operation keep_until_sent(MPI_Request in_mpi, std::unique_ptr<char[]> packed,
                                  std::size_t nbytes, int unit);
  static MPI_Request start_get(void* dest, const RemoteAddress& src, int nbytes);
  static MPI_Request start_put(const RemoteAddress& dest, const void* src, int nbytes);
  bool poll_until_found(int times) noexcept;
  void start_handed_puts();
  void send_started_bundles();
  void send_full(TransferBatch* bundle) noexcept;
  bool is_one_of_many(const RemoteAddress& place) noexcept;
  [[noreturn]] void abort(const std::exception& error) noexcept;
  void confirm_started_puts();
  bool thread_stands_back() noexcept;
  /// The parts of a put and of a get by data that is sent: two, and one.
  void send_put(Request& request, const RemoteAddress& dest, const void* src, int nbytes);
  void send_get(Request& request, void* dest, const RemoteAddress& src, int nbytes);
  /// In pieces, of a request of any number of parts.
  void put_by_sending(Request& request, const RemoteAddress& dest, const void* src,
                      std::size_t nbytes);
  void get_by_sending(Request& request, void* dest, const RemoteAddress& src, std::size_t nbytes);
  template <class Begin>
  void wait_for(Begin begin);
  void put_and_flush(const RemoteAddress& dest, const void* src, int nbytes);
  /// Polls densely, and tells the unit to, since a transfer from or to it begins.
  /// \param started_only  the caller does not wait for it
  void announce(int unit, std::size_t nbytes, bool started_only = false);
  void poll_densely() noexcept;
  void announce_start(int unit, std::size_t nbytes);
  void tell(int unit, std::size_t nbytes, bool leaves);
  void note_large_start(int unit) noexcept;
  bool has_large_start() const noexcept {
    return _large_started_at.load(std::memory_order_relaxed) != 0;
  }
  void peer_is_busy(std::uint64_t nbytes, bool started_only) noexcept;
  /// Whether nothing of ours uses MPI, nor expects another unit's messages.
  bool idle() const noexcept;

  Session& _session;
  core::SpinLock _poll_lock;
  RequestTable _table;
  DeferredPuts _handed;
  TransferBatches _bundles;
  Messenger _messenger;
  ActiveMessageHandlers _service;
  const int _private_rounds;
  const std::size_t _peers_at_once;

  TransferWays _ways;
  std::atomic<int> _services{0};
  std::atomic<std::uint32_t> _rounds{0};  // of polls; by who holds the poll lock
  // The progress thread stands back while callers are inside MPI, poll, or start operations: it
  // would contend with them for MPI's lock, and for every line that both write. Hints: stores of
  // several callers may undo each other.
  alignas(core::cache_line_size) std::atomic<bool> _caller_inside{false};
  CallerPolling _caller_polls;
  // These two by the thread only.
  std::uint64_t _seen_added = 0;
  int _times_stood_back = 0;
  alignas(core::cache_line_size)
      // Until when something may be moving, ns: of our own, if it is in flight; at a peer.
      std::atomic<std::uint64_t> _own_dense_until{0};
  std::atomic<std::uint64_t> _peer_dense_until{0};
  std::atomic<std::uint64_t> _large_until{0};  // the same of something large, at either
  // The same of large transfers that their starters leave to the threads.
  std::atomic<std::uint64_t> _peer_computes_until{0};
  // The last large transfer that was started, for which nobody has waited yet: when, ns, or 0; and to or
  // from whom. Whether the callers of this unit wait for such ones at once, as the last one's did: then
  // the threads are left alone. Hints.
  std::atomic<std::uint64_t> _large_started_at{0};
  std::atomic<int> _large_unit{0};
  std::atomic<bool> _waits_at_once{false};
  /// What we have told a unit. Races send one message more.
  struct Peer {
    std::atomic<std::uint64_t> attentive_until{0};  // ns
    std::atomic<std::uint64_t> left_until{0};       // ns; that large transfers are left to threads
    std::atomic<std::uint64_t> looked_at{0};        // processor ticks of the last look at the clock
    // Small transfers that began in a round of polls. Hints, as the times.
    std::atomic<std::uint32_t> round{0};
    std::atomic<std::uint32_t> begun{0};
  };
  std::vector<Peer> _peers;
};

}  // namespace dash::dart
