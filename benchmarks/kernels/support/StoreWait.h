#pragma once

#include <sched.h>

#include "dash/core/Spin.h"

namespace kernels {

/// Returns when `is_ready()`, which others' stores to shared memory bring about.
template <class IsReady>
void wait_for_stores(const IsReady& is_ready) {
  for (int spins = 0; !is_ready(); ++spins) {
    if (spins < 50) {
      dash::core::cpu_relax();
    } else {
      sched_yield();
    }
  }
}

}  // namespace kernels
