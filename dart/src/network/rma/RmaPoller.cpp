#include "network/rma/RmaPoller.h"

#include <algorithm>
#include <exception>
#include <mutex>

#include "base/MpiCallGuard.h"
#include "base/MpiCheck.h"
#include "dash/core/Clock.h"
#include "dash/core/OtherProcesses.h"
#include "dash/core/Statistics.h"
#include "dash/core/Trace.h"
#include "network/NetworkFailure.h"
#include "network/rma/TransferStarter.h"

namespace dash::dart {

namespace {

/// Polls that the progress thread skips while a caller starts one operation after another.
constexpr int max_polls_skipped = 3;
/// Dense polling of a caller that waits: rounds, and polls in each. One round only where the unit
/// it waits for may need the processor.
constexpr int max_dense_rounds = 10;
constexpr int polls_per_round = 20;
/// Shortest time between two polls that each interrupt a main thread, while a peer waits for each of its operations.
constexpr std::uint64_t waiting_peer_poll_ns = 5'000;
/// Bounds of the time between two wake-ups of peers that do not respond.
constexpr std::uint64_t shortest_silent_interval_ns = 400'000;
constexpr std::uint64_t longest_silent_interval_ns = 20'000'000;

}  // namespace

/// The completion get of the puts to a target: finishes their second parts.
class RmaPoller::CompletionGet final : public Request {
 public:
  CompletionGet(RequestTable& table, Request* first) noexcept
      : Request(Parts{1}), _table(table), _first(first) {
    release();  // the starter's reference
  }

 private:
  void finish() noexcept override {
    for (Request* put = _first; put != nullptr;) {
      Request* const next =
          put->next_unacknowledged;  // read first: the completed put may be freed and reused
      put->part_finished();
      _table.count_acknowledged();
      put = next;
    }
  }

  RequestTable& _table;
  Request* _first;
};

RmaPoller::RmaPoller(const NetworkConfig& config, RequestTable& table, DeferredPuts& deferred,
                     TransferBatches& batches, DelegatedTransfers& delegated, Messenger& messenger,
                     const FlowControl& flow, PollingWindows& windows, CallerActivity& callers,
                     PeerWakeUp& wake_up) noexcept
    : _config(config),
      _table(table),
      _deferred(deferred),
      _batches(batches),
      _delegated(delegated),
      _messenger(messenger),
      _flow(flow),
      _windows(windows),
      _callers(callers),
      _wake_up(wake_up),
      _dense_rounds(config.oversubscribed ? 1 : max_dense_rounds),
      _application_polls(config.application_poll_ns) {}

exec::Operation RmaPoller::track(MPI_Request mpi_request, int peer) {
  auto* const request = new Request(Request::Parts{1});
  request->set_peer(peer);
  exec::Operation operation(exec::StatePtr<exec::State>::adopt(request));
  _table.add(mpi_request, *request);
  _windows.extend_own();
  return operation;
}

exec::Operation RmaPoller::track(ExpectedMessage& message) {
  exec::Operation operation(exec::StatePtr<exec::State>::adopt(&message.owner()));
  _table.add(message);
  _windows.extend_own();
  return operation;
}

void RmaPoller::wait_for_requests(std::span<MPI_Request> requests, int peer) {
  const auto count = static_cast<int>(requests.size());
  for (int i = 0; i < _dense_rounds * polls_per_round; ++i) {
    const MpiCallGuard guard(_callers.inside_mpi);
    i == 0 ? _callers.polling.count_poll() : _callers.polling.count_next_poll();
    int complete = 0;
    check_mpi(MPI_Testall(count, requests.data(), &complete, MPI_STATUSES_IGNORE), "MPI_Testall",
              peer);
    if (complete != 0) return core::count(core::Counter::waits_spun);
  }
  _windows.extend_own();
  start_and_wait([&](Request& request) {
    request.set_peer(peer);
    // MPI_Testall has freed none of them, because not all were complete.
    for (const MPI_Request part : requests) {
      _table.add(part, request);
      request.add_part();
    }
  });
}

void RmaPoller::wait(exec::State& state) {
  const core::TraceSpan span(core::TraceKind::wait, "wait");
  _callers.polling.count_poll();
  // A round keeps the poll lock: taking it for each poll would take as long as the poll.
  for (int i = 0; i < _dense_rounds && !state.done(); ++i)
    poll_until_found(polls_per_round);
  if (!state.done()) return state.wait();
  core::count(core::Counter::waits_spun);
}

void RmaPoller::poll_until(exec::FunctionRef<bool()> done) noexcept {
  if (!has_short_operations()) return;  // the progress thread polls
  _callers.polling.count_poll();
  for (int i = 0; i < _dense_rounds * polls_per_round && !done(); ++i)
    poll_until_found(1);
}

void RmaPoller::start_deferred_puts() {
  _deferred.start_all([this](const DeferredPuts::Put& put) {
    _table.add_put(TransferStarter::rput(put.dest, put.src, put.nbytes), *put.request, put.dest);
  });
}

void RmaPoller::send_open_batches() {
  while (TransferBatch* const batch = _batches.take())
    _messenger.send(batch->take_message(), batch->unit(), batch);
}

void RmaPoller::start_completion_gets() {
  RequestTable::UnacknowledgedPuts puts;
  while (_table.take_unacknowledged_puts(puts)) {
    auto* const get = new CompletionGet(_table, puts.first);
    _table.add(TransferStarter::rget(&get->completion_byte, puts.dest, 1), *get);
  }
}

/// Any order suffices: the numbers publish no data. A thread that goes to sleep loads them after it has registered
/// with the EventCount, so it reads every change that was notified before.
bool RmaPoller::is_idle() const noexcept {
  return _config.nnodes == 1 && _node_message_users.load(std::memory_order_acquire) == 0 &&
         _flow.in_flight() == 0;
}

exec::Demand RmaPoller::demand() const noexcept {
  if (is_idle()) return exec::Demand::none;
  const std::uint64_t now = core::now_ns();
  if (_windows.is_peer_open(now)) return exec::Demand::busy;
  if (_flow.in_flight() == 0) return exec::Demand::service;
  return _windows.is_own_open(now) ? exec::Demand::busy : exec::Demand::waiting;
}

/// Callers ask for every short wait, and reading the clock takes as long as all other parts of the answer.
bool RmaPoller::has_demand(exec::Demand at_least) const noexcept {
  if (at_least == exec::Demand::busy) return demand() == exec::Demand::busy;
  if (is_idle()) return at_least == exec::Demand::none;
  return at_least != exec::Demand::waiting || _flow.in_flight() != 0 ||
         _windows.is_peer_open(core::now_ns());
}

bool RmaPoller::has_short_operations() const noexcept {
  return !_windows.is_peer_computing();
}

std::uint64_t RmaPoller::shortest_poll_interval_ns() const noexcept {
  const std::uint64_t now = core::now_ns();
  if (_windows.is_peer_waiting(now)) return waiting_peer_poll_ns;
  return _windows.is_large_open(now) ? exec::large_operation_poll_ns : 0;
}

/// Whether the progress thread skips a poll, because callers are inside MPI, poll, or start
/// operations: it would contend with them for MPI's lock and for cache lines that both write.
bool RmaPoller::thread_yields_to_callers() noexcept {
  const bool callers_poll = _callers.polling.check();
  // Relaxed: a hint. An old value only changes when the thread polls.
  if (callers_poll || _callers.inside_mpi.load(std::memory_order_relaxed)) return true;
  // A caller that starts operations polls or computes afterwards; the number of skipped polls is
  // limited.
  const std::uint64_t added = _table.added() + _batches.added();
  if (added != _seen_added && _polls_skipped < max_polls_skipped) {
    _seen_added = added;
    ++_polls_skipped;
    return true;
  }
  _polls_skipped = 0;
  return false;
}

RmaPoller::Words RmaPoller::service_words(std::span<core::FutexWord> words) noexcept {
  // Messages would wake the thread for nothing while callers poll. Those of the application wake no thread. And while
  // this unit's polling window is open, the thread is not notified of every operation.
  if (!_wake_up.is_possible() || words.empty() || _callers.polling.was_active() ||
      _application_polls.are_frequent() || _windows.is_own_open(core::now_ns()))
    return {};
  Words result;
  words[0] = _wake_up.sleep_word();
  result.count = 1;
  // A message that was sent before does not wake the thread.
  const Poll poll = try_poll(1);
  // A caller polls at the moment, and may have looked for messages before that one arrived: the thread sleeps for a
  // limited time. It must not repeat its polls, since the caller may wait for this processor.
  if (poll == Poll::locked) {
    _wake_up.stay_awake();  // it does not sleep on the word
    return {};
  }
  result.found = poll == Poll::found;
  return result;
}

bool RmaPoller::poll() noexcept {
  // Also called while idle: otherwise a later check would count polls that callers made long
  // before.
  if (exec::on_progress_thread()) _wake_up.stay_awake();
  const bool yields = exec::on_progress_thread() && thread_yields_to_callers();
  if (is_idle() && !exec::on_progress_thread()) poll_for_others();
  if (is_idle() || yields) return false;
  if (exec::on_progress_thread()) {
    _windows.thread_polls();
  } else {
    _callers.polling.count_poll();
  }
  const Poll result = try_poll(1);
  // Only here: dense polling ends before a peer counts as silent.
  if (result == Poll::nothing && _wake_up.is_possible()) wake_silent_peers();
  return result == Poll::found;
}

/// If operations of this unit take longer than their polling window, wakes other units. Their targets may have to
/// poll more often than they do after a message.
void RmaPoller::wake_silent_peers() noexcept {
  if (_flow.in_flight() == 0) return;
  const std::uint64_t now = core::now_ns();
  if (_windows.is_own_open(now)) return;
  const std::uint64_t silent_for = now - _windows.own_end();
  _wake_up.wake_silent(
      now, std::clamp(silent_for / 8, shortest_silent_interval_ns, longest_silent_interval_ns));
}

/// Makes progress for MPI calls of the application. This function allocates nothing, because a caller may wait while it
/// handles a failed allocation.
void RmaPoller::poll_for_others() noexcept {
  if (!_application_polls.are_due() || !_poll_lock.try_lock()) return;
  std::lock_guard lock(_poll_lock, std::adopt_lock);
  try {
    _application_polls.poll(_messenger);
  } catch (const std::exception& error) {
    abort_after_network_failure(_config.processes.communicator, error);
  }
}

/// Polls at most `times` times, until a message has arrived or a part has finished; not at all if another thread
/// polls.
RmaPoller::Poll RmaPoller::try_poll(int times) noexcept {
  if (!_poll_lock.try_lock()) return Poll::locked;
  FinishedParts finished;
  auto arrived = Messenger::Arrived::nothing;
  try {
    std::lock_guard lock(_poll_lock, std::adopt_lock);
    _batches.begin_poll();
    start_deferred_puts();
    start_completion_gets();
    send_open_batches();
    core::after_other_processes();
    for (int i = 0; i < times && arrived == Messenger::Arrived::nothing && finished.empty(); ++i) {
      arrived = _messenger.handle_arrived(finished);
      if (finished.empty()) _table.test(finished);
      _delegated.take_finished(finished);
    }
    core::before_other_processes();
  } catch (const std::exception& error) {
    abort_after_network_failure(_config.processes.communicator, error);
  }
  const bool has_messages = arrived != Messenger::Arrived::nothing;
  if (!has_messages && finished.empty()) return Poll::nothing;
  if (has_messages)
    _windows.messages_arrived(arrived == Messenger::Arrived::message_of_waiting_caller);
  for (Request* const request : finished)
    request->part_finished();
  _table.count_finished(finished.size());
  exec::Engine::instance().completed();
  return Poll::found;
}

}  // namespace dash::dart
