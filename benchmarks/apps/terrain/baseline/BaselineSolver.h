#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "baseline/BaselineExchange.h"
#include "baseline/BlockGrid.h"
#include "input/Dem.h"
#include "input/Field.h"
#include "report/Steps.h"

namespace terrain {

/// The terrain and its time steps with MPI only. The computation of the cells is the same code as
/// in Solver.
class BaselineSolver {
 public:
  /// \param extents  rows and columns of the terrain
  /// \param grid     rows and columns of the grid of processes
  /// \param alpha    D dt / h^2
  /// \param via      see make_baseline_exchange
  /// \collective
  BaselineSolver(const std::array<std::size_t, 2>& extents, const std::array<int, 2>& grid,
                 double alpha, const std::string& via);

  void fill(const Dem& dem);

  /// \collective; begins with a barrier
  StepTimes run(long steps, Exchange exchange);

  /// \returns the whole terrain on process 0, an empty field on other processes
  /// \collective
  Field gather() const;

 private:
  void step(Exchange exchange, StepTimes& times);

  BlockGrid _blocks;
  double _alpha;
  int _process = 0;
  BlockGrid::Subdomain _subdomain;
  std::unique_ptr<BaselineExchange> _exchange;
  std::vector<double> _stale;  // the halo on each side in steps without exchange
  std::size_t _current = 0;    // the field that holds the terrain
};

}  // namespace terrain
