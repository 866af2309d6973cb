#include "network/rma/PollingWindows.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "base/MpiCallGuard.h"
#include "base/ProcessorTicks.h"
#include "dash/async/Engine.h"
#include "dash/core/Clock.h"
#include "network/NetworkFailure.h"

namespace dash::dart {

namespace {

/// A time between 25 us and 0.7 ms.
constexpr std::uint64_t announcement_ticks = std::uint64_t{1} << 17;

/// A caller that waits within this time after it started a large transfer did not compute in the
/// meantime.
constexpr std::uint64_t at_once_ns = 10'000;

/// A peer that waits for a reply usually sends its next message within this time.
constexpr std::uint64_t next_operation_ns = 200'000;

/// Relaxed, like all accesses in this file: the times publish no data, and a lost update only shortens a window or
/// sends another message.
void raise_to(std::atomic<std::uint64_t>& until, std::uint64_t wanted) noexcept {
  if (until.load(std::memory_order_relaxed) < wanted)
    until.store(wanted, std::memory_order_relaxed);
}

/// End of the window of a transfer that starts `now`, if the current window ends at `current`.
/// Large transfers share memory or the network with those in flight, and take as long as all of
/// them together.
/// \param count  transfers that may be in flight together
std::uint64_t window_end(std::uint64_t now, std::uint64_t nbytes, std::uint64_t current,
                         std::size_t count) noexcept {
  const std::uint64_t alone = now + PollingWindows::dense_ns(nbytes);
  if (nbytes <= PollingWindows::small_transfer || current <= now) return alone;
  return std::max(alone, std::min(current + PollingWindows::transfer_ns(nbytes),
                                  now + PollingWindows::dense_ns(nbytes * count)));
}

}  // namespace

PollingWindows::PollingWindows(const NetworkConfig& config, Messenger& messenger,
                               const FlowControl& flow, CallerActivity& callers)
    : _config(config),
      _messenger(messenger),
      _flow(flow),
      _callers(callers),
      _concurrent_peers(
          static_cast<std::size_t>(std::clamp(config.nunits - 1, 1, max_concurrent_peers))),
      _peers(static_cast<std::size_t>(config.nunits) *
             (config.processes.has_progress_processes ? 2 : 1)) {
  messenger.set_handler(MessageKind::attention, this,
                        [](void* self, int, const Message& message, FinishedParts&) {
                          static_cast<PollingWindows*>(self)->extend_peer(
                              message.location, static_cast<Attention>(message.value));
                        });
}

void PollingWindows::messages_arrived(bool sender_waits) noexcept {
  const std::uint64_t now = core::now_ns();
  raise_to(_peer_until, now + dense_ns(0));
  if (sender_waits) raise_to(_peer_waits_until, now + next_operation_ns);
}

void PollingWindows::extend_peer(std::uint64_t nbytes, Attention attention) noexcept {
  const bool left_to_progress_thread = attention == Attention::progress_thread;
  const std::uint64_t current = _peer_until.load(std::memory_order_relaxed);
  const std::uint64_t until = window_end(core::now_ns(), nbytes, current, _concurrent_peers);
  raise_to(_peer_until, until);
  if (attention == Attention::waiting_caller) raise_to(_peer_waits_until, until);
  if (nbytes <= small_transfer) return;
  raise_to(_large_until, until);
  _peer_computes_until.store(left_to_progress_thread ? until : 0, std::memory_order_relaxed);
  if (left_to_progress_thread) wake_thread();
}

void PollingWindows::announce_to(const Receiver& receiver, std::size_t nbytes,
                                 Caller caller) noexcept {
  const bool continues = caller == Caller::continues;
  Peer& peer = this->peer(receiver);
  const std::uint64_t ticks = processor_ticks();
  std::atomic<std::uint64_t>& last_ticks = continues ? peer.announced_ticks : peer.waiting_ticks;
  if (ticks - last_ticks.load(std::memory_order_relaxed) < announcement_ticks &&
      nbytes <= small_transfer) {
    return;  // both windows had at least a millisecond left some microseconds ago
  }
  const std::uint64_t now = core::now_ns();
  const std::uint64_t own = _own_until.load(std::memory_order_relaxed);
  const std::uint64_t wanted = window_end(now, nbytes, own, _flow.in_flight() + 1);
  const std::uint64_t enough = now + (wanted - now) / 2;
  if (nbytes > small_transfer) raise_to(_large_until, wanted);
  if (own < enough) {
    // The progress thread polls periodically until the window ends, so it need not be notified of
    // every operation.
    _own_until.store(wanted, std::memory_order_relaxed);
    notify_thread();
  }
  const bool leaves =
      continues && nbytes > small_transfer && !_waits_at_once.load(std::memory_order_relaxed);
  std::atomic<std::uint64_t>& announced = leaves      ? peer.left_until
                                          : continues ? peer.attentive_until
                                                      : peer.waiting_until;
  if (announced.load(std::memory_order_relaxed) < enough) {
    announced.store(wanted, std::memory_order_relaxed);
    if (nbytes > small_transfer) {
      for (auto* const other : {&peer.attentive_until, &peer.left_until, &peer.waiting_until}) {
        if (other != &announced) other->store(0, std::memory_order_relaxed);
      }
    }
    send_attention(receiver, bytes_within(wanted - now - dense_ns(0)),
                   leaves      ? Attention::progress_thread
                   : continues ? Attention::some_call
                               : Attention::waiting_caller);
  }
  last_ticks.store(ticks, std::memory_order_relaxed);
  if (continues && nbytes > small_transfer) record_large_start(receiver);
}

void PollingWindows::send_attention(const Receiver& receiver, std::size_t nbytes,
                                    Attention attention) noexcept {
  if (!_config.sends_attention) return;
  // Progress processes with their own processors poll all the time.
  if (_config.processes.has_progress_processes && !receiver.is_unit && !_config.oversubscribed)
    return;
  try {
    auto message = std::make_unique<Message>(MessageKind::attention);
    message->location = nbytes;
    message->value = static_cast<std::uint32_t>(attention);
    message->flags = receiver.is_unit ? Message::absolute_location : 0;
    const MpiCallGuard guard(_callers.inside_mpi);
    _messenger.send(std::move(message), receiver.unit);
  } catch (const std::bad_alloc&) {
    // The transfer completes without the message, but later.
  } catch (const std::exception& error) {
    abort_after_network_failure(_config.processes.communicator, error);
  }
}

void PollingWindows::notify_thread() const noexcept {
  if (_config.thread_may_poll) exec::Engine::instance().notify_soon();
}

void PollingWindows::wake_thread() const noexcept {
  if (_config.thread_may_poll) exec::Engine::instance().wake_progress_thread();
}

void PollingWindows::extend_own(std::size_t nbytes) noexcept {
  const std::uint64_t now = core::now_ns();
  if (_own_until.load(std::memory_order_relaxed) >= now + dense_ns(nbytes) / 2) return;
  _own_until.store(now + dense_ns(nbytes), std::memory_order_relaxed);
  notify_thread();
}

void PollingWindows::record_large_start(const Receiver& receiver) noexcept {
  _large_receiver.store(receiver, std::memory_order_relaxed);
  _large_started_at.store(core::now_ns(), std::memory_order_relaxed);
  if (!_waits_at_once.load(std::memory_order_relaxed)) wake_thread();
}

void PollingWindows::caller_waits() noexcept {
  const std::uint64_t started_at = _large_started_at.load(std::memory_order_relaxed);
  if (started_at == 0) return;
  _large_started_at.store(0, std::memory_order_relaxed);
  const std::uint64_t now = core::now_ns();
  const bool at_once = now - started_at < at_once_ns;
  if (_waits_at_once.load(std::memory_order_relaxed) == at_once) return;
  _waits_at_once.store(at_once, std::memory_order_relaxed);
  if (!at_once) return;
  const Receiver receiver = _large_receiver.load(std::memory_order_relaxed);
  Peer& peer = this->peer(receiver);
  const std::uint64_t left_until = peer.left_until.exchange(0, std::memory_order_relaxed);
  if (left_until <= now) return;
  send_attention(receiver, small_transfer + bytes_within(left_until - now),
                 Attention::waiting_caller);
}

}  // namespace dash::dart
