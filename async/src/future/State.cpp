#include "dash/async/State.h"

#include <algorithm>
#include <mutex>

#include "base/ProgressService.h"
#include "dash/Exception.h"
#include "dash/async/ComputationScope.h"
#include "dash/async/Lazy.h"
#include "dash/async/Watch.h"
#include "dash/core/Clock.h"
#include "dash/core/Statistics.h"
#include "future/StateGraph.h"

namespace dash::exec {

namespace {

/// Interval between two tests of a lazy state by a wait with a deadline.
constexpr std::uint64_t lazy_test_interval_ns = 50'000;

}  // namespace

core::SpinLock& state_graph_lock() noexcept {
  static constinit core::SpinLock lock;
  return lock;
}

void Continuation::post() noexcept {
  ProgressService& service = progress_service();
  service.post(*this);
  service.notify_state_closed();
}

Continuation* State::close() noexcept {
  // Sequentially consistent: either a thread that is about to sleep sees that this state is done, or
  // notify_state_closed() sees that thread.
  return _continuations.exchange(closed(), std::memory_order_seq_cst);
}

Continuation* State::run_all(Continuation* last_first, bool take_next) noexcept {
  ProgressService& service = progress_service();
  // The list is last in, first out; continuations of the application run in the order of attachment.
  Continuation* in_order = nullptr;
  while (last_first != nullptr) {
    Continuation* next = last_first->_next;
    last_first->_next = in_order;
    in_order = last_first;
    last_first = next;
  }
  Continuation* next_to_run = nullptr;
  bool ran = false;
  while (in_order != nullptr) {
    Continuation* continuation = in_order;
    in_order = in_order->_next;
    if (continuation->is_inline()) {
      continuation->run();
      ran = true;
    } else if (take_next && next_to_run == nullptr) {
      next_to_run = continuation;
    } else {
      service.post(*continuation);
    }
  }
  // A thread may wait for an effect of a continuation, not only for that of close().
  if (ran) {
    service.notify_completion();
  } else {
    service.notify_state_closed();
  }
  return next_to_run;
}

void State::complete() noexcept {
  run_all(close(), false);
}

Continuation* State::complete_and_take_next() noexcept {
  Continuation* const list = close();
  const bool is_chain = list != nullptr && list->_next == nullptr && !list->is_inline();
  if (!is_chain) return run_all(list, true);
  progress_service().notify_state_closed();
  return list;
}

bool State::attach(Continuation& continuation) noexcept {
  attaching(continuation.where());
  // Release: the exchange in close() acquires the continuation; later read-modify-writes continue the release
  // sequence. Acquire: a caller that reads closed() sees the result.
  Continuation* head = _continuations.load(std::memory_order_acquire);
  do {
    if (head == closed()) return false;
    continuation._next = head;
  } while (!_continuations.compare_exchange_weak(head, &continuation, std::memory_order_acq_rel,
                                                 std::memory_order_acquire));
  return true;
}

void State::wait() {
  if (done()) return core::count(core::Counter::waits_ready);
  if (Lazy* const self = lazy()) return self->wait(*this);
  ComputationScope::check_may_wait_for(*this);
  const Activity activity(*this);
  progress_service().wait_for(*this);
}

bool State::wait_until(std::uint64_t deadline_ns) {
  const Activity activity(*this);
  ProgressService& service = progress_service();
  const auto is_done = [this] { return done(); };
  if (!needs_waiter()) return service.wait_until(is_done, deadline_ns);
  while (!test()) {
    const std::uint64_t now = core::now_ns();
    if (now >= deadline_ns) return false;
    service.wait_until(is_done, std::min(deadline_ns, now + lazy_test_interval_ns));
  }
  return true;
}

bool State::test() {
  if (done()) return true;
  if (Lazy* const self = lazy()) return self->test(*this);
  progress_service().progress();
  return done();
}

bool State::cancel() noexcept {
  if (!cancel_this()) return false;
  StatePtr<State> next = upstream();
  while (next && next->cancel_this())
    next = next->upstream();
  return true;
}

void State::fail_cancelled() noexcept {
  _error = std::make_exception_ptr(
      exception::Cancelled("cancelled before it began: this future has no value"));
  Continuation* list = nullptr;
  {
    std::lock_guard lock(state_graph_lock());
    list = close();
  }
  run_all(list, false);
}

StatePtr<State> State::upstream() noexcept {
  return {};
}

StatePtr<State> State::take_upstream() noexcept {
  return {};
}

void State::drop_chain(StatePtr<State> last) noexcept {
  // The caller holds the only reference: no other thread can add one.
  while (last && last->_references.load(std::memory_order_acquire) == 1)
    last = last->take_upstream();
}

}  // namespace dash::exec
