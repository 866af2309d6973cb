#include "LivingExchanges.h"

#include <mutex>

namespace dash::halo::internal {

LivingExchanges& LivingExchanges::instance() noexcept {
  static LivingExchanges* const living = new LivingExchanges();
  return *living;
}

void LivingExchanges::add(HaloExchange& exchange) {
  std::lock_guard lock(_lock);
  _exchanges.push_back(&exchange);
}

void LivingExchanges::remove(HaloExchange& exchange) noexcept {
  std::lock_guard lock(_lock);
  std::erase(_exchanges, &exchange);
}

void LivingExchanges::follow_neighbours() {
  std::vector<HaloExchange*> exchanges;
  {
    std::lock_guard lock(_lock);
    exchanges = _exchanges;
  }
  for (HaloExchange* const exchange : exchanges)
    exchange->follow_neighbours();
}

}  // namespace dash::halo::internal
