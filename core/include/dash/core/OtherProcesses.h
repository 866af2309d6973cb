#pragma once

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>

#include "dash/core/Export.h"
#endif

namespace dash::core {

/// Annotations for ThreadSanitizer of happens-before relations through other processes: the actions of a
/// thread before it notifies another unit happen before the requests that this unit then sends, on
/// whichever thread serves them. The tool sees one process only. In other builds the functions do nothing.
/// @{
#ifdef __SANITIZE_THREAD__
// Exported: shared by the library and the code that is inlined into applications.
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
