#include "Solver.h"

#include <algorithm>
#include <utility>

namespace stencil {

namespace {

std::vector<float> fixed_row(const Problem& problem, long i) {
  std::vector<float> row(static_cast<std::size_t>(problem.width()));
  for (long j = 0; j < problem.width(); ++j)
    row[static_cast<std::size_t>(j)] = initial(problem, i, j);
  return row;
}

}  // namespace

Solver::Solver(const Problem& problem, const Rows& rows, Exchange& exchange)
    : _problem(problem),
      _rows(rows),
      _exchange(exchange),
      _current(exchange.arrays().current),
      _next(exchange.arrays().next),
      _top(fixed_row(problem, 0)),
      _bottom(fixed_row(problem, problem.rows + 1)) {
  for (long i = 0; i < rows.count; ++i) {
    for (long j = 0; j < problem.width(); ++j) {
      const auto index = i * problem.width() + j;
      _current[index] = _next[index] = initial(problem, rows.first + i, j);
    }
  }
}

const float* Solver::north(long i) const {
  if (i > 0) return row(i - 1);
  return _rows.first == 1 ? _top.data() : _exchange.above();
}
const float* Solver::south(long i) const {
  if (i + 1 < _rows.count) return row(i + 1);
  return _rows.first + _rows.count > _problem.rows ? _bottom.data() : _exchange.below();
}

/// Relaxes the inner rows during the exchange, then the first and the last row.
template <class Relax>
Change Solver::sweep_overlapped(kernels::Stopwatch& communication, const Relax& relax) {
  const long last = _rows.count - 1;
  communication.time([&] { _exchange.start(row(0), row(last)); });
  Change largest = 0;
  for (long i = 1; i < last; ++i)
    largest = std::max(largest, relax(i));
  communication.time([&] { _exchange.finish(); });
  largest = std::max(largest, relax(0));
  return last > 0 ? std::max(largest, relax(last)) : largest;
}

Change Solver::relax_to_next(long i) {
  return relax_row(_next + i * _problem.width(), north(i), row(i), south(i), _problem.cols);
}

Change Solver::relax_one_color(long i, long color) {
  return relax_color(row(i), north(i), south(i), _problem.cols, (_rows.first + i + color) & 1);
}

/// No overlap: already the first row needs the row of a neighbour, and all other rows depend on it.
Change Solver::sweep_in_order(kernels::Stopwatch& communication) {
  communication.time([&] {
    _exchange.start(row(0), row(_rows.count - 1));
    _exchange.finish();
  });
  Change largest = 0;
  for (long i = 0; i < _rows.count; ++i)
    largest = std::max(largest, relax_in_order(row(i), north(i), south(i), _problem.cols));
  return largest;
}

Change Solver::sweep(kernels::Stopwatch& communication) {
  Change largest = 0;
  switch (_problem.method) {
    case Method::jacobi:
      largest = sweep_overlapped(communication, [&](long i) { return relax_to_next(i); });
      std::swap(_current, _next);
      break;
    case Method::red_black:
      for (const long color : {0L, 1L}) {
        const Change of_color =
            sweep_overlapped(communication, [&](long i) { return relax_one_color(i, color); });
        largest = std::max(largest, of_color);
      }
      break;
    case Method::block_gauss_seidel:
      largest = sweep_in_order(communication);
      break;
  }
  return largest;
}

bool Solver::has_residual() const {
  return _sweeps % _problem.check_every == 0 || _sweeps == _problem.sweeps;
}

bool Solver::finish_residual(kernels::Stopwatch& communication) {
  if (!_is_reducing) return false;
  _is_reducing = false;
  _residual = communication.time([&] { return _exchange.maximum(); });
  return residual() < _problem.tolerance;
}

void Solver::undo_sweep() {
  std::swap(_current, _next);
  --_sweeps;
}

void Solver::run(kernels::Stopwatch& communication) {
  const bool can_undo = _problem.method == Method::jacobi;
  while (_sweeps < _problem.sweeps) {
    const Change own = sweep(communication);
    ++_sweeps;
    if (finish_residual(communication)) return undo_sweep();
    if (!has_residual()) continue;
    communication.time([&] { _exchange.start_maximum(own); });
    _is_reducing = true;
    const bool may_end = _problem.tolerance > 0 && !can_undo;
    if (may_end && finish_residual(communication)) return;
  }
  finish_residual(communication);
}

}  // namespace stencil
