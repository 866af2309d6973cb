#pragma once

#include <atomic>

namespace dash::dart {

/// A caller inside MPI; the progress thread does not contend with it for MPI's lock.
class Door {
 public:
  explicit Door(std::atomic<bool>& inside) noexcept : _inside(inside) {
    _inside.store(true, std::memory_order_relaxed);
  }
  ~Door() { _inside.store(false, std::memory_order_relaxed); }
  Door(const Door&) = delete;
  Door& operator=(const Door&) = delete;

 private:
  std::atomic<bool>& _inside;
};

}  // namespace dash::dart
