#pragma once

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>

#include "dash/core/Export.h"
#endif

namespace dash::core {

/// Order between threads that comes about through other processes: what a thread did before it
/// told another unit something precedes what that unit then asks of this one, whichever thread
/// serves it. ThreadSanitizer sees one process only and has to be told; otherwise these are nothing.
/// @{
#ifdef __SANITIZE_THREAD__
// One for the library and for what is compiled into its users.
DASH_API inline char other_processes_token = 0;
inline void before_other_processes() noexcept {
  __tsan_release(&other_processes_token);
}
inline void after_other_processes() noexcept {
  __tsan_acquire(&other_processes_token);
}
#else
inline void before_other_processes() noexcept {}
inline void after_other_processes() noexcept {}
#endif
/// @}

}  // namespace dash::core
