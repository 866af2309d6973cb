#pragma once

#include <sched.h>

#include "dash/core/Spin.h"

namespace kernels {

/// Number of pause instructions before the thread starts to yield the processor.
inline constexpr int max_pauses = 50;

/// Spins, then yields, until stores of other processes to shared memory make `is_ready()` true.
template <class IsReady>
void wait_for_stores(const IsReady& is_ready) {
  for (int pauses = 0; !is_ready();) {
    if (pauses < max_pauses) {
      ++pauses;
      dash::core::cpu_relax();
    } else {
      sched_yield();
    }
  }
}

}  // namespace kernels
