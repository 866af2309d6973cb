#include "halo/ExchangeRegistry.h"

#include <mutex>

namespace dash::halo::internal {

ExchangeRegistry& ExchangeRegistry::instance() noexcept {
  static ExchangeRegistry* const registry = new ExchangeRegistry();
  return *registry;
}

void ExchangeRegistry::add(HaloExchange& exchange) {
  std::lock_guard lock(_lock);
  _exchanges.push_back(&exchange);
}

void ExchangeRegistry::remove(HaloExchange& exchange) noexcept {
  std::lock_guard lock(_lock);
  std::erase(_exchanges, &exchange);
}

void ExchangeRegistry::follow_neighbours() {
  std::vector<HaloExchange*> exchanges;
  {
    std::lock_guard lock(_lock);
    exchanges = _exchanges;
  }
  for (HaloExchange* const exchange : exchanges)
    exchange->follow_neighbours();
}

}  // namespace dash::halo::internal
