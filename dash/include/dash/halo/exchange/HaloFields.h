#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "dash/Future.h"
#include "dash/core/Export.h"
#include "dash/halo/Types.h"
#include "dash/halo/exchange/HaloUpdate.h"

namespace dash::halo {

namespace internal {
DASH_API Future<void> all_of(std::span<const HaloUpdate> updates);
DASH_API Future<void> all_sent(std::span<const HaloUpdate> updates);
DASH_API Future<void> all_of_region(std::span<const HaloUpdate> updates, region_index_t region);
}  // namespace internal

/// Updates of several fields that were started together.
/// \ingroup halo
template <std::size_t NumFields>
class HaloFieldsUpdate {
 public:
  /// Used by update_async().
  explicit HaloFieldsUpdate(const std::array<HaloUpdate, NumFields>& updates) : _updates(updates) {}

  /// Number of fields.
  static constexpr std::size_t size() { return NumFields; }

  /// Whether all of them are valid.
  bool valid() const noexcept {
    return std::all_of(_updates.begin(), _updates.end(),
                       [](const HaloUpdate& update) { return update.valid(); });
  }

  /// The update of one field, in the order of the arguments.
  const HaloUpdate& operator[](std::size_t field) const { return _updates[field]; }

  /// A future of one region of all fields.
  /// \throws exception::OutOfRange if there is no such region
  Future<void> region(region_index_t index) const {
    return internal::all_of_region(_updates, index);
  }

  /// A future of all sends. When it is ready, the blocks may be written.
  Future<void> sent() const { return internal::all_sent(_updates); }

  /// A future of all regions of all fields and of all sends.
  Future<void> all() const { return internal::all_of(_updates); }
  /// Converts to all().
  operator Future<void>() const { return all(); }  // NOLINT(google-explicit-constructor)

  /// Equivalent to all().then(f).
  /// \param f  called when the update of all fields is complete
  template <typename F>
  auto then(F f) const {
    return all().then(std::move(f));
  }
  /// Waits until all regions whose update was started have arrived and all sends are complete.
  void wait() const {
    for (const auto& update : _updates) {
      update.wait();
    }
  }
  /// Whether wait() would return immediately; makes progress.
  bool test() const {
    return std::all_of(_updates.begin(), _updates.end(),
                       [](const HaloUpdate& update) { return update.test(); });
  }

 private:
  std::array<HaloUpdate, NumFields> _updates;
};

/// Awaits all() in a coroutine.
/// \ingroup halo
template <std::size_t NumFields>
auto operator co_await(const HaloFieldsUpdate<NumFields>& update) {
  return dash::operator co_await(update.all());
}

/// Starts an update of the halos of several fields before waiting for any of them: one message per
/// field and neighbour.
/// \param wrappers  HaloMatrixWrapper objects, in the same order on all units
/// \returns an object from which futures can be obtained, for each field and for all; may be
///         dropped
/// \blocks never, if the previous updates have been waited for
/// \ingroup halo
template <typename... Wrappers>
requires(sizeof...(Wrappers) >
         0) HaloFieldsUpdate<sizeof...(Wrappers)> update_async(Wrappers&... wrappers) {
  return HaloFieldsUpdate<sizeof...(Wrappers)>({wrappers.update_async()...});
}

/// Updates the halos of several fields.
/// \blocks until all neighbours have started the same updates
/// \ingroup halo
template <typename... Wrappers>
requires(sizeof...(Wrappers) > 0) void update(Wrappers&... wrappers) {
  update_async(wrappers...).wait();
}

}  // namespace dash::halo
