#include "PendingCollective.h"

#include <vector>

namespace dash::dart {

namespace {

/// memcpy, whose arguments may not be null even for no bytes.
void copy(void* to, const void* from, std::size_t nbytes) noexcept {
  if (nbytes != 0) std::memcpy(to, from, nbytes);
}

/// The node's contributions go to their places among those of all units.
void give_to_all(const SlotMemory& slot, std::size_t nbytes) noexcept {
  for (const std::int32_t unit : slot.layout.members) {
    const auto place = static_cast<std::size_t>(slot.layout.place[static_cast<std::size_t>(unit)]);
    copy(slot.result() + place * nbytes, slot.contribution_of(unit), nbytes);
  }
}

}  // namespace

void PendingBcast::deposit(std::uint64_t piece, const SlotMemory& slot) {
  if (slot.layout.my_id == _root) copy(slot.mine(), _buffer + offset(piece), length(piece));
}

void PendingBcast::combine(std::uint64_t piece, const SlotMemory& slot) {
  if (slot.layout.nnodes() == 1 || slot.layout.slots[static_cast<std::size_t>(_root)] < 0) return;
  copy(slot.result(), slot.contribution_of(_root), length(piece));
}

Steps PendingBcast::exchange(std::uint64_t piece, const SlotMemory& slot, LeaderExchange& leaders) {
  return leaders.bcast_steps(slot.result(), length(piece),
                             slot.layout.node_of[static_cast<std::size_t>(_root)]);
}

void PendingBcast::collect(std::uint64_t piece, const SlotMemory& slot) {
  if (slot.layout.my_id == _root) return;
  const char* const from = slot.layout.nnodes() == 1 ? slot.contribution_of(_root) : slot.result();
  copy(_buffer + offset(piece), from, length(piece));
}

void PendingAllgather::deposit(std::uint64_t piece, const SlotMemory& slot) {
  const bool in_place = _send == nullptr || _send == _recv;
  const char* const from =
      in_place ? _recv + static_cast<std::size_t>(slot.layout.my_id) * _nbytes : _send;
  copy(slot.mine(), from + offset(piece), length(piece));
}

void PendingAllgather::combine(std::uint64_t piece, const SlotMemory& slot) {
  if (slot.layout.nnodes() > 1) give_to_all(slot, length(piece));
}

Steps PendingAllgather::exchange(std::uint64_t piece, const SlotMemory& slot,
                                 LeaderExchange& leaders) {
  return leaders.allgather_steps(slot.result(), length(piece));
}

void PendingAllgather::collect(std::uint64_t piece, const SlotMemory& slot) {
  const std::size_t nbytes = length(piece);
  for (int unit = 0; unit < slot.layout.size(); ++unit) {
    copy(_recv + static_cast<std::size_t>(unit) * _nbytes + offset(piece),
         slot.given_by(unit, nbytes), nbytes);
  }
}

void PendingReduce::deposit(std::uint64_t piece, const SlotMemory& slot) {
  copy(slot.mine(), _send + offset(piece), length(piece));
}

void PendingReduce::combine(std::uint64_t piece, const SlotMemory& slot) {
  const std::size_t nbytes = length(piece);
  if (_ordered) return give_to_all(slot, nbytes);
  // From the last to the first, as the left operand is the one that is added.
  const std::vector<std::int32_t>& members = slot.layout.members;
  copy(slot.result(), slot.contribution_of(members.back()), nbytes);
  for (std::size_t i = members.size() - 1; i-- > 0;)
    _reduce(slot.contribution_of(members[i]), slot.result(), elements(piece));
}

Steps PendingReduce::exchange(std::uint64_t piece, const SlotMemory& slot,
                              LeaderExchange& leaders) {
  if (_ordered) return leaders.allgather_steps(slot.result(), length(piece));
  return leaders.allreduce_steps(slot.result(), nullptr, elements(piece), _reduce);
}

void PendingReduce::collect(std::uint64_t piece, const SlotMemory& slot) {
  if (_recv == nullptr) return;
  const std::size_t nbytes = length(piece);
  char* const to = _recv + offset(piece);
  if (!_ordered) return copy(to, slot.result(), nbytes);
  copy(to, slot.given_by(slot.layout.size() - 1, nbytes), nbytes);
  for (int unit = slot.layout.size() - 1; unit-- > 0;)
    _reduce(slot.given_by(unit, nbytes), to, elements(piece));
}

}  // namespace dash::dart
