#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "launch/TeamBlock.h"
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

/// An all-to-all for the queue: each step exchanges a chunk with one node. The steps with the caller's own node are the
/// first ones, those with the node at distance 1 follow, and so on.
class QueuedAlltoallOperation final : public CollectiveOperation {
 public:
  /// \param send    null or recv: in place, with a copy of the data
  /// \param nbytes  size of the data of one pair of units
  QueuedAlltoallOperation(const TeamLayout& layout, const ScheduleLimits& limits, const void* send,
                          void* recv, std::size_t nbytes);

  void deposit(const Chunk& chunk) override;
  void exchange(const Chunk& chunk, LeaderExchange& leaders) override;
  void collect(const Chunk& chunk) override;

 private:
  /// What a step exchanges.
  struct Step {
    int to_node;
    int from_node;
    std::size_t offset;  // in the data of each pair of units
    std::size_t length;
    bool is_own_node;
  };

  QueuedAlltoallOperation(const TeamLayout& layout, const void* send, void* recv,
                          std::size_t nbytes, std::size_t chunk_bytes, bool direct);

  Step step_of(const Chunk& chunk) const noexcept;
  std::span<const std::int32_t> units_of(const Chunk& chunk, int node) const noexcept;
  const char* data_for(int unit, const Step& step) const noexcept;
  char* data_from(int unit, const Step& step) const noexcept;
  static std::size_t bytes_of_unit(std::span<const std::int32_t> receivers, const Step& step);

  std::size_t _pair_bytes;
  std::size_t _chunk_bytes;  // of the data of one pair
  std::size_t _chunks_of_pair;
  std::vector<std::int32_t> _units;  // sorted by node
  std::vector<char> _copy;           // of the data, if it is in place
  const char* _send;
  char* _recv;
  std::array<std::vector<char>, TeamBlock::slots> _packed;  // of the steps in the slots
};

}  // namespace dash::dart
