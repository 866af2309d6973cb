#include "Loop.h"

#include <algorithm>

namespace scf {

TaskSource::TaskSource(const Problem& problem, const Scheduling& scheduling, int unit, int units,
                       Exchange& exchange)
    : _tasks(problem.tasks()),
      _scheduling(scheduling),
      _stride(units),
      _exchange(exchange),
      _next(scheduling.schedule == Schedule::fixed ? unit : 0) {}

long TaskSource::next() {
  if (_scheduling.schedule == Schedule::fixed) {
    const long number = _next;
    _next += _stride;
    return number;
  }
  if (_next == _end) {
    if (!_is_requested) _exchange.request_tasks(_scheduling.chunk);
    _next = _exchange.receive_tasks();
    _end = _next + _scheduling.chunk;
    // A unit that gets no task makes no further requests.
    _is_requested = _next < _tasks;
    if (_is_requested) _exchange.request_tasks(_scheduling.chunk);
  }
  return _next++;
}

OutputBuffer::OutputBuffer(const Problem& problem, Accumulation accumulation, Exchange& exchange)
    : _problem(problem),
      _accumulation(accumulation),
      _exchange(exchange),
      _values(static_cast<std::size_t>(problem.blocks() * problem.area())),
      _is_used(static_cast<std::size_t>(problem.blocks())) {}

Outputs OutputBuffer::outputs_for(const Task& task, kernels::Stopwatch& communication) {
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

void OutputBuffer::finish(kernels::Stopwatch& communication) {
  if (_accumulation == Accumulation::after_task) flush(communication);
}

void OutputBuffer::flush(kernels::Stopwatch& communication) {
  if (_row < 0) return;
  for (long col = 0; col < _problem.blocks(); ++col) {
    if (!_is_used[static_cast<std::size_t>(col)]) continue;
    communication.time([&] { _exchange.accumulate({_row, col}, block(col)); });
    std::fill_n(block(col), _problem.area(), 0.0);
    _is_used[static_cast<std::size_t>(col)] = false;
  }
}

Work run_tasks(const Problem& problem, TaskSource& task_source, Integrals& integrals,
               OutputBuffer& outputs, Exchange& exchange, bool polls,
               kernels::Stopwatch& communication) {
  Work work;
  int slot = 0;
  const auto take = [&](int into) {
    return communication.time([&] {
      const long number = task_source.next();
      if (number < problem.tasks()) exchange.fetch(task_of(problem, number), into);
      return number;
    });
  };
  const auto progress = [&] {
    if (polls) communication.time([&] { exchange.progress(); });
  };
  for (long number = take(slot); number < problem.tasks(); slot = 1 - slot) {
    const long next = take(1 - slot);
    const Task task = task_of(problem, number);
    const Operands operands = communication.time([&] { return exchange.operands(slot); });
    const long computed =
        integrals.compute(task, operands, outputs.outputs_for(task, communication), progress);
    outputs.finish(communication);
    ++work.tasks;
    work.computed += computed;
    work.skipped +=
        problem.size(task.i) * problem.size(task.j) * problem.size(task.k) * problem.size(task.l) -
        computed;
    number = next;
  }
  outputs.flush(communication);
  communication.time([&] { exchange.complete(); });
  return work;
}

}  // namespace scf
