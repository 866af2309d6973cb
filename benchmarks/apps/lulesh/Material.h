#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "Fields.h"
#include "Loop.h"
#include "Regions.h"

namespace lulesh {

/// Some elements of a material with all that their equation of state takes and gives: who has it in
/// memory can compute it. Small enough to stay in a first cache.
struct MaterialBatch {
  static constexpr int capacity = 256;
  using Values = std::array<double, capacity>;

  int size;
  int repetitions;
  Values energy, pressure, viscosity, linear, square, change, volume;  // given
  Values new_energy, new_pressure, new_viscosity, sound_speed;         // computed
};

void compute(MaterialBatch& batch);

/// Has the batches of dear materials computed by whoever has nothing else to do: they are most of
/// what makes the work of units uneven.
class MaterialSharing {
 public:
  virtual ~MaterialSharing() = default;

  /// The unit's own, at least num_dear_batches() of them. Those not needed have no elements.
  virtual std::span<MaterialBatch> own() = 0;
  /// compute() for those of all units.
  virtual void compute_all() = 0;
};

/// Batches worth sharing.
std::size_t num_dear_batches(const std::vector<Region>& regions);

/// The equation of state: energy, pressure, artificial viscosity and speed of sound at the new
/// volumes.
/// \param sharing  null: the unit computes all of its own
/// \returns whether all elements had a volume
bool apply_material(const std::vector<Region>& regions, const Fields& fields, const Loop& loop,
                    MaterialSharing* sharing);

}  // namespace lulesh
