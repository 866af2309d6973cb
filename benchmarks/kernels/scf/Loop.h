#pragma once

#include <vector>

#include "Exchange.h"
#include "Integrals.h"
#include "Problem.h"
#include "support/Stopwatch.h"

namespace scf {

enum class Schedule {
  automatic,  ///< dynamic, but without one-sided communication
  fixed,      ///< task t to unit t modulo the number of units
  dynamic     ///< by the shared counter
};

/// When outputs are added to F.
enum class Adding {
  by_task,  ///< after each task
  by_row    ///< when the next task has another row of blocks: all outputs are in the task's row
};

struct Dealing {
  Schedule schedule = Schedule::automatic;
  long chunk = 1;  ///< tasks that are taken from the counter at a time
};

/// What a unit has done.
struct Work {
  long tasks = 0;
  long computed = 0;
  long skipped = 0;
};

/// The caller's tasks in turn: t modulo the number of units, or what the counter gives. The next
/// number is on its way while tasks before it are computed.
class Numbers {
 public:
  Numbers(const Problem& problem, const Dealing& dealing, int unit, int units, Exchange& exchange);

  /// \returns the number of a task, or of none: as many as there are, or more
  long next();

 private:
  long _tasks;
  Dealing _dealing;
  long _stride;
  Exchange& _exchange;
  long _next;
  long _end = 0;  // of the chunk
  bool _is_requested = false;
};

/// What the caller has computed of F and not yet added to it.
class Sums {
 public:
  Sums(const Problem& problem, Adding adding, Exchange& exchange);

  /// Where a task's outputs are to be added. Adds what is of another row to F.
  Outputs of(const Task& task, kernels::Stopwatch& communication);
  /// The outputs of a task are there.
  void finish(kernels::Stopwatch& communication);
  /// Adds the rest to F.
  void flush(kernels::Stopwatch& communication);

 private:
  double* block(long col) { return &_values[static_cast<std::size_t>(col * _problem.area())]; }

  Problem _problem;
  Adding _adding;
  Exchange& _exchange;
  long _row = -1;
  std::vector<double> _values;  // of a row of blocks
  std::vector<bool> _is_used;   // of each block
};

/// Computes the caller's share of all tasks, fetching the blocks of one while the one before is computed.
Work run_tasks(const Problem& problem, Numbers& numbers, Integrals& integrals, Sums& sums,
               Exchange& exchange, kernels::Stopwatch& communication);

}  // namespace scf
