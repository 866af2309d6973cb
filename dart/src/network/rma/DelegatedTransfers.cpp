#include "network/rma/DelegatedTransfers.h"

#include <mutex>

#include "dash/core/OtherProcesses.h"

namespace dash::dart {

/// An earlier runtime of this session may have used the queue; its transfers are complete.
DelegatedTransfers::DelegatedTransfers(const Delegation& delegation, RequestTable& table) noexcept
    : _delegation(delegation), _table(table) {
  if (delegation.queue != nullptr)
    // Acquire: the accesses of the progress process to the entries happen before their reuse.
    _finished = delegation.queue->completed.load(std::memory_order_acquire);
}

DelegatedTransfers::Place DelegatedTransfers::reserve() noexcept {
  // Acquire: reads from the release sequence of every earlier give_back(), so the last read of an entry happens
  // before it is overwritten.
  if (_reserved.fetch_add(1, std::memory_order_acquire) < DelegationQueue::capacity)
    return Place(*this);
  give_back(1);
  return {};
}

void DelegatedTransfers::start(Place place, Request& request, Kind kind, bool is_two_sided,
                               const RemoteAddress& remote, const void* local, std::size_t nbytes) {
  const DelegationQueue::Transfer transfer{.kind = kind,
                                           .is_two_sided = is_two_sided,
                                           .unit = remote.unit,
                                           .rank = remote.rank,
                                           .displacement = remote.displacement,
                                           .location = remote.location,
                                           .local_offset = static_cast<std::uint64_t>(
                                               static_cast<const char*>(local) - _delegation.heap),
                                           .nbytes = nbytes,
                                           .token = reinterpret_cast<std::uint64_t>(&request)};
  _table.expect_replies(1);
  core::before_other_processes();
  {
    const std::lock_guard lock(_lock);
    _delegation.queue->add(transfer);
  }
  place._queue = nullptr;  // take_finished() gives the place back
  _delegation.wake_word->wake();
}

void DelegatedTransfers::take_completed(FinishedParts& finished) noexcept {
  const std::uint32_t places = _delegation.queue->take_completed(
      _finished, [&] { return finished.has_space(); },
      [&](std::uint64_t token) {
        core::after_other_processes();
        finished.add(*reinterpret_cast<Request*>(token));
      });
  if (places != 0) give_back(places);
}

}  // namespace dash::dart
