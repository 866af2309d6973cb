#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "Blocks.h"
#include "Dem.h"
#include "Field.h"
#include "Steps.h"
#include "TwinExchange.h"

namespace terrain {

/// The terrain and its steps by MPI alone. The same cells are computed by the same code as in Solver.
class TwinSolver {
 public:
  /// \param extents rows and columns of the terrain
  /// \param grid    processes down and across
  /// \param alpha   D dt / h^2
  /// \param via     see make_twin_exchange
  /// \collective
  TwinSolver(const std::array<std::size_t, 2>& extents, const std::array<int, 2>& grid,
             double alpha, const std::string& via);

  void fill(const Dem& dem);

  /// \collective begins with a barrier
  StepTimes run(long steps, Exchange exchange);

  /// \collective \returns the whole terrain on process 0; elsewhere an empty field
  Field gather() const;

 private:
  void step(Exchange exchange, StepTimes& times);

  Blocks _blocks;
  double _alpha;
  int _process = 0;
  Blocks::Place _place;
  std::unique_ptr<TwinExchange> _exchange;
  std::vector<double> _stale;  // the halo of each side where exchanges are left out
  std::size_t _current = 0;    // of the two fields
};

}  // namespace terrain
