#pragma once

#include "Integrals.h"
#include "Problem.h"

namespace scf {

/// The distributed matrices, and the counter of tasks. Blocks are fetched into one of two slots while
/// those of the other are computed with.
class Exchange {
 public:
  virtual ~Exchange() = default;

  /// Before each run: F and the counter are 0. \collective
  virtual void reset() = 0;

  /// Adds `chunk` to the counter; one request at a time.
  virtual void request_tasks(long chunk) = 0;
  /// \returns what the counter was before
  virtual long receive_tasks() = 0;

  /// Starts to fetch what a task needs. \pre slot 0 and 1 in turns
  virtual void fetch(const Task& task, int slot) = 0;
  /// Waits for it.
  virtual Operands operands(int slot) = 0;

  /// Called now and then while a task is computed, for what moves data only in its calls.
  virtual void progress() {}

  /// Starts to add to a block of F, element by element, atomically.
  /// \param values  b x b of them, which may be changed on return
  virtual void accumulate(const BlockId& id, const double* values) = 0;

  /// Completes what the caller has added, at F, and a request of tasks that it does not receive any more.
  /// After a barrier F is complete.
  virtual void complete() = 0;

  /// The value of the counter.
  virtual long counter() = 0;
  /// Copies F to unit 0, row by row. \collective  \param matrix  unused elsewhere
  virtual void collect(double* matrix) = 0;
};

}  // namespace scf
