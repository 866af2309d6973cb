#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <span>

#include "dash/async/Engine.h"
#include "dash/async/FunctionRef.h"
#include "dash/async/Operation.h"
#include "dash/async/PollSource.h"
#include "dash/core/Spin.h"
#include "network/NetworkConfig.h"
#include "network/messages/Messenger.h"
#include "network/messages/PeerWakeUp.h"
#include "network/rma/ApplicationPolls.h"
#include "network/rma/CallerActivity.h"
#include "network/rma/DeferredPuts.h"
#include "network/rma/DelegatedTransfers.h"
#include "network/rma/FlowControl.h"
#include "network/rma/PollingWindows.h"
#include "network/rma/RequestTable.h"
#include "network/rma/TransferBatches.h"

namespace dash::dart {

/// Polls the network: starts deferred puts and completion gets, sends batches, handles messages,
/// and tests MPI requests.
///
/// One thread polls at a time, under the poll lock. It reports finished parts after it has released
/// the lock. No poll blocks inside MPI: a flush would hold MPI's lock until its target makes
/// progress.
class RmaPoller final : public exec::FastPollSource {
 public:
  RmaPoller(const NetworkConfig& config, RequestTable& table, DeferredPuts& deferred,
            TransferBatches& batches, DelegatedTransfers& delegated, Messenger& messenger,
            const FlowControl& flow, PollingWindows& windows, CallerActivity& callers,
            PeerWakeUp& wake_up) noexcept;

  /// The operation that is complete when an MPI request of the caller is.
  /// \param peer  the unit that an error names
  exec::Operation track(MPI_Request request, int peer);
  /// The operation that is complete when the message has been received. Takes over the starter's
  /// reference to its owner.
  exec::Operation track(ExpectedMessage& message);

  /// Returns when all of the caller's MPI requests are complete. For some microseconds it tests
  /// these requests only: for operations that take that long.
  /// \param peer  the unit that an error names
  void wait_for_requests(std::span<MPI_Request> requests, int peer);

  /// Returns when the state is done. Polls densely before it sleeps, for operations of about a
  /// microsecond.
  void wait(exec::State& state);

  /// Starts an operation with as many parts as begin(request) adds, and waits for it. \pre exec::may_wait()
  template <class Begin>
  void start_and_wait(Begin begin) {
    const auto request = exec::StatePtr<Request>::adopt(new Request());
    {
      const RequestStart start(*request);
      begin(*request);
    }
    wait(*request);
  }

  /// Between these calls the units of one node send each other messages, too: while registered
  /// memory exists, or a unit counts the messages that arrive. \threads thread-safe
  void begin_node_messages() noexcept {
    // The progress thread, or callers that poll in its place, may sleep without a timeout.
    _node_message_users.fetch_add(1, std::memory_order_release);
    exec::Engine& engine = exec::Engine::instance();
    if (_config.thread_may_poll) {
      engine.notify();
    } else {
      engine.wake_callers();
    }
  }
  void end_node_messages() noexcept { _node_message_users.fetch_sub(1, std::memory_order_release); }

  /// The application makes MPI calls: waiting callers poll MPI often, unless a setting forbids it.
  void poll_for_application() noexcept { _application_polls.make_frequent(); }

  bool poll() noexcept override;
  exec::Demand demand() const noexcept override;
  bool has_demand(exec::Demand at_least) const noexcept override;
  bool thread_may_poll() const noexcept override { return _config.thread_may_poll; }
  bool polled_by_callers() const noexcept override { return _callers.polling.was_active(); }
  bool is_polled_by_callers_now() const noexcept override {
    return _callers.polling.is_active_now();
  }
  bool has_short_operations() const noexcept override;
  bool progresses_by_polling() const noexcept override { return true; }
  std::uint64_t shortest_poll_interval_ns() const noexcept override;
  /// While all units are on one node, this library does not need MPI, but an MPI call of the application at
  /// another unit may need progress of this unit.
  std::uint64_t idle_poll_interval_ns() const noexcept override {
    return is_idle() ? _application_polls.interval_ns() : 0;
  }
  void on_caller_wait() noexcept override { _windows.caller_waits(); }
  /// The word on which other units wake the progress thread, if they can, and callers do not poll.
  Words service_words(std::span<core::FutexWord> words) noexcept override;
  void poll_until(exec::FunctionRef<bool()> done) noexcept override;

 private:
  class CompletionGet;

  enum class Poll { found, nothing, locked };
  Poll try_poll(int times) noexcept;
  bool poll_until_found(int times) noexcept { return try_poll(times) == Poll::found; }
  void start_deferred_puts();
  void start_completion_gets();
  void send_open_batches();
  bool thread_yields_to_callers() noexcept;
  void wake_silent_peers() noexcept;
  void poll_for_others() noexcept;
  /// No operation of this unit uses MPI, and no other unit sends messages to it.
  bool is_idle() const noexcept;

  const NetworkConfig& _config;
  RequestTable& _table;
  DeferredPuts& _deferred;
  TransferBatches& _batches;
  DelegatedTransfers& _delegated;
  Messenger& _messenger;
  const FlowControl& _flow;
  PollingWindows& _windows;
  CallerActivity& _callers;
  PeerWakeUp& _wake_up;
  const int _dense_rounds;  // rounds of dense polling by a caller that waits

  alignas(core::cache_line_size) core::SpinLock _poll_lock;
  // Any order suffices: it publishes no data. The notification in begin_node_messages() orders the
  // increment with the check of a thread that goes to sleep (EventCount).
  std::atomic<int> _node_message_users{0};
  ApplicationPolls _application_polls;
  // These two belong to the progress thread.
  std::uint64_t _seen_added = 0;
  int _polls_skipped = 0;
};

}  // namespace dash::dart
