#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "Material.h"
#include "support/MpiProgram.h"

namespace lulesh {

/// Batches in memory that all processes share: who has computed its own takes those of others, one
/// after the other, until all have come and none is left.
class MpiSharing final : public MaterialSharing {
 public:
  /// \param batches  of each process  \param unit, units  the caller, and how many there are
  /// \collective  \pre all processes are on one node
  MpiSharing(std::size_t batches, int unit, int units);

  std::span<MaterialBatch> own() override;
  void compute_all() override;

 private:
  /// What a process has in shared memory, before its batches; all bits are zero to begin with. Atomic.
  struct Part {
    alignas(
        64) std::uint64_t next;  // the round, and in the lower half the next batch to be computed
    alignas(64) std::uint64_t done;  // batches computed in all rounds
    MaterialBatch* batches() { return reinterpret_cast<MaterialBatch*>(this + 1); }
  };
  Part& part(int unit) const { return *_memory.of<Part>(unit); }
  bool compute_one(Part& part);
  bool compute_what_is_left();

  std::size_t _batches;
  int _unit;
  int _units;
  kernels::MpiMemory _memory;
  std::uint64_t _round = 0;
};

}  // namespace lulesh
