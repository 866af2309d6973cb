#pragma once

#include <cstdint>
#include <utility>

#include "dash/Future.h"
#include "dash/core/Export.h"
#include "dash/halo/Types.h"

namespace dash::halo {

namespace internal {
class HaloExchange;
}

/// A started update of halo regions, from which futures can be obtained. Dropping it has no cost.
///
///     auto update = wrapper.update_async();
///     update.region(north).then([&](auto) { return advance_north_border(); });
///     co_await update;                 // or update.wait(), wrapper.wait()
///
/// Futures can be obtained until the next update begins, and remain valid afterwards; the wrapper
/// must exist until they are ready.
/// \threads thread-safe, except while another thread begins the wrapper's next update; the futures
///         are always thread-safe
/// \ingroup halo
class DASH_API HaloUpdate {
 public:
  /// An empty object: valid() is false, step() is 0, and all other functions throw
  /// exception::RuntimeError.
  HaloUpdate() noexcept = default;
  /// Used by the library: refers to the current update of the exchange.
  explicit HaloUpdate(internal::HaloExchange& exchange) noexcept;

  /// Whether the object refers to an update.
  bool valid() const noexcept { return _exchange != nullptr; }

  /// The number of the update, starting with 1.
  std::uint64_t step() const noexcept { return _step; }

  /// \returns a future of a region, with its index; ready: its halo elements may be read. Ready
  ///         immediately for a region without a sender
  /// \blocks never
  /// \throws exception::OutOfRange if there is no such region, exception::RuntimeError if the next
  ///         update has begun or the update of the region was not started
  /// \cost two allocations if the region has not arrived
  Future<region_index_t> region(region_index_t index) const;

  /// \returns a future of all sends; ready: this update no longer reads the block
  Future<void> sent() const;

  /// \returns a future of all regions whose update was started, and of all sends
  Future<void> all() const;
  /// Converts to all().
  operator Future<void>() const { return all(); }  // NOLINT(google-explicit-constructor)

  /// Equivalent to all().then(f).
  /// \param f  called when the update is complete
  template <typename F>
  auto then(F f) const {
    return all().then(std::move(f));
  }
  /// Waits until all regions whose update was started have arrived and all sends are complete.
  /// Returns immediately if the next update has begun: all sends of this one are complete, and its
  /// halos can no longer be read.
  void wait() const;
  /// Whether wait() would return immediately; makes progress.
  bool test() const;

 private:
  internal::HaloExchange& exchange() const;

  internal::HaloExchange* _exchange = nullptr;
  std::uint64_t _step = 0;
};

/// Awaits all() in a coroutine.
/// \ingroup halo
inline auto operator co_await(const HaloUpdate& update) {
  return dash::operator co_await(update.all());
}

}  // namespace dash::halo
