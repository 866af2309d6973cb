#pragma once

#include <vector>

#include "dash/core/Spin.h"
#include "dash/halo/exchange/HaloExchange.h"

namespace dash::halo::internal {

/// The exchanges of this unit that have not been released. A unit that leaves by an exception ends one
/// after the other, and its neighbours may wait for any of them meanwhile.
/// \threads any
class ExchangeRegistry {
 public:
  /// Never destroyed: exchanges may be static objects.
  static ExchangeRegistry& instance() noexcept;

  void add(HaloExchange& exchange);
  void remove(HaloExchange& exchange) noexcept;

  /// Has each of them begin a step that a neighbour has begun and this unit has not.
  /// \pre no other thread uses them, as this unit is leaving
  void follow_neighbours();

 private:
  core::SpinLock _lock;  // guards the list
  std::vector<HaloExchange*> _exchanges;
};

}  // namespace dash::halo::internal
