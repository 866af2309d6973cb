#pragma once

#include <atomic>

namespace dash::core {

#ifdef __SANITIZE_THREAD__
inline std::atomic<int> fence_token{0};
#endif

/// std::atomic_thread_fence(seq_cst), in a form that ThreadSanitizer supports.
inline void full_fence() noexcept {
#ifdef __SANITIZE_THREAD__
  fence_token.fetch_add(1, std::memory_order_seq_cst);
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

}  // namespace dash::core
