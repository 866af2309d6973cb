#pragma once

#include <dash/Team.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>

#include "input/Dem.h"
#include "input/Field.h"
#include "report/Steps.h"
#include "solver/Block.h"

namespace terrain {

/// The terrain distributed over a grid of units, and the loop of time steps. Two matrices alternate
/// as source and destination; each has its own halo.
///
/// A step starts the exchange of the border of the source, computes the inner cells of the
/// destination, waits for the halos, and computes the border cells. The border cells are last,
/// immediately before the next step sends them, since the neighbours wait for them. There is no
/// barrier: neighbours can be at most one step apart.
class Solver {
 public:
  /// \param extents  rows and columns of the terrain
  /// \param grid     rows and columns of the grid of units, as choose_units_grid returns them
  /// \param alpha    D dt / h^2
  /// \param team     all units, in the order of the grid; must outlive the solver
  /// \collective over all units
  /// \throws UserError on all units if there is not enough memory
  Solver(const std::array<std::size_t, 2>& extents, const std::array<int, 2>& grid, double alpha,
         dash::Team& team);
  ~Solver();
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  /// Sets the terrain to mirrored copies of a model.
  /// \collective over all units
  void fill(const Dem& dem);

  /// Advances the terrain.
  /// \param on_step  called after each step with the number of completed steps
  /// \collective over all units; begins with a barrier
  StepTimes run(long steps, Exchange exchange, const std::function<void(long)>& on_step);

  /// The mean elevation. \collective over all units
  double mean() const;

  /// Copies the whole terrain to unit 0; other units return an empty field.
  /// \collective over all units
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
