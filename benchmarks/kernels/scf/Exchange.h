#pragma once

#include "Integrals.h"
#include "Problem.h"

namespace scf {

/// The distributed matrices and the shared counter of tasks. Blocks are fetched into one of two
/// slots while the computation uses the other.
class Exchange {
 public:
  virtual ~Exchange() = default;

  /// Prepares a run: sets F and the counter to 0. \collective
  virtual void reset() = 0;

  /// Starts adding `chunk` to the counter. At most one request may be pending.
  virtual void request_tasks(long chunk) = 0;
  /// Waits for the request. \returns the previous value of the counter
  virtual long receive_tasks() = 0;

  /// Starts fetching the operands of a task. \pre slots 0 and 1 are used alternately
  virtual void fetch(const Task& task, int slot) = 0;
  /// Waits for the operands.
  virtual Operands operands(int slot) = 0;

  /// Makes progress of communication; called periodically while a task is computed.
  virtual void progress() {}

  /// Starts adding to the elements of a block of F. Additions by several units do not get lost.
  /// \param values  b x b numbers; they may be changed when the call returns
  virtual void accumulate(const BlockId& id, const double* values) = 0;

  /// Completes the caller's additions to F, and a pending request of tasks whose result is not
  /// needed. F is complete after a subsequent barrier.
  virtual void complete() = 0;

  /// The value of the counter.
  virtual long counter() = 0;
  /// Copies F to unit 0, row by row. \collective
  /// \param matrix  n x n elements on unit 0; unused on other units
  virtual void collect(double* matrix) = 0;
};

}  // namespace scf
