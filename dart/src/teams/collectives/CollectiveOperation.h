#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "launch/TeamBlock.h"
#include "teams/TeamLayout.h"
#include "teams/collectives/LeaderExchange.h"

namespace dash::dart {

/// The blocks of the members of a team on the caller's node.
struct NodeBlocks {
  const TeamLayout& layout;
  char* base;            // the team's block in the heap of the node's slot 0
  std::uint64_t stride;  // distance between the heaps of two slots

  char* block_of(int unit) const noexcept {
    return base + static_cast<std::uint64_t>(layout.slots[static_cast<std::size_t>(unit)]) * stride;
  }
  char* leader_block() const noexcept { return block_of(layout.members.front()); }
};

/// Offset in a block of the data of one chunk. The size selects the area, so that all units compute
/// the same one.
struct ChunkArea {
  std::uint64_t small;  // for at most TeamBlock::small_bytes bytes
  std::uint64_t large;

  std::uint64_t offset(std::size_t nbytes) const noexcept {
    return nbytes <= TeamBlock::small_bytes ? small : large;
  }
};

/// One chunk of a collective, as a schedule passes it through the memory of the team.
struct Chunk {
  const NodeBlocks& blocks;
  std::uint64_t index;
  ChunkArea contributions;
  ChunkArea results;
  ChunkArea next_results;  // of the next round of the chunk
  int round = 0;

  const TeamLayout& layout() const noexcept { return blocks.layout; }
  bool on_one_node() const noexcept { return layout().nnodes() == 1; }
  /// Memory for the contribution of `nbytes` bytes of a unit on the caller's node.
  char* contribution_of(int unit, std::size_t nbytes) const noexcept {
    return blocks.block_of(unit) + contributions.offset(nbytes);
  }
  char* own_contribution(std::size_t nbytes) const noexcept {
    return contribution_of(layout().my_id, nbytes);
  }
  /// Memory of the node's leader for the result of `nbytes` bytes.
  char* result(std::size_t nbytes) const noexcept {
    return blocks.leader_block() + results.offset(nbytes);
  }
  char* result_of_next_round(std::size_t nbytes) const noexcept {
    return blocks.leader_block() + next_results.offset(nbytes);
  }
  /// Copies the node's contributions into the result, which holds those of all units, sorted by node.
  /// \param nbytes  size of one contribution
  void copy_contributions_to_result(std::size_t nbytes) const noexcept {
    if (nbytes == 0) return;
    char* const all = result(nbytes * static_cast<std::size_t>(layout().size()));
    for (const std::int32_t unit : layout().members)
      std::memcpy(all + layout().index_by_node(unit) * nbytes, contribution_of(unit, nbytes),
                  nbytes);
  }
  /// The contribution of any unit after an allgather: in that unit's block if the team is on one
  /// node, else in the result.
  const char* gathered_from(int unit, std::size_t nbytes) const noexcept {
    if (on_one_node()) return contribution_of(unit, nbytes);
    return result(nbytes * static_cast<std::size_t>(layout().size())) +
           layout().index_by_node(unit) * nbytes;
  }
};

/// What a schedule provides for each chunk.
struct ScheduleLimits {
  std::size_t contribution_bytes;
  std::size_t result_bytes;
  /// The queue runs one round per chunk. Where each node has one unit, its leaders exchange the
  /// buffers of the user (`direct`) instead of passing the data through the team's memory.
  bool is_queue;
};

/// A collective described as an operation on chunks, independent of the schedule that executes it:
/// the blocking one of CollectiveEngine, or CollectiveQueue.
///
/// Each chunk passes through these steps. Every unit calls deposit(). When all units of the node have,
/// one unit of each node calls combine() and, if the team is on several nodes, exchange(). When the
/// exchange is complete, every unit calls collect(). A chunk of several rounds repeats all steps but
/// deposit().
class CollectiveOperation {
 public:
  /// Distinguishes the operations in signatures.
  enum class Kind : std::uint32_t {
    barrier = 1,
    bcast,
    gather,
    scatter,
    allgather,
    allgatherv,
    alltoall,
    reduce
  };

  CollectiveOperation(const CollectiveOperation&) = delete;
  CollectiveOperation& operator=(const CollectiveOperation&) = delete;
  virtual ~CollectiveOperation() = default;

  /// Number of chunks; at least 1.
  std::uint64_t nchunks() const noexcept {
    return std::max<std::uint64_t>((_nbytes + _chunk_bytes - 1) / _chunk_bytes, 1);
  }
  /// Size of the data of one unit.
  std::size_t nbytes() const noexcept { return _nbytes; }
  /// A hash of the kind and the arguments that have to agree: equal on all units if they started the
  /// same collective.
  std::uint64_t signature() const noexcept { return _signature; }

  /// The unit that alone has data to deposit: the chunk proceeds once it has arrived. -1: all units
  /// have data.
  virtual int root() const noexcept { return -1; }
  virtual int rounds(std::uint64_t /*chunk*/) const noexcept { return 1; }
  virtual void deposit(const Chunk& /*chunk*/) {}
  virtual void combine(const Chunk& /*chunk*/) {}
  /// Starts an exchange between the leaders. Its data stays valid until it has ended.
  virtual void exchange(const Chunk& /*chunk*/, LeaderExchange& /*leaders*/) {}
  virtual void collect(const Chunk& /*chunk*/) {}

 protected:
  /// \param chunk_bytes  size of a chunk of the data of one unit
  CollectiveOperation(Kind kind, std::size_t nbytes, std::size_t chunk_bytes,
                      bool direct = false) noexcept
      : _nbytes(nbytes), _chunk_bytes(std::max<std::size_t>(chunk_bytes, 1)), _direct(direct) {
    add_to_signature(static_cast<std::uint64_t>(kind));
    add_to_signature(nbytes);
  }
  void add_to_signature(std::uint64_t value) noexcept {
    _signature = (_signature ^ value) * 0x9E3779B97F4A7C15U;
    _signature ^= _signature >> 32;
  }

  /// Whether the leaders exchange the users' buffers.
  bool is_direct() const noexcept { return _direct; }
  std::size_t offset(const Chunk& chunk) const noexcept { return chunk.index * _chunk_bytes; }
  std::size_t length(std::uint64_t chunk) const noexcept {
    return std::min(_chunk_bytes, _nbytes - std::min(_nbytes, chunk * _chunk_bytes));
  }
  std::size_t length(const Chunk& chunk) const noexcept { return length(chunk.index); }

  /// memcpy that permits null pointers if there are no bytes.
  static void copy(void* to, const void* from, std::size_t nbytes) noexcept {
    if (nbytes != 0) std::memcpy(to, from, nbytes);
  }
  /// Whether leaders can exchange the users' buffers: each node has one unit.
  static bool can_be_direct(const TeamLayout& layout, const ScheduleLimits& limits) noexcept {
    return limits.is_queue && layout.nnodes() > 1 && layout.largest_node == 1;
  }
  /// Size of a chunk that leaders exchange directly.
  static constexpr std::size_t direct_chunk_bytes = std::size_t{512} << 10;

 private:
  std::size_t _nbytes;
  std::size_t _chunk_bytes;
  bool _direct;
  std::uint64_t _signature = 0;
};

}  // namespace dash::dart
