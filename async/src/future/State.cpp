#include "dash/async/State.h"

#include <algorithm>
#include <mutex>

#include "executor/Scheduler.h"
#include "future/StateGraph.h"
#include "dash/Exception.h"
#include "dash/async/Engine.h"
#include "dash/async/Lazy.h"
#include "dash/async/Running.h"
#include "dash/async/Watch.h"
#include "dash/core/Clock.h"
#include "dash/core/Statistics.h"

namespace dash::exec {

namespace {

/// Between two tests of a lazy state by a wait that ends at a certain time.
constexpr std::uint64_t between_tests_ns = 50'000;

}  // namespace

core::SpinLock& state_graph_lock() noexcept {
  static constinit core::SpinLock lock;
  return lock;
}

Continuation* State::close() noexcept {
  // Sequentially consistent, so that either a thread about to sleep sees this state done or
  // completed() sees that thread.
  return _continuations.exchange(closed(), std::memory_order_seq_cst);
}

Continuation* State::run_all(Continuation* last_first, bool pass_on) noexcept {
  Engine& engine = Engine::instance();
  // The list is last in first out; user continuations are promised the order of attachment.
  Continuation* in_order = nullptr;
  while (last_first != nullptr) {
    Continuation* next = last_first->_next;
    last_first->_next = in_order;
    in_order = last_first;
    last_first = next;
  }
  Continuation* passed_on = nullptr;
  bool ran = false;
  while (in_order != nullptr) {
    Continuation* continuation = in_order;
    in_order = in_order->_next;
    if (continuation->where() == Continuation::Where::inline_) {
      continuation->run();
      ran = true;
    } else if (pass_on && passed_on == nullptr) {
      passed_on = continuation;
    } else {
      engine.post(*continuation);
    }
  }
  // Somebody may wait for what a continuation has done, not only for what close() has.
  if (ran) {
    engine.completed();
  } else {
    engine.closed();
  }
  return passed_on;
}

void State::complete() noexcept {
  run_all(close(), false);
}

Continuation* State::complete_and_pass_on() noexcept {
  Continuation* const list = close();
  const bool is_chain = list != nullptr && list->_next == nullptr &&
                        list->where() == Continuation::Where::user_thread;
  if (!is_chain) return run_all(list, true);
  Engine::instance().closed();
  return list;
}

bool State::attach(Continuation& continuation) noexcept {
  attaching();
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
  Running::check_may_wait_for(*this);
  const Activity activity(*this);
  if (Scheduler::instance().suspend_until(*this)) return;
  Engine::instance().wait_until([this] { return done(); });
}

bool State::wait_until(std::uint64_t deadline_ns) {
  const Activity activity(*this);
  Engine& engine = Engine::instance();
  const auto is_done = [this] { return done(); };
  if (!needs_waiter()) return engine.wait_until(is_done, deadline_ns);
  while (!test()) {
    const std::uint64_t now = core::now_ns();
    if (now >= deadline_ns) return false;
    engine.wait_until(is_done, std::min(deadline_ns, now + between_tests_ns));
  }
  return true;
}

bool State::test() {
  if (done()) return true;
  if (Lazy* const self = lazy()) return self->test(*this);
  Engine::instance().progress();
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
  // The one reference that is left is ours: nobody can add another.
  while (last && last->_references.load(std::memory_order_acquire) == 1)
    last = last->take_upstream();
}

}  // namespace dash::exec
