#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/Caller.h"
#include "base/RemoteAddress.h"
#include "dash/core/Clock.h"
#include "dash/core/Spin.h"
#include "network/NetworkConfig.h"
#include "network/messages/Messenger.h"
#include "network/rma/CallerActivity.h"
#include "network/rma/FlowControl.h"

namespace dash::dart {

/// Decides how long this unit and its peers poll for transfers, and how often.
///
/// Sleeping between polls makes a transfer 3 to 30 times slower. So a unit that starts a transfer
/// polls for the time the transfer is expected to take, and sends the peer an attention message, so that
/// the peer does, too. A window is the time until which a unit polls: callers that wait without sleeping,
/// and the progress thread often if a large transfer is in flight or a caller of the peer waits. All times
/// are in nanoseconds of core::now_ns(). They publish no data, and concurrent updates may overwrite
/// each other: the result is an additional message or a shorter window. So all orders are relaxed.
/// A caller that opens this unit's window then notifies the engine, whose EventCount shows the
/// window to a thread that goes to sleep.
/// \threads thread-safe
class PollingWindows {
 public:
  PollingWindows(const NetworkConfig& config, Messenger& messenger, const FlowControl& flow,
                 CallerActivity& callers);
  PollingWindows(const PollingWindows&) = delete;
  PollingWindows& operator=(const PollingWindows&) = delete;

  /// Larger transfers are announced individually, and extend the window of those in flight with
  /// them.
  static constexpr std::size_t small_transfer = std::size_t{64} << 10;

  /// Time of a transfer on a slow network, and the number of bytes that a slow network transfers in
  /// a time.
  static constexpr std::uint64_t transfer_ns(std::uint64_t nbytes) noexcept { return 2 * nbytes; }
  static constexpr std::uint64_t bytes_within(std::uint64_t ns) noexcept { return ns / 2; }
  /// Length of the window of a single transfer.
  static constexpr std::uint64_t dense_ns(std::uint64_t nbytes) noexcept {
    return 2'000'000 + transfer_ns(nbytes);
  }

  /// Announces a transfer from or to a unit. Called after the transfer has been given to
  /// MPI: the message wakes a sleeping thread of the peer, whose next poll then finds the transfer. If the
  /// message cannot be allocated, none is sent: the transfer is in flight, so the call must not fail.
  /// \param caller  a caller that continues may leave the transfer to the progress threads
  void announce(const RemoteAddress& remote, std::size_t nbytes, Caller caller) noexcept {
    announce_to({remote.unit, remote.absolute}, nbytes, caller);
  }
  /// Announces an operation by a message.
  /// \param is_for_unit  Message::is_for_unit()
  void announce_message(int unit, bool is_for_unit, std::size_t nbytes) noexcept {
    announce_to({unit, is_for_unit}, nbytes, Caller::continues);
  }
  /// Extends this unit's window for a transfer that is not announced here, or an operation of unknown size.
  void extend_own(std::size_t nbytes = 0) noexcept;
  /// Messages of peers have arrived.
  /// \param sender_waits  a caller of a peer waits for the reply
  void messages_arrived(bool sender_waits) noexcept;

  /// A caller begins to wait. If that was soon after it started a large transfer, the progress
  /// threads leave such transfers to the callers, and the peer is notified.
  void caller_waits() noexcept;
  /// The progress thread polls while a large transfer is in flight for which no caller has waited
  /// yet: the caller computes in the meantime.
  void thread_polls() noexcept {
    if (_large_started_at.load(std::memory_order_relaxed) != 0 &&
        _waits_at_once.load(std::memory_order_relaxed))
      _waits_at_once.store(false, std::memory_order_relaxed);
  }

  bool is_own_open(std::uint64_t now) const noexcept { return now < own_end(); }
  /// The time at which this unit's window ends or has ended.
  std::uint64_t own_end() const noexcept { return _own_until.load(std::memory_order_relaxed); }
  bool is_peer_open(std::uint64_t now) const noexcept {
    return now < _peer_until.load(std::memory_order_relaxed);
  }
  /// A caller of a peer waits for operations on memory of this unit, one after the other.
  bool is_peer_waiting(std::uint64_t now) const noexcept {
    return now < _peer_waits_until.load(std::memory_order_relaxed);
  }
  /// A large transfer is in flight, started by this unit or a peer.
  bool is_large_open(std::uint64_t now) const noexcept {
    return now < _large_until.load(std::memory_order_relaxed);
  }
  /// A peer computes during a large transfer and leaves it to the progress threads.
  bool is_peer_computing() const noexcept {
    const std::uint64_t until = _peer_computes_until.load(std::memory_order_relaxed);
    return until != 0 && core::now_ns() < until;
  }

 private:
  /// What this unit has announced to a receiver.
  struct Peer {
    std::atomic<std::uint64_t> attentive_until{0};  // the peer polls
    std::atomic<std::uint64_t> left_until{
        0};  // the same, and large transfers are left to the progress threads
    std::atomic<std::uint64_t> waiting_until{0};  // the same, and a caller waits
    // Processor ticks of the last announcement, and of the last one for a caller that waits.
    std::atomic<std::uint64_t> announced_ticks{0};
    std::atomic<std::uint64_t> waiting_ticks{0};
  };
  /// The receiver of a message: the unit, or the process that serves its heap.
  struct Receiver {
    std::int32_t unit;
    bool is_unit;
  };
  /// Large transfers of this unit that are assumed to be in flight together.
  static constexpr int max_concurrent_peers = 8;

  /// What has been announced to a receiver.
  Peer& peer(const Receiver& receiver) noexcept {
    const std::size_t unit = static_cast<std::size_t>(receiver.unit);
    return _peers[_config.processes.has_progress_processes ? 2 * unit + (receiver.is_unit ? 1 : 0)
                                                           : unit];
  }
  void announce_to(const Receiver& receiver, std::size_t nbytes, Caller caller) noexcept;
  void send_attention(const Receiver& receiver, std::size_t nbytes, Attention attention) noexcept;
  void extend_peer(std::uint64_t nbytes, Attention attention) noexcept;
  void record_large_start(const Receiver& receiver) noexcept;
  void notify_thread() const noexcept;
  void wake_thread() const noexcept;

  const NetworkConfig& _config;
  Messenger& _messenger;
  const FlowControl& _flow;
  CallerActivity& _callers;
  const std::size_t _concurrent_peers;

  alignas(core::cache_line_size) std::atomic<std::uint64_t> _own_until{
      0};  // applies while operations are in flight
  std::atomic<std::uint64_t> _peer_until{0};
  std::atomic<std::uint64_t> _peer_waits_until{0};
  std::atomic<std::uint64_t> _large_until{0};
  std::atomic<std::uint64_t> _peer_computes_until{0};
  // The last large transfer that was started and for which no caller has waited yet: its time (0:
  // none), and the receiver of its announcement.
  std::atomic<std::uint64_t> _large_started_at{0};
  std::atomic<Receiver> _large_receiver{Receiver{0, false}};
  // Callers wait for large transfers right after they start them, as the last one did; then the
  // progress threads do not poll for these.
  std::atomic<bool> _waits_at_once{false};
  std::vector<Peer> _peers;
};

}  // namespace dash::dart
