#pragma once

#include <vector>

#include "teams/collectives/CollectiveOperation.h"

namespace dash::dart {

// Collectives that move data without combining values. Sizes are those of the data of one unit.

class BarrierOperation final : public CollectiveOperation {
 public:
  BarrierOperation() noexcept : CollectiveOperation(Kind::barrier, 0, 1) {}
  void exchange(const Chunk&, LeaderExchange& leaders) override { leaders.barrier(); }
};

class BcastOperation final : public CollectiveOperation {
 public:
  BcastOperation(const TeamLayout& layout, const ScheduleLimits& limits, void* buffer,
                 std::size_t nbytes, int root) noexcept;

  int root() const noexcept override { return _root; }
  void deposit(const Chunk& chunk) override;
  void combine(const Chunk& chunk) override;
  void exchange(const Chunk& chunk, LeaderExchange& leaders) override;
  void collect(const Chunk& chunk) override;

 private:
  char* _buffer;
  int _root;
};

class GatherOperation final : public CollectiveOperation {
 public:
  GatherOperation(const TeamLayout& layout, const ScheduleLimits& limits, const void* send,
                  void* recv, std::size_t nbytes, int root) noexcept;

  void deposit(const Chunk& chunk) override;
  void combine(const Chunk& chunk) override;
  void exchange(const Chunk& chunk, LeaderExchange& leaders) override;
  void collect(const Chunk& chunk) override;

 private:
  const char* _send;
  char* _recv;
  int _root;
};

/// The root writes the data of all units into the result of its node's leader.
class ScatterOperation final : public CollectiveOperation {
 public:
  ScatterOperation(const TeamLayout& layout, const ScheduleLimits& limits, const void* send,
                   void* recv, std::size_t nbytes, int root) noexcept;

  void deposit(const Chunk& chunk) override;
  void exchange(const Chunk& chunk, LeaderExchange& leaders) override;
  void collect(const Chunk& chunk) override;

 private:
  /// Index of a unit's data in the buffer of the leader.
  static std::size_t index_of(const Chunk& chunk, int unit) noexcept;

  const char* _send;
  char* _recv;
  int _root;
};

/// An allgather of equal or of different sizes.
class AllgatherOperation final : public CollectiveOperation {
 public:
  /// \param send  null or recv: in place
  AllgatherOperation(const TeamLayout& layout, const ScheduleLimits& limits, const void* send,
                     void* recv, std::size_t nbytes) noexcept;
  /// \param sizes, displacements  of each unit, in bytes; both outlive the operation
  AllgatherOperation(const TeamLayout& layout, const ScheduleLimits& limits, const void* send,
                     void* recv, const std::size_t* sizes,
                     const std::size_t* displacements) noexcept;

  void deposit(const Chunk& chunk) override;
  void combine(const Chunk& chunk) override;
  void exchange(const Chunk& chunk, LeaderExchange& leaders) override;
  void collect(const Chunk& chunk) override;

 private:
  /// Offset of a unit's data in the receive buffer, in bytes.
  std::size_t offset_of(int unit) const noexcept;
  std::size_t length_of(int unit, const Chunk& chunk) const noexcept;

  const char* _send;
  char* _recv;
  const std::size_t* _sizes = nullptr;  // null: all units have nbytes()
  const std::size_t* _displacements = nullptr;
  bool _in_place;
};

/// An all-to-all: a round for the units of the node, then one for each other node. The blocking
/// schedule only.
class AlltoallOperation final : public CollectiveOperation {
 public:
  /// \param send    null or recv: in place
  /// \param nbytes  size of the data of one pair of units
  AlltoallOperation(const TeamLayout& layout, const ScheduleLimits& limits, const void* send,
                    void* recv, std::size_t nbytes) noexcept;

  int rounds(std::uint64_t /*chunk*/) const noexcept override { return _nnodes; }
  void deposit(const Chunk& chunk) override;
  void exchange(const Chunk& chunk, LeaderExchange& leaders) override;
  void collect(const Chunk& chunk) override;

 private:
  static int receives_from(const Chunk& chunk) noexcept;
  void pack(const Chunk& chunk, int to_node);
  void collect_from_members(const Chunk& chunk) const noexcept;

  const char* _send;
  char* _recv;
  int _nnodes;
  std::vector<char> _packed;  // data for one node, sorted by sender
};

}  // namespace dash::dart
