#pragma once

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace dash::exec {

/// Tells ThreadSanitizer about the synchronization inside oneTBB, which is not instrumented: the tool
/// does not see the atomic operations by which oneTBB passes tasks between threads. Everything before
/// release() happens before what follows acquire(). Does nothing in other builds.
class TsanHandover {
 public:
  void release() noexcept {
#ifdef __SANITIZE_THREAD__
    __tsan_release(this);
#endif
  }
  void acquire() noexcept {
#ifdef __SANITIZE_THREAD__
    __tsan_acquire(this);
#endif
  }
};

}  // namespace dash::exec
