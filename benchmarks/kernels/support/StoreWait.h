#pragma once

#include <sched.h>

#include "dash/core/Spin.h"

namespace kernels {

/// So often the processor pauses before it is given away.
inline constexpr int most_pauses = 50;

/// Returns when `is_ready()`, which others' stores to shared memory bring about.
template <class IsReady>
void wait_for_stores(const IsReady& is_ready) {
  for (int pauses = 0; !is_ready();) {
    if (pauses < most_pauses) {
      ++pauses;
      dash::core::cpu_relax();
    } else {
      sched_yield();
    }
  }
}

}  // namespace kernels
