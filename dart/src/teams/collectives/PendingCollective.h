#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "teams/collectives/LeaderExchange.h"
#include "teams/collectives/Reduce.h"
#include "teams/collectives/PolledCoroutine.h"
#include "teams/TeamBlock.h"
#include "teams/TeamLayout.h"
#include "dash/async/Operation.h"

namespace dash::dart {

/// The memory of one slot of a team, as the units of a node see it.
struct SlotMemory {
  char* base;            // the team's block in the heap of the node's slot 0
  std::uint64_t stride;  // between heaps
  const TeamLayout& layout;
  const TeamBlock& block;
  unsigned slot;

  char* block_of(int unit) const noexcept {
    return base + static_cast<std::uint64_t>(layout.slots[static_cast<std::size_t>(unit)]) * stride;
  }
  char* contribution_of(int unit) const noexcept {
    return block_of(unit) + block.slot_contribution(slot);
  }
  char* mine() const noexcept { return contribution_of(layout.my_id); }
  /// Of the node's leader.
  char* result() const noexcept {
    return block_of(layout.members.front()) + block.slot_result(slot);
  }
  /// Where a unit's contribution of so many bytes lies that all were given.
  const char* given_by(int unit, std::size_t nbytes) const noexcept {
    if (layout.nnodes() == 1) return contribution_of(unit);
    return result() +
           static_cast<std::size_t>(layout.place[static_cast<std::size_t>(unit)]) * nbytes;
  }
};

/// How the data of a collective is cut.
struct PiecePlan {
  std::size_t nbytes;  // of a piece
  bool direct =
      false;  // leaders exchange the users' buffers themselves, each being alone on its node
};

/// A non-blocking collective of this unit: what is done with each of its pieces, which pass through
/// slots of the team's memory one after the other.
class PendingCollective {
 public:
  /// \param kind  what the units have to agree upon, with `nbytes`
  /// \param name  in the timeline
  PendingCollective(std::uint32_t kind, const char* name, std::size_t nbytes,
                    const PiecePlan& plan) noexcept
      : _name(name),
        _nbytes(nbytes),
        _piece(std::max<std::size_t>(plan.nbytes, 1)),
        _direct(plan.direct) {
    agree_on(kind);
    agree_on(nbytes);
  }
  PendingCollective(const PendingCollective&) = delete;
  PendingCollective& operator=(const PendingCollective&) = delete;
  virtual ~PendingCollective() = default;

  std::uint64_t npieces() const noexcept {
    return std::max<std::uint64_t>((_nbytes + _piece - 1) / _piece, 1);
  }
  const char* name() const noexcept { return _name; }
  std::size_t nbytes() const noexcept { return _nbytes; }
  /// Something else that is the same on all units. Before the start.
  void agree_on(std::uint64_t value) noexcept {
    _signature = (_signature ^ value) * 0x9E3779B97F4A7C15U;
    _signature ^= _signature >> 32;
  }
  /// Equal on all units, if they started the same.
  std::uint64_t signature() const noexcept { return _signature; }

  /// The unit that has what the others want: they need not all arrive. -1: each has something.
  virtual int root() const noexcept { return -1; }
  /// By each unit: its contribution.
  virtual void deposit(std::uint64_t /*piece*/, const SlotMemory& /*slot*/) {}
  /// By one unit of each node, when all of the node have deposited.
  virtual void combine(std::uint64_t /*piece*/, const SlotMemory& /*slot*/) {}
  /// By the leaders of several nodes, afterwards.
  virtual PolledCoroutine exchange(std::uint64_t piece, const SlotMemory& slot, LeaderExchange& leaders) = 0;
  /// By each unit, in the end.
  virtual void collect(std::uint64_t /*piece*/, const SlotMemory& /*slot*/) {}

  exec::StatePtr<exec::State> done;
  exec::Operation gate;  // this unit takes no part before it is complete
  std::uint64_t first_step = 0;
  bool mismatch = false;

 protected:
  bool direct() const noexcept { return _direct; }
  std::size_t offset(std::uint64_t piece) const noexcept { return piece * _piece; }
  std::size_t length(std::uint64_t piece) const noexcept {
    return std::min(_piece, _nbytes - std::min(_nbytes, offset(piece)));
  }

 private:
  const char* _name;
  std::size_t _nbytes;
  std::size_t _piece;
  bool _direct;
  std::uint64_t _signature = 0;
};

class PendingBarrier final : public PendingCollective {
 public:
  PendingBarrier() noexcept : PendingCollective(1, "barrier_async", 0, {1}) {}
  PolledCoroutine exchange(std::uint64_t, const SlotMemory&, LeaderExchange& leaders) override {
    return leaders.barrier_steps();
  }
};

class PendingBcast final : public PendingCollective {
 public:
  PendingBcast(void* buffer, std::size_t nbytes, int root_unit, const PiecePlan& plan) noexcept
      : PendingCollective(2, "bcast_async", nbytes, plan),
        _buffer(static_cast<char*>(buffer)),
        _root(root_unit) {
    agree_on(static_cast<std::uint64_t>(root_unit));
  }

  int root() const noexcept override { return _root; }
  void deposit(std::uint64_t piece, const SlotMemory& slot) override;
  void combine(std::uint64_t piece, const SlotMemory& slot) override;
  PolledCoroutine exchange(std::uint64_t piece, const SlotMemory& slot, LeaderExchange& leaders) override;
  void collect(std::uint64_t piece, const SlotMemory& slot) override;

 private:
  char* _buffer;
  int _root;
};

class PendingAllgather final : public PendingCollective {
 public:
  /// \param plan  of one piece, if direct
  PendingAllgather(const void* send, void* recv, std::size_t nbytes, const PiecePlan& plan) noexcept
      : PendingCollective(3, "allgather_async", nbytes, plan),
        _send(static_cast<const char*>(send)),
        _recv(static_cast<char*>(recv)),
        _nbytes(nbytes) {}

  void deposit(std::uint64_t piece, const SlotMemory& slot) override;
  void combine(std::uint64_t piece, const SlotMemory& slot) override;
  PolledCoroutine exchange(std::uint64_t piece, const SlotMemory& slot, LeaderExchange& leaders) override;
  void collect(std::uint64_t piece, const SlotMemory& slot) override;

 private:
  const char* _send;  // null or the same as recv: in place
  char* _recv;
  std::size_t _nbytes;
};

class PendingReduce final : public PendingCollective {
 public:
  static constexpr int all_units = -1;
  /// \param recv     null where the result is not wanted
  /// \param to_unit  who wants it
  /// \param ordered  combine in the order of units, whatever their nodes
  /// \param plan     of whole elements that must not be cut apart
  PendingReduce(const void* send, void* recv, std::size_t nelem, const Reduction& reduce,
                int to_unit, bool ordered, const PiecePlan& plan);

  void deposit(std::uint64_t piece, const SlotMemory& slot) override;
  void combine(std::uint64_t piece, const SlotMemory& slot) override;
  PolledCoroutine exchange(std::uint64_t piece, const SlotMemory& slot, LeaderExchange& leaders) override;
  void collect(std::uint64_t piece, const SlotMemory& slot) override;

 private:
  char* combined() const noexcept { return _recv != nullptr ? _recv : _own.get(); }
  std::size_t elements(std::uint64_t piece) const noexcept {
    return length(piece) / _reduce.element_bytes();
  }

  const char* _send;
  char* _recv;
  std::unique_ptr<char[]> _own;  // where the leaders combine, if there is no _recv
  Reduction _reduce;
  int _to_unit;
  bool _ordered;
};

}  // namespace dash::dart
