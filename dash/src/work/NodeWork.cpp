#include "dash/internal/work/NodeWork.h"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "work/LocalityOrder.h"
#include "dash/async/Engine.h"
#include "dash/async/Executor.h"
#include "dash/async/Pace.h"
#include "dash/core/Trace.h"
#include "dash/dart/Placement.h"
#include "dash/memory/GlobalSegment.h"

namespace dash::internal {

namespace {

/// A call's number and the next piece, in one word.
struct Cursor {
  std::uint32_t call;
  std::uint32_t next;

  static Cursor of(std::uint64_t word) noexcept {
    return {static_cast<std::uint32_t>(word >> 32), static_cast<std::uint32_t>(word)};
  }
  std::uint64_t word() const noexcept { return std::uint64_t{call} << 32 | next; }
};

}  // namespace

/// A unit's part of the board. Reads as zero at first.
struct NodeBoard::Record {
  alignas(64) std::atomic<std::uint64_t> cursor;
  std::atomic<std::uint32_t> count;   // of pieces, of the call in the cursor
  std::atomic<std::uint32_t> failed;  // the latest call in which another unit failed with a piece
  // Pieces that other units have run, in this call.
  alignas(64) exec::SharedWord done;
  // Of the node's first member: how often any unit of the node has opened, over all calls.
  alignas(64) exec::SharedWord opened;
  alignas(64) unsigned char results[NodeWork::result_bytes];
};

struct NodeBoard::Memory {
  explicit Memory(Team& team) : segment(team) {
    segment.allocate(LocalSizes(sizeof(Record), team.size()));
    for (const int unit : team) {
      auto* const record = static_cast<Record*>(segment.mapped_part(team_unit_t(unit)));
      records.push_back(record);
      if (first == nullptr) first = record;
    }
    auto of_all = dart::unit_placements();
    std::vector<dart::UnitPlacement> of_team;
    for (const int unit : team)
      of_team.push_back(
          std::move(of_all[static_cast<std::size_t>(team.global_id(team_unit_t(unit)).id)]));
    for (const team_unit_t unit : internal::near_first(of_team, team.myid())) {
      if (records[static_cast<std::size_t>(unit.id)] != nullptr) near_first.push_back(unit);
    }
  }

  GlobalSegment segment;
  std::vector<Record*> records;  // by unit; null for those of other nodes
  Record* first = nullptr;       // of the node's first member
  std::vector<team_unit_t> near_first;
};

NodeBoard::NodeBoard(Team& team) : _memory(std::make_unique<Memory>(team)) {}

NodeBoard::~NodeBoard() {
  try {
    _memory->segment.deallocate();
  } catch (...) {  // NOLINT(bugprone-empty-catch): logged below, and nobody waits for it
  }
}

NodeWork::NodeWork(NodeBoard& board, team_unit_t myid) noexcept
    : _board(*board._memory),
      _myid(myid),
      _number(Cursor::of(record(_myid).cursor.load(std::memory_order_relaxed)).call + 1) {}

NodeBoard::Record& NodeWork::record(team_unit_t unit) const noexcept {
  return *_board.records[static_cast<std::size_t>(unit.id)];
}

void* NodeWork::results(team_unit_t unit) const noexcept {
  return record(unit).results;
}

void NodeWork::open(std::size_t count) {
  NodeBoard::Record& mine = record(_myid);
  _count = count;
  _state = State::open;
  mine.count.store(static_cast<std::uint32_t>(count), std::memory_order_relaxed);
  mine.done.value.store(0, std::memory_order_relaxed);
  mine.cursor.store(Cursor{_number, 0}.word(), std::memory_order_release);
  _board.first->opened.add(1);
}

void NodeWork::close() noexcept {
  if (_state == State::entered) open(0);
  if (_state == State::open) {
    NodeBoard::Record& mine = record(_myid);
    const std::uint32_t end = mine.count.load(std::memory_order_relaxed);
    mine.cursor.store(Cursor{_number, end}.word(), std::memory_order_release);
  }
  _state = State::closed;
}

bool NodeWork::is_late(const NodeBoard::Record& of) const noexcept {
  return Cursor::of(of.cursor.load(std::memory_order_acquire)).call != _number;
}

bool NodeWork::somebody_is_late() const noexcept {
  return std::any_of(_board.near_first.begin(), _board.near_first.end(),
                     [this](team_unit_t unit) { return is_late(record(unit)); });
}

std::uint32_t NodeWork::left(const NodeBoard::Record& of) const noexcept {
  const Cursor cursor = Cursor::of(of.cursor.load(std::memory_order_acquire));
  if (cursor.call != _number) return 0;
  const std::uint32_t end = of.count.load(std::memory_order_relaxed);
  return cursor.next < end ? end - cursor.next : 0;
}

std::size_t NodeWork::left_on_node() const noexcept {
  std::size_t sum = left(record(_myid));
  for (const team_unit_t unit : _board.near_first)
    sum += left(record(unit));
  return sum;
}

/// Pieces begin ... begin + count - 1 of a unit.
struct NodeWork::Batch {
  team_unit_t unit;
  std::uint32_t begin;
  std::uint32_t count;
};

NodeWork::Batch NodeWork::claim(team_unit_t unit, const exec::Pace& pace) const noexcept {
  NodeBoard::Record& of = record(unit);
  std::uint64_t word = of.cursor.load(std::memory_order_acquire);
  while (true) {
    const Cursor cursor = Cursor::of(word);
    if (cursor.call != _number) return {unit, 0, 0};
    const std::uint32_t end = of.count.load(std::memory_order_relaxed);
    if (cursor.next >= end) return {unit, 0, 0};
    const auto count = static_cast<std::uint32_t>(pace.batch(cursor.next, end));
    if (of.cursor.compare_exchange_weak(word, Cursor{_number, cursor.next + count}.word(),
                                        std::memory_order_acquire, std::memory_order_acquire)) {
      return {unit, cursor.next, count};
    }
  }
}

/// A thread that looks for work.
class NodeWork::Worker {
 public:
  Worker(NodeWork& work, Body body)
      : _work(work),
        _body(body),
        _workers((work._board.near_first.size() + 1) *
                 static_cast<std::size_t>(exec::executor_workers())),
        _unit(work._myid),
        _pace(_workers) {}

  /// Runs a batch of the unit's own, or else of a neighbour's. \returns false if there is none left
  bool run_some() {
    if (_work._failed.load(std::memory_order_relaxed)) return false;
    if (const Batch own = claim(_work._myid); own.count != 0) {
      run(own);
      _work._own.fetch_add(own.count, std::memory_order_relaxed);
      return true;
    }
    for (const team_unit_t unit : _work._board.near_first) {
      if (const Batch batch = claim(unit); batch.count != 0) {
        run_of_neighbour(batch);
        return true;
      }
    }
    return false;
  }

  double ns_per_piece() const noexcept { return _pace.ns_per_piece(); }

 private:
  /// What a piece of one unit costs says nothing of those of another.
  Batch claim(team_unit_t unit) const noexcept {
    return _work.claim(unit, unit == _unit ? _pace : exec::Pace(_workers));
  }

  void run(const Batch& batch) {
    if (batch.unit != _unit) _pace = exec::Pace(_workers);
    _unit = batch.unit;
    const core::TraceSpan span(core::TraceKind::task,
                               batch.unit == _work._myid ? "chunk" : "chunk of another unit");
    try {
      _pace.run(batch.count,
                [&] { _body(batch.unit, batch.begin, std::size_t{batch.begin} + batch.count); });
    } catch (...) {
      _work._failed.store(true, std::memory_order_relaxed);
      throw;
    }
  }

  void run_of_neighbour(const Batch& batch) {
    NodeBoard::Record& of = _work.record(batch.unit);
    try {
      run(batch);
    } catch (...) {
      of.failed.store(_work._number, std::memory_order_relaxed);
      of.done.add(batch.count);
      throw;
    }
    of.done.add(batch.count);
  }

  NodeWork& _work;
  Body _body;
  std::size_t _workers;  // on the node
  team_unit_t _unit;     // whose pieces the latest were
  exec::Pace _pace;
};

void NodeWork::run(std::size_t count, Body body) {
  if (_board.near_first.empty()) {
    _state = State::closed;
    exec::run_ranges(count, [&](std::size_t begin, std::size_t end) { body(_myid, begin, end); });
    _count = count;
    _own.store(count, std::memory_order_relaxed);
    return;
  }
  open(count);
  const std::atomic<std::uint32_t>& openings = _board.first->opened.value;
  try {
    Worker worker(*this, body);
    while (true) {
      // Read before it is looked who is late: who comes after that changes it.
      const std::uint32_t seen = openings.load(std::memory_order_acquire);
      while (worker.run_some()) {
        if (exec::executor_workers() == 1) continue;
        const double left = worker.ns_per_piece() * static_cast<double>(left_on_node());
        if (left < exec::worth_sharing_ns) continue;
        exec::run_on_workers([&] {
          for (Worker other(*this, body); other.run_some();) {
          }
        });
      }
      if (!somebody_is_late()) return;
      exec::Engine::instance().wait_shared(_board.first->opened,
                                           [seen](std::uint32_t value) { return value != seen; });
    }
  } catch (...) {
    close();
    throw;
  }
}

bool NodeWork::wait_for_pieces() {
  NodeBoard::Record& mine = record(_myid);
  const auto by_others = static_cast<std::uint32_t>(_count - _own.load(std::memory_order_relaxed));
  exec::Engine::instance().wait_shared(
      mine.done, [by_others](std::uint32_t value) { return value == by_others; });
  return mine.failed.load(std::memory_order_relaxed) != _number;
}

}  // namespace dash::internal
