#include "dash/async/Lazy.h"

#include "dash/async/Engine.h"
#include "dash/async/Running.h"
#include "dash/async/Watch.h"

namespace dash::exec {

/// \pre this is claimed
/// \returns the one to begin with; all up to this are claimed
Lazy* Lazy::claim_chain() noexcept {
  _downstream = nullptr;
  Lazy* first = this;
  // Who claims a state owns what it waits for, so that the next one cannot go away.
  for (Lazy* next = first_to_compute(); next != nullptr && next->claim();
       next = first->first_to_compute()) {
    next->_downstream = first;
    first = next;
  }
  return first;
}

void Lazy::unclaim(Lazy* first) noexcept {
  while (first != nullptr) {
    Lazy* const next = first->_downstream;
    first->_claimed.store(false, std::memory_order_seq_cst);
    first = next;
  }
  // Somebody may wait until it is done or unclaimed.
  Engine::instance().completed();
}

void Lazy::wait(State& self) {
  while (!self.done()) {
    if (!claim()) {
      Running::check_may_wait_for(self);
      const Activity activity(self);
      Engine::instance().wait_until(
          [&] { return self.done() || !_claimed.load(std::memory_order_seq_cst); });
      continue;
    }
    for (Lazy* next = claim_chain(); next != nullptr;) {
      Lazy* const current = next;
      next = current->_downstream;  // who comes next lets go of this one
      current->compute();
    }
  }
}

bool Lazy::test(State& self) {
  if (self.done()) return true;
  if (!claim()) {
    Engine::instance().progress();
    return self.done();
  }
  for (Lazy* next = claim_chain(); next != nullptr;) {
    Lazy* const current = next;
    next = current->_downstream;
    if (!current->try_compute()) {
      unclaim(current);
      return false;
    }
  }
  return true;
}

}  // namespace dash::exec
