#pragma once

#include <atomic>

namespace dash::dart {

/// Marks that a caller is inside MPI, so that the progress thread does not contend with it for
/// MPI's lock. A hint, so the orders are relaxed: see CallerActivity.
class MpiCallGuard {
 public:
  explicit MpiCallGuard(std::atomic<bool>& inside) noexcept : _inside(inside) {
    _inside.store(true, std::memory_order_relaxed);
  }
  ~MpiCallGuard() { _inside.store(false, std::memory_order_relaxed); }
  MpiCallGuard(const MpiCallGuard&) = delete;
  MpiCallGuard& operator=(const MpiCallGuard&) = delete;

 private:
  std::atomic<bool>& _inside;
};

}  // namespace dash::dart
