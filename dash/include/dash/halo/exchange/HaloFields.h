#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "dash/Future.h"
#include "dash/core/Export.h"
#include "dash/halo/exchange/HaloUpdate.h"
#include "dash/halo/Types.h"

namespace dash::halo {

namespace internal {
DASH_API Future<void> all_of(std::span<const HaloUpdate> updates);
DASH_API Future<void> all_sent(std::span<const HaloUpdate> updates);
DASH_API Future<void> all_of_region(std::span<const HaloUpdate> updates, region_index_t region);
}  // namespace internal

/// Updates of several fields that were started together.
template <std::size_t NumFields>
class HaloFieldsUpdate {
 public:
  explicit HaloFieldsUpdate(const std::array<HaloUpdate, NumFields>& updates) : _updates(updates) {}

  static constexpr std::size_t size() { return NumFields; }

  /// Whether all of them are updates that were started.
  bool valid() const noexcept {
    return std::all_of(_updates.begin(), _updates.end(),
                       [](const HaloUpdate& update) { return update.valid(); });
  }

  /// Of one field, in the order in which they were given.
  const HaloUpdate& operator[](std::size_t field) const { return _updates[field]; }

  /// The future of one region of all fields.
  /// \throws exception::OutOfRange if there is no such region
  Future<void> region(region_index_t index) const {
    return internal::all_of_region(_updates, index);
  }

  /// The future of all sends: ready, the blocks may be written.
  Future<void> sent() const { return internal::all_sent(_updates); }

  /// The future of all regions of all fields, and of all sends.
  Future<void> all() const { return internal::all_of(_updates); }
  operator Future<void>() const { return all(); }  // NOLINT(google-explicit-constructor)

  /// As those of HaloUpdate, of all fields.
  /// @{
  template <typename F>
  auto then(F f) const {
    return all().then(std::move(f));
  }
  void wait() const {
    for (const auto& update : _updates) {
      update.wait();
    }
  }
  bool test() const {
    return std::all_of(_updates.begin(), _updates.end(),
                       [](const HaloUpdate& update) { return update.test(); });
  }
  /// @}

 private:
  std::array<HaloUpdate, NumFields> _updates;
};

/// Waits in a coroutine for all().
template <std::size_t NumFields>
auto operator co_await(const HaloFieldsUpdate<NumFields>& update) {
  return dash::operator co_await(update.all());
}

/// Starts an update of the halos of several fields, before any of them is waited for: a
/// message per field and neighbour.
/// \param wrappers  HaloMatrixWrapper, in the same order on all units
/// \returns where futures come from, of each field and of all; may be dropped
/// \blocks never, if the previous updates were waited for
template <typename... Wrappers>
requires(sizeof...(Wrappers) >
         0) HaloFieldsUpdate<sizeof...(Wrappers)> update_async(Wrappers&... wrappers) {
  return HaloFieldsUpdate<sizeof...(Wrappers)>({wrappers.update_async()...});
}

/// Updates the halos of several fields.
/// \blocks until all neighbours have started the same updates
template <typename... Wrappers>
requires(sizeof...(Wrappers) > 0) void update(Wrappers&... wrappers) {
  update_async(wrappers...).wait();
}

}  // namespace dash::halo
