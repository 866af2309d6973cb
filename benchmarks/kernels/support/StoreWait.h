#pragma once

#include <sched.h>

#include "dash/core/Spin.h"

namespace kernels {

/// Number of pause instructions before the thread starts to yield the processor.
inline constexpr int max_pauses = 50;

/// Returns when `is_ready()`, a condition that stores of other processes to shared memory fulfil.
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
