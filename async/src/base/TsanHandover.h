#pragma once

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace dash::exec {

/// Tells ThreadSanitizer what oneTBB orders: the library is not instrumented, so that the atomics by
/// which it hands tasks from thread to thread are not seen. What came before give() is visible after
/// take(). Nothing in other builds.
class TsanHandover {
 public:
  void give() noexcept {
#ifdef __SANITIZE_THREAD__
    __tsan_release(this);
#endif
  }
  void take() noexcept {
#ifdef __SANITIZE_THREAD__
    __tsan_acquire(this);
#endif
  }
};

}  // namespace dash::exec
