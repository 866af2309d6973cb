#include "teams/collectives/ReduceOperation.h"

#include "dash/core/Settings.h"

namespace dash::dart {

bool is_ordered(const TeamLayout& layout, const Reduction& reduction) noexcept {
  if (layout.nnodes() == 1) return false;  // the members of a node are combined in order anyway
  return !reduction.commutes() || core::settings().reduce_order == core::ReduceOrder::ascending;
}

std::size_t ReduceOperation::elements_per_chunk(const TeamLayout& layout,
                                                const ScheduleLimits& limits,
                                                const Reduction& reduction, bool ordered) noexcept {
  std::size_t nbytes = std::min(limits.contribution_bytes, limits.result_bytes);
  if (ordered) {
    nbytes = std::min(nbytes, limits.result_bytes / static_cast<std::size_t>(layout.size()));
  } else if (can_be_direct(layout, limits)) {
    nbytes = direct_chunk_bytes;
  }
  const std::size_t elements = nbytes / reduction.element_bytes();
  return elements / reduction.granularity() * reduction.granularity();
}

ReduceOperation::ReduceOperation(const TeamLayout& layout, const ScheduleLimits& limits,
                                 const void* send, void* recv, std::size_t nelem,
                                 const Reduction& reduction, int to_unit, bool ordered)
    : CollectiveOperation(
          Kind::reduce, nelem * reduction.element_bytes(),
          elements_per_chunk(layout, limits, reduction, ordered) * reduction.element_bytes(),
          can_be_direct(layout, limits) && !ordered),
      _send(static_cast<const char*>(send)),
      _recv(static_cast<char*>(recv)),
      _reduction(reduction),
      _to_unit(to_unit),
      _ordered(ordered),
      _may_share(!limits.is_queue && !ordered && layout.node_size() > 1) {
  add_to_signature(static_cast<std::uint64_t>(to_unit));
  add_to_signature(reduction.signature());
  if (is_direct() && recv == nullptr) _own = std::make_unique_for_overwrite<char[]>(nbytes());
}

void ReduceOperation::deposit(const Chunk& chunk) {
  const char* const from = _send + offset(chunk);
  if (!is_direct()) return copy(chunk.own_contribution(length(chunk)), from, length(chunk));
  char* const to = direct_result() + offset(chunk);
  if (to != from) copy(to, from, length(chunk));
}

void ReduceOperation::combine(const Chunk& chunk) {
  if (is_direct() || is_shared(chunk.index)) return;
  const std::size_t nbytes = length(chunk);
  if (_ordered) return chunk.copy_contributions_to_result(nbytes);
  // From the last to the first, since an operation adds its left operand.
  const std::vector<std::int32_t>& members = chunk.layout().members;
  char* const total = chunk.result(nbytes);
  copy(total, chunk.contribution_of(members.back(), nbytes), nbytes);
  for (std::size_t i = members.size() - 1; i-- > 0;)
    _reduction(chunk.contribution_of(members[i], nbytes), total, elements(chunk));
}

/// Each member combines some of the elements of all contributions, in the same order as combine().
void ReduceOperation::combine_own_share(const Chunk& chunk) const {
  const std::vector<std::int32_t>& members = chunk.layout().members;
  const std::size_t groups = elements(chunk) / _reduction.granularity();
  const auto first_of = [&](std::size_t index) {
    if (index == members.size()) return elements(chunk);
    return groups * index / members.size() * _reduction.granularity();
  };
  const std::size_t me = chunk.layout().index_on_node();
  const std::size_t nelem = first_of(me + 1) - first_of(me);
  const std::size_t begin = first_of(me) * _reduction.element_bytes();
  const std::size_t nbytes = length(chunk);
  char* const total = chunk.result_of_next_round(nbytes) + begin;
  copy(total, chunk.contribution_of(members.back(), nbytes) + begin,
       nelem * _reduction.element_bytes());
  for (std::size_t i = members.size() - 1; i-- > 0;)
    _reduction(chunk.contribution_of(members[i], nbytes) + begin, total, nelem);
}

void ReduceOperation::exchange(const Chunk& chunk, LeaderExchange& leaders) {
  if (chunk.round + 1 < rounds(chunk.index)) return;
  const std::size_t nbytes = length(chunk);
  if (_ordered) {
    const auto nunits = static_cast<std::size_t>(chunk.layout().size());
    return leaders.allgather(chunk.result(nbytes * nunits), nbytes);
  }
  const int to_node =
      _to_unit == all_units ? LeaderExchange::all_nodes : chunk.layout().node_of_member(_to_unit);
  leaders.allreduce(is_direct() ? direct_result() + offset(chunk) : chunk.result(nbytes),
                    elements(chunk), _reduction, to_node);
}

void ReduceOperation::collect(const Chunk& chunk) {
  if (chunk.round + 1 < rounds(chunk.index)) return combine_own_share(chunk);
  if (is_direct() || _recv == nullptr) return;
  const std::size_t nbytes = length(chunk);
  char* const to = _recv + offset(chunk);
  if (!_ordered) return copy(to, chunk.result(nbytes), nbytes);
  const int last = chunk.layout().size() - 1;
  copy(to, chunk.gathered_from(last, nbytes), nbytes);
  for (int unit = last; unit-- > 0;)
    _reduction(chunk.gathered_from(unit, nbytes), to, elements(chunk));
}

}  // namespace dash::dart
