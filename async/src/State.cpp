#include "dash/async/State.h"

#include "Scheduler.h"
#include "dash/async/Engine.h"

namespace dash::exec {

void State::complete() noexcept {
  // Sequentially consistent, so that either a thread about to sleep sees this state done or
  // completed() sees that thread.
  Continuation* list = _continuations.exchange(closed(), std::memory_order_seq_cst);
  Engine& engine = Engine::instance();
  // The list is last in first out; user continuations are promised the order of attachment.
  Continuation* in_order = nullptr;
  while (list != nullptr) {
    Continuation* next = list->_next;
    list->_next = in_order;
    in_order = list;
    list = next;
  }
  while (in_order != nullptr) {
    Continuation* continuation = in_order;
    in_order = in_order->_next;
    if (continuation->where() == Continuation::Where::inline_) {
      continuation->run();
    } else {
      engine.post(*continuation);
    }
  }
  engine.completed();
}

bool State::attach(Continuation& continuation) noexcept {
  const bool user = continuation.where() == Continuation::Where::user_thread;
  Continuation* head = _continuations.load(std::memory_order_acquire);
  do {
    if (head == closed()) return false;
    continuation._next = head;
  } while (!_continuations.compare_exchange_weak(head, &continuation, std::memory_order_acq_rel,
                                                 std::memory_order_acquire));
  if (user) Engine::instance().expect_continuation();
  return true;
}

void State::wait() {
  if (done() || Scheduler::instance().suspend_until(*this)) return;
  Engine::instance().wait_until([this] { return done(); });
}

bool State::test() {
  if (done()) return true;
  Engine::instance().progress();
  return done();
}

}  // namespace dash::exec
