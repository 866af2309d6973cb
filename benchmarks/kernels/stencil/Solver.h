#pragma once

#include <vector>

#include "Exchange.h"
#include "Problem.h"
#include "RowKernels.h"
#include "support/Stopwatch.h"

namespace stencil {

/// Sweeps over the rows of a unit. The inner rows are computed while the neighbours' rows are in
/// flight.
class Solver {
 public:
  /// Sets the initial values. The caller makes a barrier afterwards, before other units read them.
  Solver(const Problem& problem, const Rows& rows, Exchange& exchange);

  /// Runs until the residual is less than the tolerance, or until the maximum number of sweeps. The
  /// reduction of a residual overlaps the next sweep, which Jacobi undoes if the residual ends the
  /// run. The other methods work in place and wait for the residual if it may end the run.
  /// \param communication  times the exchange
  /// \collective
  void run(kernels::Stopwatch& communication);

  long sweeps() const { return _sweeps; }
  float residual() const { return change_of(_residual); }
  /// The unit's rows.
  const float* rows() const { return _current; }

 private:
  Change sweep(kernels::Stopwatch& communication);
  bool has_residual() const;
  /// Waits for a pending reduction of the residual. \returns whether the residual ends the run
  bool finish_residual(kernels::Stopwatch& communication);
  void undo_sweep();
  Change sweep_in_order(kernels::Stopwatch& communication);
  template <class Relax>
  Change sweep_overlapped(kernels::Stopwatch& communication, const Relax& relax);
  Change relax_to_next(long i);
  Change relax_one_color(long i, long color);

  float* row(long i) const { return _current + i * _problem.width(); }
  const float* north(long i) const;
  const float* south(long i) const;

  Problem _problem;
  Rows _rows;
  Exchange& _exchange;
  float* _current;
  float* _next;
  std::vector<float> _top;  // fixed rows above and below the grid
  std::vector<float> _bottom;
  long _sweeps = 0;
  Change _residual = 0;
  bool _is_reducing = false;  // whether a reduction of the residual is pending
};

}  // namespace stencil
