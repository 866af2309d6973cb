#include "Loop.h"

#include <algorithm>

namespace scf {

Numbers::Numbers(const Problem& problem, const Dealing& dealing, int unit, int units,
                 Exchange& exchange)
    : _tasks(problem.tasks()),
      _dealing(dealing),
      _stride(units),
      _exchange(exchange),
      _next(dealing.schedule == Schedule::fixed ? unit : 0) {}

long Numbers::next() {
  if (_dealing.schedule == Schedule::fixed) {
    const long number = _next;
    _next += _stride;
    return number;
  }
  if (_next == _end) {
    if (!_is_requested) _exchange.request_tasks(_dealing.chunk);
    _next = _exchange.receive_tasks();
    _end = _next + _dealing.chunk;
    // Who gets nothing asks no more.
    _is_requested = _next < _tasks;
    if (_is_requested) _exchange.request_tasks(_dealing.chunk);
  }
  return _next++;
}

Sums::Sums(const Problem& problem, Adding adding, Exchange& exchange)
    : _problem(problem),
      _adding(adding),
      _exchange(exchange),
      _values(static_cast<std::size_t>(problem.blocks() * problem.area())),
      _is_used(static_cast<std::size_t>(problem.blocks())) {}

Outputs Sums::of(const Task& task, kernels::Stopwatch& communication) {
  if (task.i != _row) flush(communication);
  _row = task.i;
  Outputs outputs{};
  for (const Output output : {f_ij, f_ik}) {
    const long col = block_of(task, output).col;
    outputs[output] = block(col);
    _is_used[static_cast<std::size_t>(col)] = true;
  }
  return outputs;
}

void Sums::finish(kernels::Stopwatch& communication) {
  if (_adding == Adding::by_task) flush(communication);
}

void Sums::flush(kernels::Stopwatch& communication) {
  if (_row < 0) return;
  for (long col = 0; col < _problem.blocks(); ++col) {
    if (!_is_used[static_cast<std::size_t>(col)]) continue;
    communication.time([&] { _exchange.accumulate({_row, col}, block(col)); });
    std::fill_n(block(col), _problem.area(), 0.0);
    _is_used[static_cast<std::size_t>(col)] = false;
  }
}

Work run_tasks(const Problem& problem, Numbers& numbers, Integrals& integrals, Sums& sums,
               Exchange& exchange, kernels::Stopwatch& communication) {
  Work work;
  int slot = 0;
  const auto take = [&](int into) {
    return communication.time([&] {
      const long number = numbers.next();
      if (number < problem.tasks()) exchange.fetch(task_of(problem, number), into);
      return number;
    });
  };
  const auto progress = [&] { communication.time([&] { exchange.progress(); }); };
  for (long number = take(slot); number < problem.tasks(); slot = 1 - slot) {
    const long next = take(1 - slot);
    const Task task = task_of(problem, number);
    const Operands operands = communication.time([&] { return exchange.operands(slot); });
    const long computed = integrals.compute(task, operands, sums.of(task, communication), progress);
    sums.finish(communication);
    ++work.tasks;
    work.computed += computed;
    work.skipped +=
        problem.size(task.i) * problem.size(task.j) * problem.size(task.k) * problem.size(task.l) -
        computed;
    number = next;
  }
  sums.flush(communication);
  communication.time([&] { exchange.complete(); });
  return work;
}

}  // namespace scf
