#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/DelegationQueue.h"
#include "base/RemoteAddress.h"
#include "dash/core/Spin.h"
#include "network/rma/Request.h"
#include "network/rma/RequestTable.h"

namespace dash::dart {

/// Delegates transfers of this unit to its progress process, which advances them while the unit computes.
/// \threads thread-safe
class DelegatedTransfers {
 public:
  using Kind = DelegationQueue::Kind;

  DelegatedTransfers(const Delegation& delegation, RequestTable& table) noexcept;
  DelegatedTransfers(const DelegatedTransfers&) = delete;
  DelegatedTransfers& operator=(const DelegatedTransfers&) = delete;

  /// Smaller transfers take less time than the delay until the progress process starts them.
  static constexpr std::size_t min_bytes = std::size_t{16} << 10;

  /// A place in the queue for a transfer, or none.
  class Place {
   public:
    Place() noexcept = default;
    Place(Place&& other) noexcept : _queue(std::exchange(other._queue, nullptr)) {}
    Place& operator=(Place&&) = delete;
    ~Place() {
      if (_queue != nullptr) _queue->give_back(1);
    }
    explicit operator bool() const noexcept { return _queue != nullptr; }

   private:
    friend class DelegatedTransfers;
    explicit Place(DelegatedTransfers& queue) noexcept : _queue(&queue) {}
    DelegatedTransfers* _queue = nullptr;
  };

  /// Reserves a place for a transfer that the progress process can perform: a large one, if the process can access the
  /// memory on both sides. \returns none otherwise, or if the queue is full
  Place reserve(const RemoteAddress& remote, const void* local, std::size_t nbytes) noexcept {
    if (_delegation.queue == nullptr || nbytes < min_bytes) return {};
    const auto begin = reinterpret_cast<std::uintptr_t>(_delegation.heap);
    const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(local) - begin;
    const bool is_in_heap =
        offset < _delegation.heap_bytes && nbytes <= _delegation.heap_bytes - offset;
    if (!is_in_heap || !remote.has_window() || remote.absolute) return {};
    return reserve();
  }

  /// Delegates a transfer as a part of a request. \pre the place has been reserved for it
  void start(Place place, Request& request, Kind kind, bool is_two_sided,
             const RemoteAddress& remote, const void* local, std::size_t nbytes);

  /// Adds parts that have finished, as far as there is space. \pre the caller holds the poll lock
  void take_finished(FinishedParts& finished) noexcept {
    if (_delegation.queue != nullptr) take_completed(finished);
  }

 private:
  Place reserve() noexcept;
  void give_back(std::uint32_t places) noexcept {
    _reserved.fetch_sub(places, std::memory_order_release);
  }
  void take_completed(FinishedParts& finished) noexcept;

  const Delegation _delegation;
  RequestTable& _table;
  core::SpinLock _lock;  // held by the thread that adds a transfer
  // Places in use: at most the capacity. The progress process starts transfers in the order of their numbers, so the
  // entry of a transfer that is complete, and those of all before it, have been read. A place is given back with
  // release after the token of a completed transfer was read, and reserved with acquire before an entry is written.
  std::atomic<std::uint32_t> _reserved{0};
  // Number of transfers whose completion this unit has seen. It belongs to the holder of the poll lock.
  std::uint32_t _finished = 0;
};

}  // namespace dash::dart
