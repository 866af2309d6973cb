#pragma once

#include <vector>

#include "dash/core/Spin.h"
#include "dash/halo/exchange/HaloExchange.h"

namespace dash::halo::internal {

/// The active exchanges of this unit. When an exception unwinds the stack, the unit destroys them
/// one after the other, while its neighbours may be waiting for any of them.
/// \threads thread-safe
class ExchangeRegistry {
 public:
  /// Never destroyed, because exchanges may be static objects.
  static ExchangeRegistry& instance() noexcept;

  void add(HaloExchange& exchange);
  void remove(HaloExchange& exchange) noexcept;

  /// For each exchange, begins the next step if a neighbour has begun it.
  /// \pre no other thread uses the exchanges, since this unit is unwinding
  void follow_neighbours();

 private:
  core::SpinLock _lock;  // guards the list
  std::vector<HaloExchange*> _exchanges;
};

}  // namespace dash::halo::internal
