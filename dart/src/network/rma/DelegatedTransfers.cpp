#include "network/rma/DelegatedTransfers.h"

#include <mutex>

#include "dash/core/OtherProcesses.h"

namespace dash::dart {

static_assert(DelegationQueue::capacity <= FinishedParts::capacity);

/// An earlier runtime of this session may have used the queue; its transfers are complete.
DelegatedTransfers::DelegatedTransfers(const Delegation& delegation, RequestTable& table) noexcept
    : _delegation(delegation), _table(table) {
  if (delegation.queue != nullptr)
    _finished.store(delegation.queue->completed.load(std::memory_order_acquire),
                    std::memory_order_relaxed);
}

bool DelegatedTransfers::start(Request& request, Kind kind, const RemoteAddress& remote,
                               const void* local, std::size_t nbytes) {
  DelegationQueue& queue = *_delegation.queue;
  {
    const std::lock_guard lock(_lock);
    const std::uint32_t number = queue.added.load(std::memory_order_relaxed);
    if (number - _finished.load(std::memory_order_acquire) >= DelegationQueue::capacity)
      return false;
    DelegationQueue::Transfer& transfer = queue.transfers[number % DelegationQueue::capacity];
    transfer.kind = kind;
    transfer.unit = remote.unit;
    transfer.rank = remote.rank;
    transfer.displacement = remote.displacement;
    transfer.location = remote.location;
    transfer.local_offset =
        static_cast<std::uint64_t>(static_cast<const char*>(local) - _delegation.heap);
    transfer.nbytes = nbytes;
    transfer.token = reinterpret_cast<std::uint64_t>(&request);
    _table.expect_replies(1);
    core::before_other_processes();
    queue.added.store(number + 1, std::memory_order_release);
  }
  request.add_part();
  _delegation.wake_word->wake();
  return true;
}

void DelegatedTransfers::take_finished(FinishedParts& finished) noexcept {
  if (_delegation.queue == nullptr) return;
  const DelegationQueue& queue = *_delegation.queue;
  const std::uint32_t completed = queue.completed.load(std::memory_order_acquire);
  std::uint32_t number = _finished.load(std::memory_order_relaxed);
  if (number == completed) return;
  core::after_other_processes();
  for (; number != completed; ++number) {
    const std::uint64_t token = queue.completed_tokens[number % DelegationQueue::capacity];
    finished.add(*reinterpret_cast<Request*>(token));
  }
  _finished.store(number, std::memory_order_release);
}

}  // namespace dash::dart
