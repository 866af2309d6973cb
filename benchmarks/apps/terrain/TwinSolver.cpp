#include "TwinSolver.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace terrain {

namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

std::size_t block_extent(std::size_t extent, int processes) {
  const auto n = static_cast<std::size_t>(processes);
  return (extent + n - 1) / n;
}

}  // namespace

TwinSolver::TwinSolver(const std::array<std::size_t, 2>& extents, const std::array<int, 2>& grid,
                       double alpha)
    : _extents(extents), _grid(grid), _alpha(alpha) {
  MPI_Comm_rank(MPI_COMM_WORLD, &_process);
  _place = place_of(_process);
  const Block& block = _place.block;
  for (auto& cells : _cells)
    cells.resize(block.rows * block.cols);
  if (block.north) add_requests(_process - grid[1], north);
  if (block.south) add_requests(_process + grid[1], south);
  if (block.west) add_requests(_process - 1, west);
  if (block.east) add_requests(_process + 1, east);
}

TwinSolver::~TwinSolver() {
  for (auto& requests : _requests) {
    for (MPI_Request& request : requests)
      MPI_Request_free(&request);
  }
}

TwinSolver::Place TwinSolver::place_of(int process) const {
  const std::array<int, 2> coords{process / _grid[1], process % _grid[1]};
  std::array<std::size_t, 2> count{};
  Place place;
  for (std::size_t d = 0; d < 2; ++d) {
    const std::size_t most = block_extent(_extents[d], _grid[d]);
    place.first[d] = most * static_cast<std::size_t>(coords[d]);
    count[d] = std::min(most, _extents[d] - place.first[d]);
  }
  place.block = {count[0],      count[1],
                 coords[0] > 0, coords[0] + 1 < _grid[0],
                 coords[1] > 0, coords[1] + 1 < _grid[1]};
  return place;
}

/// What goes north comes from the south, and so on: the side of the receiver is the tag.
void TwinSolver::add_requests(int neighbour, Side side) {
  const Block& block = _place.block;
  const bool is_row = side == north || side == south;
  const auto count = static_cast<int>(is_row ? block.cols : block.rows);
  auto& halo = _halo[side];
  halo.resize(static_cast<std::size_t>(count));
  if (!is_row) _columns[side].resize(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < 2; ++i) {
    const double* const row =
        _cells[i].data() + (side == south ? (block.rows - 1) * block.cols : 0);
    auto& requests = _requests[i];
    requests.resize(requests.size() + 2);
    MPI_Recv_init(halo.data(), count, MPI_DOUBLE, neighbour, side, MPI_COMM_WORLD,
                  &requests[requests.size() - 2]);
    MPI_Send_init(is_row ? row : _columns[side].data(), count, MPI_DOUBLE, neighbour, side ^ 1,
                  MPI_COMM_WORLD, &requests[requests.size() - 1]);
  }
}

void TwinSolver::fill(const Dem& dem) {
  double* cell = _cells[_current].data();
  for (std::size_t r = 0; r < _place.block.rows; ++r) {
    const auto row = mirrored_index(_place.first[0] + r, dem.rows);
    for (std::size_t c = 0; c < _place.block.cols; ++c)
      *cell++ = dem.elevations[row * dem.cols + mirrored_index(_place.first[1] + c, dem.cols)];
  }
}

void TwinSolver::start() {
  const Block& block = _place.block;
  for (const Side side : {west, east}) {
    const double* cell = _cells[_current].data() + (side == east ? block.cols - 1 : 0);
    for (double& packed : _columns[side]) {
      packed = *cell;
      cell += block.cols;
    }
  }
  auto& requests = _requests[_current];
  MPI_Startall(static_cast<int>(requests.size()), requests.data());
}

void TwinSolver::finish() {
  auto& requests = _requests[_current];
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

void TwinSolver::step(Exchange exchange, StepTimes& times) {
  const double* const src = _cells[_current].data();
  double* const dst = _cells[1 - _current].data();
  const Block& block = _place.block;

  const auto begin = Clock::now();
  if (exchange != Exchange::left_out) start();
  const auto started = Clock::now();
  if (exchange != Exchange::first) update_inner(block, src, dst, _alpha);
  const auto computed = Clock::now();
  if (exchange != Exchange::left_out) finish();
  times.waiting += seconds(Clock::now() - computed);
  times.starting += seconds(started - begin);
  if (exchange == Exchange::first) update_inner(block, src, dst, _alpha);

  const auto halo = [&](Side side) { return _halo[side].empty() ? nullptr : _halo[side].data(); };
  update_border(block, {halo(north), halo(south), halo(west), halo(east)}, src, dst, _alpha);
  _current = 1 - _current;
}

StepTimes TwinSolver::run(long steps, Exchange exchange) {
  StepTimes times;
  MPI_Barrier(MPI_COMM_WORLD);
  const auto begin = Clock::now();
  for (long s = 0; s < steps; ++s)
    step(exchange, times);
  times.total = seconds(Clock::now() - begin);
  times.steps = steps;
  return times;
}

Field TwinSolver::gather() const {
  const auto& cells = _cells[_current];
  if (_process != 0) {
    MPI_Send(cells.data(), static_cast<int>(cells.size()), MPI_DOUBLE, 0, sides, MPI_COMM_WORLD);
    return {};
  }
  Field whole(_extents[0], _extents[1]);
  std::vector<double> others;
  for (int process = 0; process < _grid[0] * _grid[1]; ++process) {
    const Place place = place_of(process);
    others.resize(place.block.rows * place.block.cols);
    if (process == 0) {
      others = cells;
    } else {
      MPI_Recv(others.data(), static_cast<int>(others.size()), MPI_DOUBLE, process, sides,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (std::size_t r = 0; r < place.block.rows; ++r) {
      const double* const row = others.data() + r * place.block.cols;
      std::copy(row, row + place.block.cols, whole.row(place.first[0] + r) + place.first[1]);
    }
  }
  return whole;
}

}  // namespace terrain
