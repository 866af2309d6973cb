#include "dash/async/Lazy.h"

#include "base/ProgressService.h"
#include "dash/async/ComputationScope.h"
#include "dash/async/Watch.h"

namespace dash::exec {

/// Claims the lazy states that this one depends on.
/// \pre this is claimed
/// \returns the state to compute first; `_downstream` leads from it to this one
Lazy* Lazy::claim_chain() noexcept {
  _downstream = nullptr;
  Lazy* first = this;
  // The owner of a claim also owns the states on which that state depends, so `next` stays alive.
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
  // Other threads may wait until the states are done or unclaimed.
  progress_service().notify_completion();
}

void Lazy::wait(State& self) {
  while (!self.done()) {
    if (!claim()) {
      ComputationScope::check_may_wait_for(self);
      const Activity activity(self);
      progress_service().wait_until(
          [&] { return self.done() || !_claimed.load(std::memory_order_seq_cst); }, no_deadline);
      continue;
    }
    for (Lazy* next = claim_chain(); next != nullptr;) {
      Lazy* const current = next;
      next = current->_downstream;  // read before: the next state may release this one
      current->compute();
    }
  }
}

bool Lazy::test(State& self) {
  if (self.done()) return true;
  if (!claim()) {
    progress_service().progress();
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
