#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "dash/Team.h"
#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"
#include "dash/internal/Unit.h"

namespace dash::exec {
class ChunkSizer;
}  // namespace dash::exec

namespace dash::internal {

/// Shared memory in which the units of a team on one node publish their remaining chunks of work. Owned
/// by the team, see Team::node_work_table().
class DASH_API NodeWorkTable {
 public:
  /// \collective over the team
  explicit NodeWorkTable(Team& team);
  ~NodeWorkTable();
  NodeWorkTable(const NodeWorkTable&) = delete;
  NodeWorkTable& operator=(const NodeWorkTable&) = delete;

 private:
  friend class NodeWork;
  struct Record;
  struct Memory;
  std::unique_ptr<Memory> _memory;
};

/// Work of one collective call that the units of a node share. Each unit starts with its own chunks.
/// When it has none left, it takes chunks of other units, those of its NUMA domain first.
///
/// Protocol: all units number their calls, consistently, since all make the same calls in the same
/// order. Every unit has a cursor in the team's table: one word with the number of its current call
/// and the index of its next chunk.
///
/// 1. open(): the owner stores the number of its chunks and then, with memory order release, the
///    cursor (call, 0).
/// 2. The owner and other units claim chunks by compare-and-swap of the cursor. If the cursor
///    contains the number of another call, nothing is claimed: the owner has not started this call
///    yet. (It cannot be in a later call, since a call ends with a collective that the claiming unit
///    has not entered.)
/// 3. Other units add the number of chunks they have run to the owner's `done`, with memory order
///    release. The owner waits until all of its chunks have been run, and then sees their results.
/// 4. A unit that finds no chunks while other units have not started waits for the next one to
///    start: open() increments a counter in the record of the node's first member.
/// 5. A unit that fails calls close(), which withdraws its remaining chunks. If it has not called
///    open() yet, close() calls open(0), so that other units do not wait for the unit.
///
/// Writes of the owner before open() are visible to the units that run its chunks. Their writes are
/// visible to the owner after wait_for_chunks(), or after the collective that ends the call.
/// \threads externally synchronized, except that the body runs chunks on several threads
class DASH_API NodeWork {
 public:
  /// Runs the chunks begin ... end - 1 of a unit of the caller's node.
  using Body = exec::FunctionRef<void(team_unit_t unit, std::size_t begin, std::size_t end)>;

  /// Number of bytes for the results of each unit's chunks.
  static constexpr std::size_t result_bytes = std::size_t{64} << 10;

  /// Starts the next call on the table.
  NodeWork(NodeWorkTable& table, team_unit_t myid) noexcept;
  ~NodeWork() { close(); }
  NodeWork(const NodeWork&) = delete;
  NodeWork& operator=(const NodeWork&) = delete;

  /// Whether run() has not been called.
  bool has_not_run() const noexcept { return _state == State::constructed; }

  /// Runs the caller's chunks 0 ... count - 1 on its workers, except those that other units claim, and
  /// then chunks of other units.
  /// \param count  less than 2^32; may differ between units
  /// \blocks until all chunks of all units of the node have been claimed
  /// \throws the first exception of a body on this unit, after the running bodies have returned
  void run(std::size_t count, Body body);

  /// Memory for the results of a unit's chunks: result_bytes, aligned to a cache line.
  void* results(team_unit_t unit) const noexcept;

  /// Returns when all chunks of the caller have been run, by any unit.
  /// \returns false if a chunk has failed on another unit, which reports the error
  /// \pre run() has returned
  bool wait_for_chunks();

  /// Withdraws the caller's unclaimed chunks. If run() has not been called, publishes 0 chunks.
  void close() noexcept;

 private:
  enum class State : unsigned char { constructed, open, closed };
  struct Batch;
  class Worker;

  NodeWorkTable::Record& record(team_unit_t unit) const noexcept;
  void open(std::size_t count);
  std::uint32_t remaining(const NodeWorkTable::Record& of) const noexcept;
  bool has_not_started(const NodeWorkTable::Record& of) const noexcept;
  std::size_t remaining_on_node() const noexcept;
  bool has_unstarted_units() const noexcept;
  Batch claim(team_unit_t unit, const exec::ChunkSizer& sizer) const noexcept;

  NodeWorkTable::Memory& _table;
  team_unit_t _myid;
  std::uint32_t _call;
  State _state = State::constructed;
  std::size_t _count = 0;
  std::atomic<std::size_t> _own_done{0};  // number of the caller's chunks run by its own workers
  std::atomic<bool> _failed{false};
};

}  // namespace dash::internal
