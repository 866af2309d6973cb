#include "network/rma/DelegatedTransfers.h"

#include <mutex>

#include "dash/core/OtherProcesses.h"

namespace dash::dart {

/// An earlier runtime of this session may have used the queue; its transfers are complete.
DelegatedTransfers::DelegatedTransfers(const Delegation& delegation, RequestTable& table) noexcept
    : _delegation(delegation), _table(table) {
  if (delegation.queue != nullptr)
    _finished = delegation.queue->completed.load(std::memory_order_acquire);
}

DelegatedTransfers::Place DelegatedTransfers::reserve() noexcept {
  if (_reserved.fetch_add(1, std::memory_order_acquire) < DelegationQueue::capacity)
    return Place(*this);
  give_back(1);
  return {};
}

void DelegatedTransfers::start(Place place, Request& request, Kind kind, bool is_two_sided,
                               const RemoteAddress& remote, const void* local, std::size_t nbytes) {
  DelegationQueue& queue = *_delegation.queue;
  _table.expect_replies(1);
  {
    const std::lock_guard lock(_lock);
    const std::uint32_t number = queue.added.load(std::memory_order_relaxed);
    DelegationQueue::Transfer& transfer = queue.transfers[number % DelegationQueue::capacity];
    transfer.kind = kind;
    transfer.is_two_sided = is_two_sided;
    transfer.unit = remote.unit;
    transfer.rank = remote.rank;
    transfer.displacement = remote.displacement;
    transfer.location = remote.location;
    transfer.local_offset =
        static_cast<std::uint64_t>(static_cast<const char*>(local) - _delegation.heap);
    transfer.nbytes = nbytes;
    transfer.token = reinterpret_cast<std::uint64_t>(&request);
    core::before_other_processes();
    queue.added.store(number + 1, std::memory_order_release);
  }
  place._queue = nullptr;  // take_finished() gives the place back
  _delegation.wake_word->wake();
}

void DelegatedTransfers::take_completed(FinishedParts& finished) noexcept {
  const DelegationQueue& queue = *_delegation.queue;
  const std::uint32_t completed = queue.completed.load(std::memory_order_acquire);
  if (_finished == completed) return;
  core::after_other_processes();
  std::uint32_t places = 0;
  for (; _finished != completed && finished.has_space(); ++_finished, ++places) {
    const std::uint64_t token = queue.completed_tokens[_finished % DelegationQueue::capacity];
    finished.add(*reinterpret_cast<Request*>(token));
  }
  give_back(places);
}

}  // namespace dash::dart
