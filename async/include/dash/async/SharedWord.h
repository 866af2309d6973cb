#pragma once

#include <atomic>
#include <cstdint>

#include "dash/core/Export.h"

namespace dash::exec {

/// A word in shared memory on which threads of several units sleep, and the number of sleepers.
///
/// A sleeper increments `sleepers` and reads `value` again before it sleeps; a waker changes `value`
/// before it reads `sleepers`. All four accesses are sequentially consistent, so at least one of the two
/// sees the other's change and no wake-up is lost. A release store of the value that a sequentially consistent
/// fence follows has the same effect.
struct DASH_API SharedWord {
  std::atomic<std::uint32_t> value{0};
  std::atomic<std::uint32_t> sleepers{0};

  /// Stores a value and wakes all sleepers. \cost no system call if there is none
  void publish(std::uint32_t new_value) noexcept;
  /// Adds to the value and wakes all sleepers. \cost as publish()
  void add(std::uint32_t n) noexcept {
    value.fetch_add(n, std::memory_order_seq_cst);
    wake();
  }
  /// Wakes all sleepers.
  /// \pre the caller has changed the value by a sequentially consistent operation
  void wake() noexcept;
};

}  // namespace dash::exec
