#include "dash/halo/exchange/HaloUpdate.h"

#include <vector>

#include "dash/Exception.h"
#include "dash/halo/exchange/HaloExchange.h"
#include "dash/halo/exchange/HaloFields.h"

namespace dash::halo {

HaloUpdate::HaloUpdate(internal::HaloExchange& exchange) noexcept
    : _exchange(&exchange), _step(exchange.step()) {}

internal::HaloExchange& HaloUpdate::exchange() const {
  if (_exchange == nullptr) {
    DASH_THROW(exception::RuntimeError,
               "a default-constructed HaloUpdate; expected the result of update_async()");
  }
  return *_exchange;
}

Future<region_index_t> HaloUpdate::region(region_index_t index) const {
  return {exchange().arrival(index, _step), index};
}

Future<void> HaloUpdate::sent() const {
  return {exchange().departure(_step), {}};
}

Future<void> HaloUpdate::all() const {
  return {exchange().completion(_step), {}};
}

void HaloUpdate::wait() const {
  // If a later update has begun, the sends of this one are complete.
  if (exchange().step() == _step) _exchange->wait();
}

bool HaloUpdate::test() const {
  return exchange().step() != _step || _exchange->test();
}

namespace internal {
namespace {

template <typename FutureOf>
Future<void> all_futures(std::span<const HaloUpdate> updates, const FutureOf& future_of) {
  std::vector<exec::Operation> operations;
  for (const auto& update : updates) {
    const auto future = future_of(update);
    operations.emplace_back(exec::FutureAccess::state(future));
  }
  return {exec::when_all(operations), {}};
}

}  // namespace

Future<void> all_of(std::span<const HaloUpdate> updates) {
  return all_futures(updates, [](const HaloUpdate& update) { return update.all(); });
}

Future<void> all_sent(std::span<const HaloUpdate> updates) {
  return all_futures(updates, [](const HaloUpdate& update) { return update.sent(); });
}

Future<void> all_of_region(std::span<const HaloUpdate> updates, region_index_t region) {
  return all_futures(updates, [=](const HaloUpdate& update) { return update.region(region); });
}

}  // namespace internal

}  // namespace dash::halo
