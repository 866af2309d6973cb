#pragma once

#include <dash/Team.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>

#include "Block.h"
#include "Dem.h"
#include "Field.h"
#include "Steps.h"

namespace terrain {

/// The terrain distributed over a grid of units, and the step loop. Two matrices take turns as
/// source and destination; each has its halo.
///
/// One step: begin to exchange the border of the source; compute the inner cells of the
/// destination; wait for the halos; compute the border cells. The border comes last, right before
/// the next step sends it: a neighbour waits for nothing but that. There is no barrier: units drift
/// apart by at most one step for each unit between them.
class Solver {
 public:
  /// \param extents rows and columns of the terrain
  /// \param grid    units down and across, as choose_units_grid gives them
  /// \param alpha   D dt / h^2
  /// \param team    all units, in the order of the grid; outlives this
  /// \collective all units
  /// \throws UserError on all units if there is not enough memory
  Solver(const std::array<std::size_t, 2>& extents, const std::array<int, 2>& grid, double alpha,
         dash::Team& team);
  ~Solver();
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  /// Sets the terrain to mirrored copies of a model.
  /// \collective all units
  void fill(const Dem& dem);

  /// Advances the terrain.
  /// \param on_step called after each step with the number of steps done
  /// \collective all units; begins with a barrier
  StepTimes run(long steps, Exchange exchange, const std::function<void(long)>& on_step);

  /// \collective all units
  double mean() const;

  /// Copies the whole terrain to unit 0; other units return an empty field.
  /// \collective all units
  Field gather() const;

  /// Extents of the caller's block.
  const Block& block() const { return _block; }

 private:
  struct Layers;  // the matrices with their halos
  using Clock = std::chrono::steady_clock;

  void step(Exchange exchange, StepTimes& times);

  std::array<std::size_t, 2> _extents;
  double _alpha;
  std::unique_ptr<Layers> _layers;
  Block _block;
  int _current = 0;  // which of the matrices holds the terrain
};

}  // namespace terrain
