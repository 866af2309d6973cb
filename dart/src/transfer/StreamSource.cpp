#include "transfer/StreamSource.h"

#include <exception>
#include <mutex>

#include "dash/core/Clock.h"
#include "network/NetworkFailure.h"
#include "network/messages/Message.h"
#include "network/rma/PollingWindows.h"
#include "transfer/StreamTransfers.h"

namespace dash::dart {

StreamSource& StreamSource::instance() noexcept {
  static StreamSource* const source = new StreamSource();
  return *source;
}

void StreamSource::add(StreamEndpoints::Impl& endpoints) {
  std::lock_guard lock(_lock);
  _endpoints.push_back(&endpoints);
}

void StreamSource::remove(StreamEndpoints::Impl& endpoints) noexcept {
  std::lock_guard lock(_lock);
  std::erase(_endpoints, &endpoints);
}

void StreamSource::count_started(std::size_t transfers, std::size_t nbytes) noexcept {
  // Any order suffices: the number only decides whether to poll, and the locks order the transfers.
  _in_flight.fetch_add(transfers, std::memory_order_release);
  // Smaller transfers are complete at once, or when their receiver polls, which waits for them.
  if (nbytes <= Message::max_payload) return;
  const std::uint64_t now = core::now_ns();
  const std::uint64_t window = PollingWindows::dense_ns(nbytes);
  if (_dense_until.load(std::memory_order_relaxed) >= now + window / 2) return;
  _dense_until.store(now + window, std::memory_order_relaxed);
  exec::Engine& engine = exec::Engine::instance();
  if (nbytes > PollingWindows::small_transfer) {
    engine.wake_progress_thread();
  } else {
    engine.notify_soon();
  }
}

bool StreamSource::poll() noexcept {
  // Also checked while nothing is in flight: otherwise a later check would count polls that
  // callers made long before.
  const bool yields = exec::on_progress_thread() && _caller_polling.check();
  if (_in_flight.load(std::memory_order_acquire) == 0 || yields) return false;
  if (!exec::on_progress_thread()) count_caller_poll();
  if (!_lock.try_lock()) return false;
  std::lock_guard lock(_lock, std::adopt_lock);
  bool has_finished = false;
  for (StreamEndpoints::Impl* const endpoints : _endpoints) {
    try {
      has_finished |= endpoints->poll(1);
    } catch (const std::exception& error) {
      abort_after_network_failure(endpoints->communicator(), error);
    }
  }
  return has_finished;
}

exec::Demand StreamSource::demand() const noexcept {
  if (_in_flight.load(std::memory_order_acquire) == 0) return exec::Demand::none;
  return core::now_ns() < _dense_until.load(std::memory_order_relaxed) ? exec::Demand::busy
                                                                       : exec::Demand::waiting;
}

}  // namespace dash::dart
