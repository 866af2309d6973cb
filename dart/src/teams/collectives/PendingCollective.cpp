#include "teams/collectives/PendingCollective.h"

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
  if (direct()) return;
  if (slot.layout.my_id == _root) copy(slot.mine(), _buffer + offset(piece), length(piece));
}

void PendingBcast::combine(std::uint64_t piece, const SlotMemory& slot) {
  if (direct() || slot.layout.nnodes() == 1 ||
      slot.layout.slots[static_cast<std::size_t>(_root)] < 0)
    return;
  copy(slot.result(), slot.contribution_of(_root), length(piece));
}

PolledCoroutine PendingBcast::exchange(std::uint64_t piece, const SlotMemory& slot, LeaderExchange& leaders) {
  char* const data = direct() ? _buffer + offset(piece) : slot.result();
  return leaders.bcast_steps(data, length(piece),
                             slot.layout.node_of[static_cast<std::size_t>(_root)]);
}

void PendingBcast::collect(std::uint64_t piece, const SlotMemory& slot) {
  if (direct() || slot.layout.my_id == _root) return;
  const char* const from = slot.layout.nnodes() == 1 ? slot.contribution_of(_root) : slot.result();
  copy(_buffer + offset(piece), from, length(piece));
}

void PendingAllgather::deposit(std::uint64_t piece, const SlotMemory& slot) {
  const bool in_place = _send == nullptr || _send == _recv;
  char* const own = _recv + static_cast<std::size_t>(slot.layout.my_id) * _nbytes;
  const char* const from = in_place ? own : _send;
  if (direct()) {
    if (from != own) copy(own, from, _nbytes);
    return;
  }
  copy(slot.mine(), from + offset(piece), length(piece));
}

void PendingAllgather::combine(std::uint64_t piece, const SlotMemory& slot) {
  if (!direct() && slot.layout.nnodes() > 1) give_to_all(slot, length(piece));
}

PolledCoroutine PendingAllgather::exchange(std::uint64_t piece, const SlotMemory& slot,
                                 LeaderExchange& leaders) {
  return leaders.allgather_steps(direct() ? _recv : slot.result(), length(piece));
}

void PendingAllgather::collect(std::uint64_t piece, const SlotMemory& slot) {
  if (direct()) return;
  const std::size_t nbytes = length(piece);
  for (int unit = 0; unit < slot.layout.size(); ++unit) {
    copy(_recv + static_cast<std::size_t>(unit) * _nbytes + offset(piece),
         slot.given_by(unit, nbytes), nbytes);
  }
}

PendingReduce::PendingReduce(const void* send, void* recv, std::size_t nelem,
                             const Reduction& reduce, int to_unit, bool ordered,
                             const PiecePlan& plan)
    : PendingCollective(4, to_unit == all_units ? "allreduce_async" : "reduce_async",
                        nelem * reduce.element_bytes(), plan),
      _send(static_cast<const char*>(send)),
      _recv(static_cast<char*>(recv)),
      _reduce(reduce),
      _to_unit(to_unit),
      _ordered(ordered) {
  agree_on(static_cast<std::uint64_t>(to_unit));
  if (plan.direct && recv == nullptr) _own = std::make_unique_for_overwrite<char[]>(nbytes());
}

void PendingReduce::deposit(std::uint64_t piece, const SlotMemory& slot) {
  if (!direct()) return copy(slot.mine(), _send + offset(piece), length(piece));
  char* const place = combined() + offset(piece);
  if (place != _send + offset(piece)) copy(place, _send + offset(piece), length(piece));
}

void PendingReduce::combine(std::uint64_t piece, const SlotMemory& slot) {
  if (direct()) return;
  const std::size_t nbytes = length(piece);
  if (_ordered) return give_to_all(slot, nbytes);
  // From the last to the first, as the left operand is the one that is added.
  const std::vector<std::int32_t>& members = slot.layout.members;
  copy(slot.result(), slot.contribution_of(members.back()), nbytes);
  for (std::size_t i = members.size() - 1; i-- > 0;)
    _reduce(slot.contribution_of(members[i]), slot.result(), elements(piece));
}

PolledCoroutine PendingReduce::exchange(std::uint64_t piece, const SlotMemory& slot,
                              LeaderExchange& leaders) {
  if (_ordered) return leaders.allgather_steps(slot.result(), length(piece));
  const int to_node = _to_unit == all_units
                          ? LeaderExchange::all_nodes
                          : slot.layout.node_of[static_cast<std::size_t>(_to_unit)];
  return leaders.allreduce_steps(direct() ? combined() + offset(piece) : slot.result(), nullptr,
                                 elements(piece), _reduce, to_node);
}

void PendingReduce::collect(std::uint64_t piece, const SlotMemory& slot) {
  if (direct() || _recv == nullptr) return;
  const std::size_t nbytes = length(piece);
  char* const to = _recv + offset(piece);
  if (!_ordered) return copy(to, slot.result(), nbytes);
  copy(to, slot.given_by(slot.layout.size() - 1, nbytes), nbytes);
  for (int unit = slot.layout.size() - 1; unit-- > 0;)
    _reduce(slot.given_by(unit, nbytes), to, elements(piece));
}

}  // namespace dash::dart
