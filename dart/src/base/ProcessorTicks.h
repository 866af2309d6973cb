#pragma once

#include <cstdint>

#include "dash/core/Clock.h"

namespace dash::dart {

/// Ticks of the processor's clock, read in half the time of the system's clock. The frequency is
/// unknown, but between 0.2 and 5 GHz.
inline std::uint64_t processor_ticks() noexcept {
#ifdef __x86_64__
  return __builtin_ia32_rdtsc();
#else
  return core::now_ns();
#endif
}

}  // namespace dash::dart
