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

/// An update of halo regions that was started: where its futures come from. Whoever needs none drops
/// it, at no cost.
///
///     auto update = wrapper.update_async();
///     update.region(north).then([&](auto) { return advance_north_border(); });
///     co_await update;                 // or update.wait(), wrapper.wait()
///
/// Futures can be asked for until the next update begins, and then outlive it; the wrapper must live
/// until they are ready.
/// \threads any, but none of them while another thread begins the wrapper's next update; the futures: any,
///          always
class DASH_API HaloUpdate {
 public:
  /// Of nothing: valid() is false, and everything else throws exception::RuntimeError.
  HaloUpdate() noexcept = default;
  explicit HaloUpdate(internal::HaloExchange& exchange) noexcept;

  bool valid() const noexcept { return _exchange != nullptr; }

  /// Its number, from 1.
  std::uint64_t step() const noexcept { return _step; }

  /// \returns the future of a region, with its index; ready: its halo elements may be read. Ready at
  ///          once for a region that nobody sends
  /// \blocks never
  /// \throws exception::OutOfRange if there is no such region, exception::RuntimeError if the next
  ///         update has begun, or that of the region was not started
  /// \cost two allocations, if it has not arrived
  Future<region_index_t> region(region_index_t index) const;

  /// \returns the future of all sends; ready: the block may be written, as far as this update is
  ///          concerned
  Future<void> sent() const;

  /// \returns the future of all regions whose update was started, and of all sends
  Future<void> all() const;
  operator Future<void>() const { return all(); }  // NOLINT(google-explicit-constructor)

  /// all(), and what can be done with it. After the next update has begun, wait() returns at once and
  /// test() is true: all sends of this one are complete, and its halos can no longer be read.
  /// @{
  template <typename F>
  auto then(F f) const {
    return all().then(std::move(f));
  }
  void wait() const;
  bool test() const;
  /// @}

 private:
  internal::HaloExchange& exchange() const;

  internal::HaloExchange* _exchange = nullptr;
  std::uint64_t _step = 0;
};

/// Waits in a coroutine for all().
inline auto operator co_await(const HaloUpdate& update) {
  return dash::operator co_await(update.all());
}

}  // namespace dash::halo
