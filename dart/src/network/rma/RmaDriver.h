#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "network/NetworkConfig.h"
#include "network/messages/ActiveMessageHandlers.h"
#include "network/messages/Messenger.h"
#include "network/messages/PeerWakeUp.h"
#include "network/rma/BlockingTransfers.h"
#include "network/rma/FlowControl.h"
#include "network/rma/RmaPoller.h"
#include "network/rma/SignalMessages.h"
#include "network/rma/TransferProtocols.h"
#include "network/rma/TransferStarter.h"

namespace dash::dart {

/// Owns the parts of the network subsystem: communication between units that share no memory.
///
/// Callers start their operations on their own threads, through starter(), blocking() and
/// signals(); the poller completes them.
class RmaDriver {
 public:
  explicit RmaDriver(const NetworkConfig& config)
      : _config(config),
        _received_before(received_word().load(std::memory_order_acquire)),
        _batches(config.nunits),
        _delegated(_config.delegation, _table),
        _wake_up(config.wake_words, config.unit),
        _messenger(_config.processes, _config.received, _table, _wake_up),
        _handlers(_messenger, _config.heaps),
        _flow(_table, _deferred, _batches),
        _windows(_config, _messenger, _flow, _callers),
        _starter(_config, _protocols, _table, _deferred, _batches, _delegated, _messenger, _windows,
                 _callers),
        _poller(_config, _table, _deferred, _batches, _delegated, _messenger, _flow, _windows,
                _callers, _wake_up),
        _blocking(_config, _protocols, _starter, _poller, _windows, _callers),
        _signals(_messenger, _table, _windows, _callers) {}
  RmaDriver(const RmaDriver&) = delete;
  RmaDriver& operator=(const RmaDriver&) = delete;

  bool has_progress_processes() const noexcept { return _config.processes.has_progress_processes; }
  const TransferProtocols& protocols() const noexcept { return _protocols; }
  /// \pre no transfer is in flight
  void set_protocols(const TransferProtocols& protocols) noexcept { _protocols = protocols; }

  TransferStarter& starter() noexcept { return _starter; }
  BlockingTransfers& blocking() noexcept { return _blocking; }
  SignalMessages& signals() noexcept { return _signals; }
  FlowControl& flow() noexcept { return _flow; }
  RmaPoller& poller() noexcept { return _poller; }
  Messenger& messenger() noexcept { return _messenger; }

  /// See FlowControl.
  std::size_t in_flight() const noexcept { return _flow.in_flight(); }
  /// See TransferStarter.
  void send(std::unique_ptr<Message> message, int unit, std::size_t nbytes,
            Request* reply_to = nullptr) {
    _starter.send(std::move(message), unit, nbytes, reply_to);
  }
  /// See RmaPoller.
  /// @{
  exec::Operation track(MPI_Request request, int peer) { return _poller.track(request, peer); }
  exec::Operation track(ExpectedMessage& message) { return _poller.track(message); }
  void wait_for_requests(std::span<MPI_Request> requests, int peer) {
    _poller.wait_for_requests(requests, peer);
  }
  void begin_node_messages() noexcept { _poller.begin_node_messages(); }
  void end_node_messages() noexcept { _poller.end_node_messages(); }
  /// @}
  /// Returns when MPI does not read memory of this unit that other units have requested. \pre they have received the data,
  ///         so that this takes a few polls
  void wait_for_sends(const char* begin, std::uint64_t nbytes) {
    exec::Engine::instance().wait_until([&] { return !_handlers.sends().overlap(begin, nbytes); });
  }
  /// Active messages other than replies: sent to each unit, and handled on behalf of this unit, since
  /// construction.
  std::vector<std::uint64_t> sent() const { return _messenger.sent(); }
  std::uint64_t received() const noexcept {
    return received_word().load(std::memory_order_acquire) - _received_before;
  }

 private:
  /// Loaded with acquire: a caller that reads a number sees the effects of the messages that were counted with
  /// release. The word changes only by read-modify-writes, which continue the release sequence.
  const std::atomic<std::uint64_t>& received_word() const noexcept {
    return *_config.received[static_cast<std::size_t>(_config.unit)];
  }

  const NetworkConfig _config;
  const std::uint64_t _received_before;
  TransferProtocols _protocols;
  CallerActivity _callers;
  RequestTable _table;
  DeferredPuts _deferred;
  TransferBatches _batches;
  DelegatedTransfers _delegated;
  PeerWakeUp _wake_up;
  Messenger _messenger;
  ActiveMessageHandlers _handlers;
  FlowControl _flow;
  PollingWindows _windows;
  TransferStarter _starter;
  RmaPoller _poller;
  BlockingTransfers _blocking;
  SignalMessages _signals;
};

}  // namespace dash::dart
