#pragma once

#include <dash/Array.h>
#include <dash/Atomic.h>

#include <cstddef>

#include "support/StoreWait.h"

namespace kernels {

/// Spin locks that the units of a node share, for additions to shared arrays. Adding a vector under
/// a lock takes a fraction of the time of atomic additions of its elements. While a lock is held,
/// no unit may update the protected elements atomically.
class NodeLocks {
 public:
  /// \pre all units of the team are on one node, or no lock is used   \collective
  NodeLocks(std::size_t count, dash::Team& team) : _locks(count * stride, dash::BLOCKED, team) {}

  /// Calls f() while the caller holds the lock.
  template <class F>
  void with(std::size_t number, const F& f) {
    const auto lock = _locks[static_cast<dash::default_index_t>(number * stride)];
    wait_for_stores([&] { return lock.exchange(1) == 0; });
    f();
    lock.store(0);
  }

 private:
  static constexpr std::size_t stride = 64 / sizeof(int);  // a cache line each

  dash::Array<dash::Atomic<int>> _locks;
};

}  // namespace kernels
