#include "dash/internal/team/NodeWork.h"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "dash/async/ChunkSizer.h"
#include "dash/async/Engine.h"
#include "dash/async/Executor.h"
#include "dash/core/Trace.h"
#include "dash/dart/Placement.h"
#include "dash/dart/if/dart.h"
#include "dash/internal/element/ElementAccess.h"
#include "team/LocalityOrder.h"

namespace dash::internal {

namespace {

/// The number of a call and the index of the next chunk, in one word.
struct Cursor {
  std::uint32_t call;
  std::uint32_t next;

  static Cursor of(std::uint64_t word) noexcept {
    return {static_cast<std::uint32_t>(word >> 32), static_cast<std::uint32_t>(word)};
  }
  std::uint64_t word() const noexcept { return std::uint64_t{call} << 32 | next; }
};

}  // namespace

/// One unit's part of the table. Initially zero.
struct NodeWorkTable::Record {
  alignas(64) std::atomic<std::uint64_t> cursor;
  std::atomic<std::uint32_t> count;   // number of chunks in the call that the cursor names
  std::atomic<std::uint32_t> failed;  // latest call in which another unit failed to run a chunk
  // Number of the owner's chunks that other units have run in this call.
  alignas(64) exec::SharedWord done;
  // Used in the record of the node's first member: number of open() calls of all units of the node.
  alignas(64) exec::SharedWord opened;
  alignas(64) unsigned char results[NodeWork::result_bytes];
};

struct NodeWorkTable::Memory {
  explicit Memory(Team& team) {
    check(dart_team_memalloc_aligned(team.dart_id(), sizeof(Record), DART_TYPE_BYTE, &begin),
          "allocation of shared memory for work");
    for (const int unit : team) {
      dart_gptr_t gptr = begin;
      gptr.unitid = unit;
      auto* const record = static_cast<Record*>(dart::on_node_address(gptr, 0));
      records.push_back(record);
      if (first_member == nullptr) first_member = record;
    }
    auto of_all = dart::unit_placements();
    std::vector<dart::UnitPlacement> of_team;
    for (const int unit : team)
      of_team.push_back(
          std::move(of_all[static_cast<std::size_t>(team.global_id(team_unit_t(unit)).id)]));
    for (const team_unit_t unit : locality_order(of_team, team.myid())) {
      if (records[static_cast<std::size_t>(unit.id)] != nullptr) other_units.push_back(unit);
    }
  }

  dart_gptr_t begin = DART_GPTR_NULL;
  std::vector<Record*> records;          // by unit; null for units of other nodes
  Record* first_member = nullptr;        // record of the node's first member
  std::vector<team_unit_t> other_units;  // the other units of the node, by locality
};

NodeWorkTable::NodeWorkTable(Team& team) : _memory(std::make_unique<Memory>(team)) {}

NodeWorkTable::~NodeWorkTable() {
  try {
    check(dart_team_memfree(_memory->begin), "deallocation of shared memory for work");
  } catch (...) {  // NOLINT(bugprone-empty-catch): logged by the runtime; a destructor cannot throw
  }
}

NodeWork::NodeWork(NodeWorkTable& table, team_unit_t myid) noexcept
    : _table(*table._memory),
      _myid(myid),
      _call(Cursor::of(record(_myid).cursor.load(std::memory_order_relaxed)).call + 1) {}

NodeWorkTable::Record& NodeWork::record(team_unit_t unit) const noexcept {
  return *_table.records[static_cast<std::size_t>(unit.id)];
}

void* NodeWork::results(team_unit_t unit) const noexcept {
  return record(unit).results;
}

void NodeWork::open(std::size_t count) {
  NodeWorkTable::Record& mine = record(_myid);
  _count = count;
  _state = State::open;
  mine.count.store(static_cast<std::uint32_t>(count), std::memory_order_relaxed);
  mine.done.value.store(0, std::memory_order_relaxed);
  mine.cursor.store(Cursor{_call, 0}.word(), std::memory_order_release);
  _table.first_member->opened.add(1);
}

void NodeWork::close() noexcept {
  if (_state == State::constructed) open(0);
  if (_state == State::open) {
    NodeWorkTable::Record& mine = record(_myid);
    const std::uint32_t end = mine.count.load(std::memory_order_relaxed);
    mine.cursor.store(Cursor{_call, end}.word(), std::memory_order_release);
  }
  _state = State::closed;
}

bool NodeWork::has_not_started(const NodeWorkTable::Record& of) const noexcept {
  return Cursor::of(of.cursor.load(std::memory_order_acquire)).call != _call;
}

bool NodeWork::has_unstarted_units() const noexcept {
  return std::any_of(_table.other_units.begin(), _table.other_units.end(),
                     [this](team_unit_t unit) { return has_not_started(record(unit)); });
}

std::uint32_t NodeWork::remaining(const NodeWorkTable::Record& of) const noexcept {
  const Cursor cursor = Cursor::of(of.cursor.load(std::memory_order_acquire));
  if (cursor.call != _call) return 0;
  const std::uint32_t end = of.count.load(std::memory_order_relaxed);
  return cursor.next < end ? end - cursor.next : 0;
}

std::size_t NodeWork::remaining_on_node() const noexcept {
  std::size_t sum = remaining(record(_myid));
  for (const team_unit_t unit : _table.other_units)
    sum += remaining(record(unit));
  return sum;
}

/// The chunks begin ... begin + count - 1 of a unit.
struct NodeWork::Batch {
  team_unit_t unit;
  std::uint32_t begin;
  std::uint32_t count;
};

NodeWork::Batch NodeWork::claim(team_unit_t unit, const exec::ChunkSizer& sizer) const noexcept {
  NodeWorkTable::Record& of = record(unit);
  std::uint64_t word = of.cursor.load(std::memory_order_acquire);
  while (true) {
    const Cursor cursor = Cursor::of(word);
    if (cursor.call != _call) return {unit, 0, 0};
    const std::uint32_t end = of.count.load(std::memory_order_relaxed);
    if (cursor.next >= end) return {unit, 0, 0};
    const auto count = static_cast<std::uint32_t>(sizer.batch(cursor.next, end));
    if (of.cursor.compare_exchange_weak(word, Cursor{_call, cursor.next + count}.word(),
                                        std::memory_order_acquire, std::memory_order_acquire)) {
      return {unit, cursor.next, count};
    }
  }
}

/// A thread that claims and runs chunks.
class NodeWork::Worker {
 public:
  Worker(NodeWork& work, Body body)
      : _work(work),
        _body(body),
        _workers((work._table.other_units.size() + 1) *
                 static_cast<std::size_t>(exec::executor_workers())),
        _unit(work._myid),
        _sizer(_workers) {}

  /// Runs a batch of chunks of the caller's unit or, if none remains, of another unit of the node.
  /// \returns false if no chunk remains or a chunk has failed
  bool run_batch() {
    if (_work._failed.load(std::memory_order_relaxed)) return false;
    if (const Batch own = claim(_work._myid); own.count != 0) {
      run(own);
      // Relaxed: the workers are joined before wait_for_chunks().
      _work._own_done.fetch_add(own.count, std::memory_order_relaxed);
      return true;
    }
    for (const team_unit_t unit : _work._table.other_units) {
      if (const Batch batch = claim(unit); batch.count != 0) {
        run_of_neighbour(batch);
        return true;
      }
    }
    return false;
  }

  double ns_per_item() const noexcept { return _sizer.ns_per_item(); }

 private:
  /// The measured cost of a chunk applies only to chunks of the same unit.
  Batch claim(team_unit_t unit) const noexcept {
    return _work.claim(unit, unit == _unit ? _sizer : exec::ChunkSizer(_workers));
  }

  void run(const Batch& batch) {
    if (batch.unit != _unit) _sizer = exec::ChunkSizer(_workers);
    _unit = batch.unit;
    const core::TraceSpan span(core::TraceKind::task,
                               batch.unit == _work._myid ? "chunk" : "chunk of another unit");
    try {
      _sizer.run(batch.count,
                 [&] { _body(batch.unit, batch.begin, std::size_t{batch.begin} + batch.count); });
    } catch (...) {
      _work._failed.store(true, std::memory_order_relaxed);
      throw;
    }
  }

  void run_of_neighbour(const Batch& batch) {
    NodeWorkTable::Record& of = _work.record(batch.unit);
    try {
      run(batch);
    } catch (...) {
      // Relaxed: the addition to `done` releases it, and the owner acquires that before it reads `failed`.
      of.failed.store(_work._call, std::memory_order_relaxed);
      of.done.add(batch.count);
      throw;
    }
    of.done.add(batch.count);
  }

  NodeWork& _work;
  Body _body;
  std::size_t _workers;  // on the node
  team_unit_t _unit;     // owner of the latest chunks
  exec::ChunkSizer _sizer;
};

void NodeWork::run(std::size_t count, Body body) {
  if (_table.other_units.empty()) {
    _state = State::closed;
    exec::run_ranges(count, [&](std::size_t begin, std::size_t end) { body(_myid, begin, end); });
    _count = count;
    _own_done.store(count, std::memory_order_relaxed);
    return;
  }
  open(count);
  const std::atomic<std::uint32_t>& openings = _table.first_member->opened.value;
  try {
    Worker worker(*this, body);
    while (true) {
      // Both are read before the batches below. If a unit calls open() after has_unstarted_units(),
      // it changes the counter, which ends the wait. If it does so earlier, run_batch() finds its
      // chunks.
      const std::uint32_t seen = openings.load(std::memory_order_acquire);
      const bool more_to_start = has_unstarted_units();
      while (worker.run_batch()) {
        if (exec::executor_workers() == 1) continue;
        const double remaining = worker.ns_per_item() * static_cast<double>(remaining_on_node());
        if (remaining < exec::parallel_threshold_ns) continue;
        exec::run_on_workers([&] {
          for (Worker other(*this, body); other.run_batch();) {
          }
        });
      }
      if (!more_to_start) return;
      exec::Engine::instance().wait_shared(_table.first_member->opened,
                                           [seen](std::uint32_t value) { return value != seen; });
    }
  } catch (...) {
    close();
    throw;
  }
}

bool NodeWork::wait_for_chunks() {
  NodeWorkTable::Record& mine = record(_myid);
  const auto by_others =
      static_cast<std::uint32_t>(_count - _own_done.load(std::memory_order_relaxed));
  exec::Engine::instance().wait_shared(
      mine.done, [by_others](std::uint32_t value) { return value == by_others; });
  return mine.failed.load(std::memory_order_relaxed) != _call;
}

}  // namespace dash::internal
