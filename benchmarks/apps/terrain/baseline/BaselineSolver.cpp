#include "baseline/BaselineSolver.h"

#include <algorithm>
#include <chrono>

namespace terrain {

namespace {

using Clock = std::chrono::steady_clock;

/// Tag of messages with whole blocks; the tags below are sides.
constexpr int block_tag = static_cast<int>(sides.size());

double seconds(Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

int rank() {
  int process = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  return process;
}

}  // namespace

BaselineSolver::BaselineSolver(const std::array<std::size_t, 2>& extents,
                               const std::array<int, 2>& grid, double alpha, const std::string& via)
    : _blocks(extents, grid),
      _alpha(alpha),
      _process(rank()),
      _subdomain(_blocks.subdomain_of(_process)),
      _exchange(make_baseline_exchange(via, _blocks, _process)),
      _stale(_blocks.max_side_length()) {}

void BaselineSolver::fill(const Dem& dem) {
  double* cell = _exchange->cells(_current);
  for (std::size_t r = 0; r < _subdomain.block.rows; ++r) {
    const auto row = mirrored_index(_subdomain.first[0] + r, dem.rows);
    for (std::size_t c = 0; c < _subdomain.block.cols; ++c)
      *cell++ = dem.elevations[row * dem.cols + mirrored_index(_subdomain.first[1] + c, dem.cols)];
  }
}

void BaselineSolver::step(Exchange exchange, StepTimes& times) {
  const double* const src = _exchange->cells(_current);
  double* const dst = _exchange->cells(1 - _current);
  const Block& block = _subdomain.block;

  const auto begin = Clock::now();
  if (exchange != Exchange::none) _exchange->start(_current);
  const auto started = Clock::now();
  if (exchange != Exchange::blocking) update_inner(block, src, dst, _alpha);
  const auto computed = Clock::now();
  if (exchange != Exchange::none) _exchange->finish(_current);
  times.waiting += seconds(Clock::now() - computed);
  times.starting += seconds(started - begin);
  if (exchange == Exchange::blocking) update_inner(block, src, dst, _alpha);

  const auto stale = [&](bool has) { return has ? _stale.data() : nullptr; };
  const Halo halo = exchange == Exchange::none ? Halo{stale(block.north), stale(block.south),
                                                      stale(block.west), stale(block.east)}
                                               : _exchange->halo(_current);
  update_border(block, halo, src, dst, _alpha);
  _current = 1 - _current;
}

StepTimes BaselineSolver::run(long steps, Exchange exchange) {
  StepTimes times;
  MPI_Barrier(MPI_COMM_WORLD);
  const auto begin = Clock::now();
  for (long s = 0; s < steps; ++s)
    step(exchange, times);
  times.total = seconds(Clock::now() - begin);
  times.steps = steps;
  return times;
}

Field BaselineSolver::gather() const {
  const auto size_of = [](const Block& block) { return block.rows * block.cols; };
  const double* const cells = _exchange->cells(_current);
  if (_process != 0) {
    MPI_Send(cells, static_cast<int>(size_of(_subdomain.block)), MPI_DOUBLE, 0, block_tag,
             MPI_COMM_WORLD);
    return {};
  }
  Field whole(_blocks.extents()[0], _blocks.extents()[1]);
  std::vector<double> others;
  for (int process = 0; process < _blocks.processes(); ++process) {
    const BlockGrid::Subdomain subdomain = _blocks.subdomain_of(process);
    others.resize(size_of(subdomain.block));
    if (process == 0) {
      others.assign(cells, cells + others.size());
    } else {
      MPI_Recv(others.data(), static_cast<int>(others.size()), MPI_DOUBLE, process, block_tag,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (std::size_t r = 0; r < subdomain.block.rows; ++r) {
      const double* const row = others.data() + r * subdomain.block.cols;
      std::copy(row, row + subdomain.block.cols,
                whole.row(subdomain.first[0] + r) + subdomain.first[1]);
    }
  }
  return whole;
}

}  // namespace terrain
