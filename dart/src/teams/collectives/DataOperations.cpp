#include "teams/collectives/DataOperations.h"

namespace dash::dart {

namespace {

/// MPI counts bytes in an int.
constexpr std::size_t max_message_bytes = std::size_t{1} << 30;

std::size_t as_size(int unit) noexcept {
  return static_cast<std::size_t>(unit);
}

/// Chunk size such that the contributions of all units fit into a result of several nodes.
std::size_t gathered_chunk_bytes(const TeamLayout& layout, const ScheduleLimits& limits) noexcept {
  if (layout.nnodes() == 1) return limits.contribution_bytes;
  return std::min(limits.contribution_bytes, limits.result_bytes / as_size(layout.size()));
}

std::size_t pair_chunk_bytes(const TeamLayout& layout, const ScheduleLimits& limits) noexcept {
  // A contribution has data for each unit, a result those for each pair of units of two nodes.
  const std::size_t own = limits.contribution_bytes / as_size(layout.size());
  if (layout.nnodes() == 1) return own;
  const std::size_t pairs = as_size(layout.largest_node) * as_size(layout.largest_node);
  return std::min(own, limits.result_bytes / pairs);
}

/// The same for a queue, where a contribution has data for the units of one node only.
std::size_t node_pair_chunk_bytes(const TeamLayout& layout, const ScheduleLimits& limits) noexcept {
  const std::size_t units = as_size(layout.nnodes() == 1 ? layout.size() : layout.largest_node);
  const std::size_t own = limits.contribution_bytes / units;
  const std::size_t chunk =
      layout.nnodes() == 1 ? own : std::min(own, limits.result_bytes / (units * units));
  return std::max<std::size_t>(chunk, 1);
}

std::size_t num_chunks(std::size_t nbytes, std::size_t chunk_bytes) noexcept {
  return std::max<std::size_t>((nbytes + chunk_bytes - 1) / chunk_bytes, 1);
}
/// Steps of an all-to-all in the queue.
std::size_t num_steps(const TeamLayout& layout, std::size_t nbytes,
                      std::size_t chunk_bytes) noexcept {
  return num_chunks(nbytes, chunk_bytes) * as_size(layout.nnodes());
}

}  // namespace

BcastOperation::BcastOperation(const TeamLayout& layout, const ScheduleLimits& limits, void* buffer,
                               std::size_t nbytes, int root) noexcept
    : CollectiveOperation(Kind::bcast, nbytes,
                          can_be_direct(layout, limits) ? direct_chunk_bytes
                          : layout.nnodes() == 1
                              ? limits.contribution_bytes
                              : std::min(limits.contribution_bytes, limits.result_bytes),
                          can_be_direct(layout, limits)),
      _buffer(static_cast<char*>(buffer)),
      _root(root) {
  add_to_signature(static_cast<std::uint64_t>(root));
}

void BcastOperation::deposit(const Chunk& chunk) {
  if (is_direct() || chunk.layout().my_id != _root) return;
  copy(chunk.own_contribution(length(chunk)), _buffer + offset(chunk), length(chunk));
}

void BcastOperation::combine(const Chunk& chunk) {
  const bool root_on_node = chunk.layout().slots[as_size(_root)] >= 0;
  if (is_direct() || chunk.on_one_node() || !root_on_node) return;
  copy(chunk.result(length(chunk)), chunk.contribution_of(_root, length(chunk)), length(chunk));
}

void BcastOperation::exchange(const Chunk& chunk, LeaderExchange& leaders) {
  char* const data = is_direct() ? _buffer + offset(chunk) : chunk.result(length(chunk));
  leaders.bcast(data, length(chunk), chunk.layout().node_of_member(_root));
}

void BcastOperation::collect(const Chunk& chunk) {
  if (is_direct() || chunk.layout().my_id == _root) return;
  const std::size_t nbytes = length(chunk);
  const char* const from =
      chunk.on_one_node() ? chunk.contribution_of(_root, nbytes) : chunk.result(nbytes);
  copy(_buffer + offset(chunk), from, nbytes);
}

GatherOperation::GatherOperation(const TeamLayout& layout, const ScheduleLimits& limits,
                                 const void* send, void* recv, std::size_t nbytes,
                                 int root) noexcept
    : CollectiveOperation(Kind::gather, nbytes, gathered_chunk_bytes(layout, limits)),
      _send(static_cast<const char*>(send)),
      _recv(static_cast<char*>(recv)),
      _root(root) {
  add_to_signature(static_cast<std::uint64_t>(root));
}

void GatherOperation::deposit(const Chunk& chunk) {
  copy(chunk.own_contribution(length(chunk)), _send + offset(chunk), length(chunk));
}

void GatherOperation::combine(const Chunk& chunk) {
  if (!chunk.on_one_node()) chunk.copy_contributions_to_result(length(chunk));
}

void GatherOperation::exchange(const Chunk& chunk, LeaderExchange& leaders) {
  leaders.gather(chunk.result(length(chunk) * as_size(chunk.layout().size())), length(chunk),
                 chunk.layout().node_of_member(_root));
}

void GatherOperation::collect(const Chunk& chunk) {
  if (chunk.layout().my_id != _root) return;
  for (int unit = 0; unit < chunk.layout().size(); ++unit) {
    copy(_recv + as_size(unit) * nbytes() + offset(chunk), chunk.gathered_from(unit, length(chunk)),
         length(chunk));
  }
}

ScatterOperation::ScatterOperation(const TeamLayout& layout, const ScheduleLimits& limits,
                                   const void* send, void* recv, std::size_t nbytes,
                                   int root) noexcept
    : CollectiveOperation(Kind::scatter, nbytes, limits.result_bytes / as_size(layout.size())),
      _send(static_cast<const char*>(send)),
      _recv(static_cast<char*>(recv)),
      _root(root) {
  add_to_signature(static_cast<std::uint64_t>(root));
}

std::size_t ScatterOperation::index_of(const Chunk& chunk, int unit) noexcept {
  return chunk.on_one_node() ? as_size(unit) : chunk.layout().index_by_node(unit);
}

void ScatterOperation::deposit(const Chunk& chunk) {
  if (chunk.layout().my_id != _root) return;
  const std::size_t each = length(chunk);
  char* const all = chunk.result(each * as_size(chunk.layout().size()));
  for (int unit = 0; unit < chunk.layout().size(); ++unit) {
    copy(all + index_of(chunk, unit) * each, _send + as_size(unit) * nbytes() + offset(chunk),
         each);
  }
}

void ScatterOperation::exchange(const Chunk& chunk, LeaderExchange& leaders) {
  leaders.scatter(chunk.result(length(chunk) * as_size(chunk.layout().size())), length(chunk),
                  chunk.layout().node_of_member(_root));
}

void ScatterOperation::collect(const Chunk& chunk) {
  const std::size_t each = length(chunk);
  const char* const all = chunk.result(each * as_size(chunk.layout().size()));
  copy(_recv + offset(chunk), all + index_of(chunk, chunk.layout().my_id) * each, each);
}

AllgatherOperation::AllgatherOperation(const TeamLayout& layout, const ScheduleLimits& limits,
                                       const void* send, void* recv, std::size_t nbytes) noexcept
    : CollectiveOperation(Kind::allgather, nbytes,
                          can_be_direct(layout, limits) && nbytes <= max_message_bytes
                              ? nbytes
                              : gathered_chunk_bytes(layout, limits),
                          can_be_direct(layout, limits) && nbytes <= max_message_bytes),
      _send(static_cast<const char*>(send)),
      _recv(static_cast<char*>(recv)),
      _in_place(send == nullptr || send == recv) {}

AllgatherOperation::AllgatherOperation(const TeamLayout& layout, const ScheduleLimits& limits,
                                       const void* send, void* recv, const std::size_t* sizes,
                                       const std::size_t* displacements) noexcept
    : CollectiveOperation(Kind::allgatherv, *std::max_element(sizes, sizes + layout.size()),
                          gathered_chunk_bytes(layout, limits)),
      _send(static_cast<const char*>(send)),
      _recv(static_cast<char*>(recv)),
      _sizes(sizes),
      _displacements(displacements),
      _in_place(send == nullptr || send == recv) {}

std::size_t AllgatherOperation::offset_of(int unit) const noexcept {
  return _displacements == nullptr ? as_size(unit) * nbytes() : _displacements[unit];
}

/// Bytes of the chunk that a unit has.
std::size_t AllgatherOperation::length_of(int unit, const Chunk& chunk) const noexcept {
  if (_sizes == nullptr) return length(chunk);
  return std::min(length(chunk), _sizes[unit] - std::min(_sizes[unit], offset(chunk)));
}

void AllgatherOperation::deposit(const Chunk& chunk) {
  const int me = chunk.layout().my_id;
  char* const own = _recv + offset_of(me);
  if (is_direct()) {
    if (!_in_place && _send != own) copy(own, _send, nbytes());
    return;
  }
  copy(chunk.own_contribution(length(chunk)), (_in_place ? own : _send) + offset(chunk),
       length_of(me, chunk));
}

void AllgatherOperation::combine(const Chunk& chunk) {
  if (!is_direct() && !chunk.on_one_node()) chunk.copy_contributions_to_result(length(chunk));
}

void AllgatherOperation::exchange(const Chunk& chunk, LeaderExchange& leaders) {
  char* const all =
      is_direct() ? _recv : chunk.result(length(chunk) * as_size(chunk.layout().size()));
  leaders.allgather(all, length(chunk));
}

void AllgatherOperation::collect(const Chunk& chunk) {
  if (is_direct()) return;
  for (int unit = 0; unit < chunk.layout().size(); ++unit) {
    if (_in_place && unit == chunk.layout().my_id) continue;
    copy(_recv + offset_of(unit) + offset(chunk), chunk.gathered_from(unit, length(chunk)),
         length_of(unit, chunk));
  }
}

AlltoallOperation::AlltoallOperation(const TeamLayout& layout, const ScheduleLimits& limits,
                                     const void* send, void* recv, std::size_t nbytes) noexcept
    : CollectiveOperation(Kind::alltoall, nbytes, pair_chunk_bytes(layout, limits)),
      _send(static_cast<const char*>(send == nullptr ? recv : send)),
      _recv(static_cast<char*>(recv)),
      _nnodes(layout.nnodes()) {}

/// Each chunk is read before its destination is written, so that both may be the same memory.
void AlltoallOperation::deposit(const Chunk& chunk) {
  const std::size_t each = length(chunk);
  char* const own = chunk.own_contribution(each * as_size(chunk.layout().size()));
  for (int unit = 0; unit < chunk.layout().size(); ++unit)
    copy(own + as_size(unit) * each, _send + as_size(unit) * nbytes() + offset(chunk), each);
}

/// The source node of a round; the destination is at the same distance in the other direction.
int AlltoallOperation::receives_from(const Chunk& chunk) noexcept {
  const int nnodes = chunk.layout().nnodes();
  return (chunk.layout().node - chunk.round + nnodes) % nnodes;
}

void AlltoallOperation::pack(const Chunk& chunk, int to_node) {
  const TeamLayout& layout = chunk.layout();
  const std::size_t each = length(chunk);
  _packed.clear();
  _packed.reserve(as_size(layout.node_size() * layout.node_sizes[as_size(to_node)]) * each);
  for (const std::int32_t member : layout.members) {
    const char* const from = chunk.contribution_of(member, each * as_size(layout.size()));
    for (int unit = 0; unit < layout.size(); ++unit) {
      if (layout.node_of_member(unit) != to_node) continue;
      _packed.insert(_packed.end(), from + as_size(unit) * each, from + as_size(unit + 1) * each);
    }
  }
}

void AlltoallOperation::exchange(const Chunk& chunk, LeaderExchange& leaders) {
  if (chunk.round == 0) return;
  const TeamLayout& layout = chunk.layout();
  const int to_node = (layout.node + chunk.round) % layout.nnodes();
  const int from_node = receives_from(chunk);
  pack(chunk, to_node);
  const std::size_t arriving =
      as_size(layout.node_sizes[as_size(from_node)]) * as_size(layout.node_size()) * length(chunk);
  leaders.sendrecv(to_node, _packed.data(), _packed.size(), from_node, chunk.result(arriving),
                   arriving);
}

void AlltoallOperation::collect_from_members(const Chunk& chunk) const noexcept {
  const TeamLayout& layout = chunk.layout();
  const std::size_t each = length(chunk);
  for (const std::int32_t unit : layout.members) {
    copy(_recv + as_size(unit) * nbytes() + offset(chunk),
         chunk.contribution_of(unit, each * as_size(layout.size())) + as_size(layout.my_id) * each,
         each);
  }
}

void AlltoallOperation::collect(const Chunk& chunk) {
  if (chunk.round == 0) return collect_from_members(chunk);
  const TeamLayout& layout = chunk.layout();
  const int from_node = receives_from(chunk);
  const std::size_t each = length(chunk);
  const std::size_t row = as_size(layout.node_size()) * each;  // data of one sender for this node
  const char* from = chunk.result(as_size(layout.node_sizes[as_size(from_node)]) * row) +
                     layout.index_on_node() * each;
  for (int unit = 0; unit < layout.size(); ++unit) {
    if (layout.node_of_member(unit) != from_node) continue;
    copy(_recv + as_size(unit) * nbytes() + offset(chunk), from, each);
    from += row;
  }
}

QueuedAlltoallOperation::QueuedAlltoallOperation(const TeamLayout& layout,
                                                 const ScheduleLimits& limits, const void* send,
                                                 void* recv, std::size_t nbytes)
    : QueuedAlltoallOperation(layout, send, recv, nbytes,
                              can_be_direct(layout, limits) ? direct_chunk_bytes
                                                            : node_pair_chunk_bytes(layout, limits),
                              can_be_direct(layout, limits)) {}

QueuedAlltoallOperation::QueuedAlltoallOperation(const TeamLayout& layout, const void* send,
                                                 void* recv, std::size_t nbytes,
                                                 std::size_t chunk_bytes, bool direct)
    : CollectiveOperation(Kind::alltoall, num_steps(layout, nbytes, chunk_bytes), 1, direct),
      _pair_bytes(nbytes),
      _chunk_bytes(chunk_bytes),
      _chunks_of_pair(num_chunks(nbytes, chunk_bytes)),
      _units(as_size(layout.size())),
      _send(static_cast<const char*>(send)),
      _recv(static_cast<char*>(recv)) {
  add_to_signature(nbytes);
  for (int unit = 0; unit < layout.size(); ++unit)
    _units[layout.nnodes() == 1 ? as_size(unit) : layout.index_by_node(unit)] = unit;
  if (send != nullptr && send != recv) return;
  _copy.assign(_recv, _recv + nbytes * as_size(layout.size()));
  _send = _copy.data();
}

QueuedAlltoallOperation::Step QueuedAlltoallOperation::step_of(const Chunk& chunk) const noexcept {
  const TeamLayout& layout = chunk.layout();
  const auto distance = static_cast<int>(chunk.index / _chunks_of_pair);
  const std::size_t offset = chunk.index % _chunks_of_pair * _chunk_bytes;
  return {(layout.node + distance) % layout.nnodes(),
          (layout.node - distance + layout.nnodes()) % layout.nnodes(), offset,
          std::min(_chunk_bytes, _pair_bytes - offset), distance == 0};
}

std::span<const std::int32_t> QueuedAlltoallOperation::units_of(const Chunk& chunk,
                                                                int node) const noexcept {
  const TeamLayout& layout = chunk.layout();
  if (layout.nnodes() == 1) return _units;
  return std::span(_units).subspan(as_size(layout.node_first[as_size(node)]),
                                   as_size(layout.node_sizes[as_size(node)]));
}

const char* QueuedAlltoallOperation::data_for(int unit, const Step& step) const noexcept {
  return _send + as_size(unit) * _pair_bytes + step.offset;
}
char* QueuedAlltoallOperation::data_from(int unit, const Step& step) const noexcept {
  return _recv + as_size(unit) * _pair_bytes + step.offset;
}
std::size_t QueuedAlltoallOperation::bytes_of_unit(std::span<const std::int32_t> receivers,
                                                   const Step& step) {
  return receivers.size() * step.length;
}

void QueuedAlltoallOperation::deposit(const Chunk& chunk) {
  const Step step = step_of(chunk);
  const int me = chunk.layout().my_id;
  if (is_direct()) {
    if (step.is_own_node) copy(data_from(me, step), data_for(me, step), step.length);
    return;
  }
  const auto receivers = units_of(chunk, step.to_node);
  char* out = chunk.own_contribution(bytes_of_unit(receivers, step));
  for (const std::int32_t unit : receivers) {
    copy(out, data_for(unit, step), step.length);
    out += step.length;
  }
}

void QueuedAlltoallOperation::exchange(const Chunk& chunk, LeaderExchange& leaders) {
  const Step step = step_of(chunk);
  if (step.is_own_node) return;
  const auto receivers = units_of(chunk, step.to_node);
  const auto senders = units_of(chunk, step.from_node);
  if (is_direct()) {
    leaders.sendrecv(step.to_node, data_for(receivers.front(), step), step.length, step.from_node,
                     data_from(senders.front(), step), step.length);
    return;
  }
  std::vector<char>& packed = _packed[chunk.index % _packed.size()];
  packed.clear();
  for (const std::int32_t member : chunk.layout().members) {
    const std::size_t nbytes = bytes_of_unit(receivers, step);
    const char* const from = chunk.contribution_of(member, nbytes);
    packed.insert(packed.end(), from, from + nbytes);
  }
  const std::size_t arriving = senders.size() * as_size(chunk.layout().node_size()) * step.length;
  leaders.sendrecv(step.to_node, packed.data(), packed.size(), step.from_node,
                   chunk.result(arriving), arriving);
}

void QueuedAlltoallOperation::collect(const Chunk& chunk) {
  if (is_direct()) return;
  const Step step = step_of(chunk);
  const TeamLayout& layout = chunk.layout();
  const auto senders = units_of(chunk, step.from_node);
  const std::size_t row = as_size(layout.node_size()) * step.length;  // of one sender
  const std::size_t own_data = layout.index_on_node() * step.length;  // in a row
  const char* result = chunk.result(senders.size() * row);
  for (const std::int32_t sender : senders) {
    const char* const from = step.is_own_node ? chunk.contribution_of(sender, row) : result;
    copy(data_from(sender, step), from + own_data, step.length);
    result += row;
  }
}

}  // namespace dash::dart
