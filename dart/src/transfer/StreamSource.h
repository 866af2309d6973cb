#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/CallerPolling.h"
#include "dash/async/Engine.h"
#include "dash/core/Spin.h"
#include "dash/dart/Stream.h"

namespace dash::dart {

/// Polls the stream endpoints of this unit.
/// \threads thread-safe
class StreamSource final : public exec::PollSource {
 public:
  /// Never destroyed: endpoints may outlive the runtime.
  static StreamSource& instance() noexcept;

  void add(StreamEndpoints::Impl& endpoints);
  void remove(StreamEndpoints::Impl& endpoints) noexcept;

  /// Transfers start. The source polls densely for some time if one of them is large.
  /// \param nbytes  of the largest transfer; 0 if callers poll
  void count_started(std::size_t transfers, std::size_t nbytes) noexcept;
  void count_finished(std::size_t transfers) noexcept {
    _in_flight.fetch_sub(transfers, std::memory_order_release);
  }
  /// A caller polls, so the progress thread need not.
  void count_caller_poll() noexcept { _caller_polling.count_poll(); }

  /// \param may_poll  whether MPI was initialized with MPI_THREAD_MULTIPLE
  void set_thread_may_poll(bool may_poll) noexcept { _thread_may_poll = may_poll; }

  bool poll() noexcept override;
  exec::Demand demand() const noexcept override;
  bool thread_may_poll() const noexcept override { return _thread_may_poll; }
  bool polled_by_callers() const noexcept override { return _caller_polling.was_active(); }
  bool is_polled_by_callers_now() const noexcept override {
    return _caller_polling.is_active_now();
  }
  bool progresses_by_polling() const noexcept override { return true; }
  std::uint64_t shortest_poll_interval_ns() const noexcept override {
    return exec::large_operation_poll_ns;
  }

 private:
  bool _thread_may_poll = false;
  core::SpinLock _lock;  // guards the list
  std::vector<StreamEndpoints::Impl*> _endpoints;
  // These two control how often to poll. Any order suffices: the locks order the transfers, and a
  // transfer that has just started or ended may be missed once.
  std::atomic<std::size_t> _in_flight{0};  // transfers
  std::atomic<std::uint64_t> _dense_until{0};
  CallerPolling _caller_polling;
};

}  // namespace dash::dart
