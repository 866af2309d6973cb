#pragma once

#include <vector>

#include "Exchange.h"
#include "Problem.h"
#include "RowKernels.h"
#include "support/Stopwatch.h"

namespace stencil {

/// Sweeps over the rows of a unit. The rows between its first and last one are computed while the
/// neighbours' are on their way.
class Solver {
 public:
  /// Fills the memory. Others may read it afterwards: a barrier is the caller's.
  Solver(const Problem& problem, const Rows& rows, Exchange& exchange);

  /// Until the residual is less than the tolerance, or the last sweep. A residual comes by during the
  /// next sweep, which is taken back if it was not to be; but a sweep in place waits if it may be the
  /// last. \collective
  /// \param communication  times the exchange
  void run(kernels::Stopwatch& communication);

  long sweeps() const { return _sweeps; }
  float residual() const { return change_of(_residual); }
  /// The unit's rows.
  const float* rows() const { return _now; }

 private:
  Change sweep(kernels::Stopwatch& communication);
  bool has_residual() const;
  /// Of the sweep before this one. \returns whether that was the last one
  bool end_residual(kernels::Stopwatch& communication);
  void take_back();
  Change sweep_in_order(kernels::Stopwatch& communication);
  template <class Relax>
  Change overlapped(kernels::Stopwatch& communication, const Relax& relax);
  Change relax_to_next(long i);
  Change relax_one_colour(long i, long colour);

  float* row(long i) const { return _now + i * _problem.width(); }
  const float* north(long i) const;
  const float* south(long i) const;

  Problem _problem;
  Rows _rows;
  Exchange& _exchange;
  float* _now;
  float* _next;
  std::vector<float> _top;  // fixed rows
  std::vector<float> _bottom;
  long _sweeps = 0;
  Change _residual = 0;
  bool _is_reducing = false;  // the residual is under way
};

}  // namespace stencil
