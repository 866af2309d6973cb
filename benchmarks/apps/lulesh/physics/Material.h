#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "mesh/Fields.h"
#include "mesh/Regions.h"
#include "physics/Loop.h"

namespace lulesh {

/// Some elements of a material with all inputs and results of their equation of state, so that any
/// unit that has access to the batch can compute it. It fits into a first-level cache.
struct MaterialBatch {
  static constexpr int capacity = 256;
  using Values = std::array<double, capacity>;

  int size;
  int repetitions;
  Values energy, pressure, viscosity, linear, square, change, volume;  // inputs
  Values new_energy, new_pressure, new_viscosity, sound_speed;         // results
};

void compute(MaterialBatch& batch);

/// Lets idle units compute batches of expensive materials of other units. These materials cause
/// most of the load imbalance.
class MaterialSharing {
 public:
  virtual ~MaterialSharing() = default;

  /// The unit's own batches, at least num_expensive_batches() of them. Unused ones have no
  /// elements.
  virtual std::span<MaterialBatch> own() = 0;
  /// Computes the batches of all units. \collective
  virtual void compute_all() = 0;
};

/// The number of batches of expensive materials, which units share.
std::size_t num_expensive_batches(const std::vector<Region>& regions);

/// Applies the equation of state: energy, pressure, artificial viscosity and speed of sound at the
/// new volumes.
/// \param sharing  null: the unit computes all of its batches
/// \returns whether all elements had a positive volume
bool apply_material(const std::vector<Region>& regions, const Fields& fields, const Loop& loop,
                    MaterialSharing* sharing);

}  // namespace lulesh
