// What the driver does when it is polled, and what it wants of the engine.

#include <mutex>

#include "base/MpiCheck.h"
#include "network/rma/RmaDriver.h"
#include "dash/core/Clock.h"
#include "dash/core/OtherProcesses.h"

namespace dash::dart {

namespace {

/// Polls that the thread leaves out while a caller starts one operation after the other.
constexpr int longest_standing_back = 3;

}  // namespace

/// The get that confirms several puts to a target.
class RmaDriver::Confirmation final : public Request {
 public:
  Confirmation(RequestTable& table, Request* first) noexcept
      : Request(OnePart()), _table(table), _first(first) {
    release();  // the starter's
  }

 private:
  void finish() noexcept override {
    // A put that is told may be gone, and another one in its place.
    for (Request* put = _first; put != nullptr;) {
      Request* const next = put->next_unconfirmed;
      put->part_finished();
      _table.count_out_confirmed();
      put = next;
    }
  }

  RequestTable& _table;
  Request* _first;
};

void RmaDriver::start_handed_puts() {
  _handed.start_all([this](const DeferredPuts::Put& put) {
    _table.add_put(start_put(put.dest, put.src, put.nbytes), *put.request, put.dest);
  });
}

void RmaDriver::send_started_bundles() {
  while (TransferBatch* const bundle = _bundles.take())
    _messenger.send(bundle->take_message(), bundle->unit(), bundle);
}

void RmaDriver::confirm_started_puts() {
  RequestTable::Unconfirmed puts;
  while (_table.take_unconfirmed(puts)) {
    auto* const confirmation = new Confirmation(_table, puts.first);
    _table.add(start_get(&confirmation->landing_byte, puts.dest, 1), *confirmation);
  }
}

bool RmaDriver::idle() const noexcept {
  return _session.layout().nnodes == 1 && _services.load(std::memory_order_acquire) == 0 &&
         in_flight() == 0;
}

exec::Demand RmaDriver::demand() const noexcept {
  if (idle()) return exec::Demand::none;
  const std::uint64_t now = core::now_ns();
  if (now < _peer_dense_until.load(std::memory_order_relaxed)) return exec::Demand::busy;
  if (in_flight() == 0) return exec::Demand::service;
  return now < _own_dense_until.load(std::memory_order_relaxed) ? exec::Demand::busy
                                                                : exec::Demand::waiting;
}

bool RmaDriver::quick() const noexcept {
  return core::now_ns() >= _peer_computes_until.load(std::memory_order_relaxed);
}

bool RmaDriver::moves_much() const noexcept {
  return core::now_ns() < _large_until.load(std::memory_order_relaxed);
}

bool RmaDriver::thread_stands_back() noexcept {
  const bool callers_poll = _caller_polls.look();
  if (callers_poll || _caller_inside.load(std::memory_order_relaxed)) return true;
  // Who only starts operations polls in the end, or computes; not for ever, though.
  const std::uint64_t added = _table.added() + _bundles.added();
  if (added != _seen_added && _times_stood_back < longest_standing_back) {
    _seen_added = added;
    ++_times_stood_back;
    return true;
  }
  _times_stood_back = 0;
  return false;
}

bool RmaDriver::poll() noexcept {
  // Also while idle: callers that polled before are not to be taken for polling now.
  const bool left_to_callers = exec::on_progress_thread() && thread_stands_back();
  if (idle() || left_to_callers) return false;
  if (!exec::on_progress_thread()) {
    _caller_polls.count();
  } else if (has_large_start() && _waits_at_once.load(std::memory_order_relaxed)) {
    // This time the caller does something else.
    _waits_at_once.store(false, std::memory_order_relaxed);
  }
  return poll_until_found(1);
}

/// Polls at most so many times, until something is found.
bool RmaDriver::poll_until_found(int times) noexcept {
  if (!_poll_lock.try_lock()) return false;
  FinishedParts finished;
  bool served = false;
  try {
    std::lock_guard lock(_poll_lock, std::adopt_lock);
    _rounds.store(_rounds.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    start_handed_puts();
    confirm_started_puts();
    send_started_bundles();
    core::after_other_processes();
    for (int i = 0; i < times && !served && finished.empty(); ++i) {
      served = _messenger.serve(finished);
      if (finished.empty()) _table.test(finished);
    }
    core::before_other_processes();
  } catch (const std::exception& error) {
    abort(error);
  }
  if (!served && finished.empty()) return false;
  if (served) peer_is_busy(0, false);
  for (Request* const request : finished)
    request->part_finished();
  _table.count_out(finished.size());
  exec::Engine::instance().completed();
  return true;
}

}  // namespace dash::dart
