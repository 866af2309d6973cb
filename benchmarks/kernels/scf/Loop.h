#pragma once

#include <vector>

#include "Exchange.h"
#include "Integrals.h"
#include "Problem.h"
#include "support/Stopwatch.h"

namespace scf {

enum class Schedule {
  automatic,  ///< dynamic, or fixed with two-sided communication
  fixed,      ///< task t runs on unit t modulo the number of units
  dynamic     ///< units take tasks from a shared counter
};

/// When outputs are added to F.
enum class Accumulation {
  after_task,  ///< after each task
  after_row    ///< when the next task is in another row; all outputs of a task are in its row
};

struct Scheduling {
  Schedule schedule = Schedule::automatic;
  long chunk = 1;  ///< number of tasks taken from the counter at a time
};

/// The work of a unit in a run.
struct Work {
  long tasks = 0;
  long computed = 0;
  long skipped = 0;
};

/// Assigns tasks to the caller, by the fixed schedule or from the shared counter. The next request
/// to the counter is pending while previous tasks are computed.
class TaskSource {
 public:
  TaskSource(const Problem& problem, const Scheduling& scheduling, int unit, int units,
             Exchange& exchange);

  /// \returns the number of the next task; a number that is not less than the number of tasks if
  ///          there is none
  long next();

 private:
  long _tasks;
  Scheduling _scheduling;
  long _stride;
  Exchange& _exchange;
  long _next;
  long _end = 0;  // end of the current chunk
  bool _is_requested = false;
};

/// Outputs that the caller has computed but not yet added to F.
class OutputBuffer {
 public:
  OutputBuffer(const Problem& problem, Accumulation accumulation, Exchange& exchange);

  /// The blocks to which a task adds its outputs. Adds blocks of another row to F first.
  Outputs outputs_for(const Task& task, kernels::Stopwatch& communication);
  /// Called after a task.
  void finish(kernels::Stopwatch& communication);
  /// Adds all blocks to F.
  void flush(kernels::Stopwatch& communication);

 private:
  double* block(long col) { return &_values[static_cast<std::size_t>(col * _problem.area())]; }

  Problem _problem;
  Accumulation _accumulation;
  Exchange& _exchange;
  long _row = -1;
  std::vector<double> _values;  // a row of blocks
  std::vector<bool> _is_used;   // by block of the row
};

/// Computes the caller's tasks. The blocks of a task are fetched while the previous task is
/// computed.
/// \param polls  makes progress for other units while it computes
Work run_tasks(const Problem& problem, TaskSource& task_source, Integrals& integrals,
               OutputBuffer& outputs, Exchange& exchange, bool polls,
               kernels::Stopwatch& communication);

}  // namespace scf
