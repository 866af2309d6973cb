#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

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

  /// Whether a transfer may be delegated: it is large, and the progress process can access the memory on both sides.
  bool is_possible(const RemoteAddress& remote, const void* local,
                   std::size_t nbytes) const noexcept {
    if (_delegation.queue == nullptr || nbytes < min_bytes) return false;
    const auto begin = reinterpret_cast<std::uintptr_t>(_delegation.heap);
    const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(local) - begin;
    return remote.has_window() && !remote.absolute && offset < _delegation.heap_bytes &&
           nbytes <= _delegation.heap_bytes - offset;
  }

  /// Delegates a transfer as one part of a request. \pre is_possible(), and a RequestStart exists
  /// \returns false, with no effect, if the queue is full
  bool start(Request& request, Kind kind, const RemoteAddress& remote, const void* local,
             std::size_t nbytes);

  /// Adds the parts that have finished. \pre the caller holds the poll lock, and `finished` is empty
  void take_finished(FinishedParts& finished) noexcept;

 private:
  const Delegation _delegation;
  RequestTable& _table;
  core::SpinLock _lock;  // held by the thread that adds a transfer
  // Number of transfers whose completion this unit has seen. Stored with release by the holder of the poll lock: the
  // thread that adds a transfer to the same entry does so after the token was read.
  std::atomic<std::uint32_t> _finished{0};
};

}  // namespace dash::dart
