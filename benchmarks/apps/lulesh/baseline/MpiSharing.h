#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "physics/Material.h"
#include "support/MpiProgram.h"

namespace lulesh {

/// Batches in shared memory. A process that has computed its own batches takes those of other
/// processes, one at a time, until all processes have entered the round and no batch remains.
class MpiSharing final : public MaterialSharing {
 public:
  /// \param batches  number of batches of each process
  /// \param unit     the calling process
  /// \param units    number of processes
  /// \pre all processes are on one node
  /// \collective
  MpiSharing(std::size_t batches, int unit, int units);

  std::span<MaterialBatch> own() override;
  void compute_all() override;

 private:
  /// The shared memory of a process, followed by its batches; all bits are initially zero. Accessed
  /// atomically.
  struct Part {
    alignas(
        64) std::uint64_t next;  // upper half: the round; lower half: the next batch to be computed
    alignas(64) std::uint64_t done;  // number of batches computed in all rounds
    MaterialBatch* batches() { return reinterpret_cast<MaterialBatch*>(this + 1); }
  };
  Part& part(int unit) const { return *_memory.of<Part>(unit); }
  bool compute_one(Part& part);
  bool compute_remaining();

  std::size_t _batches;
  int _unit;
  int _units;
  kernels::MpiMemory _memory;
  std::uint64_t _round = 0;
};

}  // namespace lulesh
