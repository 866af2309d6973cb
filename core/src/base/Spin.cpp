#include "dash/core/Spin.h"

#include <sched.h>

namespace dash::core {

void SpinLock::lock_contended() noexcept {
  // About ten microseconds in total: longer than any suitable critical section, shorter than a time slice.
  constexpr int max_spins = 256;
  int spins = 0;
  while (!try_lock()) {
    if (spins < max_spins) {
      ++spins;
      cpu_relax();
    } else {
      sched_yield();
    }
  }
}

}  // namespace dash::core
