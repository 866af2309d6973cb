#include "MpiExchange.h"

#include <algorithm>

namespace stencil {

namespace {

constexpr int maximum_tag = 2;  // the tags of rows are sides

/// Whether a neighbour has announced a phase; it may already be one phase ahead.
bool has_reached(const std::atomic_ref<unsigned>& announced, unsigned phase) {
  return static_cast<int>(announced.load(std::memory_order_acquire) - phase) >= 0;
}

}  // namespace

MpiExchange::MpiExchange(const Problem& problem, const kernels::World& world)
    : _problem(problem),
      _unit(world.unit()),
      _units(world.units()),
      _neighbours(world.unit(), world.units()),
      _width(static_cast<std::size_t>(problem.width())) {}

std::size_t MpiExchange::elements_of(int unit) const {
  return static_cast<std::size_t>(rows_of(_problem.rows, unit, _units).count) * _width;
}

void MpiExchange::collect(const float* rows, float* grid) {
  MPI_Datatype row = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(_width), MPI_FLOAT, &row);
  MPI_Type_commit(&row);
  std::vector<int> counts;
  std::vector<int> displacements;
  for (int unit = 0; unit < _units; ++unit) {
    const Rows block = rows_of(_problem.rows, unit, _units);
    counts.push_back(static_cast<int>(block.count));
    displacements.push_back(static_cast<int>(block.first - 1));
  }
  MPI_Gatherv(rows, counts[static_cast<std::size_t>(_unit)], row, grid, counts.data(),
              displacements.data(), row, 0, MPI_COMM_WORLD);
  MPI_Type_free(&row);
}

TwoSidedExchange::TwoSidedExchange(const Problem& problem, const kernels::World& world)
    : RowsOfProcess(problem, world), _halos(4 * _width), _maxima(static_cast<std::size_t>(_units)) {
  post_receives(1);
}

TwoSidedExchange::~TwoSidedExchange() {
  for (auto& requests : _receives) {
    for (MPI_Request& request : requests) {
      MPI_Cancel(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
  }
}

void TwoSidedExchange::post_receives(unsigned phase) {
  for (const Side side : sides) {
    if (!has_neighbour(side)) continue;
    MPI_Irecv(const_cast<float*>(halo(side, phase)), static_cast<int>(_width), MPI_FLOAT,
              neighbour(side), side, MPI_COMM_WORLD, &_receives[phase & 1].emplace_back());
  }
}

void TwoSidedExchange::start(const float* first, const float* last) {
  ++_phase;
  for (const Side side : sides) {
    if (!has_neighbour(side)) continue;
    // The tag is the side on which the receiver gets the row.
    MPI_Isend(side == side_above ? first : last, static_cast<int>(_width), MPI_FLOAT,
              neighbour(side), opposite(side), MPI_COMM_WORLD, &_sends.emplace_back());
  }
}

void TwoSidedExchange::finish() {
  // Post the receives into the buffers of the previous phase, which are no longer used.
  post_receives(_phase + 1);
  auto& receives = _receives[_phase & 1];
  MPI_Waitall(static_cast<int>(receives.size()), receives.data(), MPI_STATUSES_IGNORE);
  MPI_Waitall(static_cast<int>(_sends.size()), _sends.data(), MPI_STATUSES_IGNORE);
  receives.clear();
  _sends.clear();
}

void TwoSidedExchange::start_maximum(unsigned own) {
  unsigned& sent = _maxima[static_cast<std::size_t>(_unit)];
  sent = own;
  for (int distance = 1; distance < _units; ++distance) {
    const int unit = (_unit + distance) % _units;
    MPI_Irecv(&_maxima[static_cast<std::size_t>(unit)], 1, MPI_UNSIGNED, unit, maximum_tag,
              MPI_COMM_WORLD, &_maxima_requests.emplace_back());
    MPI_Isend(&sent, 1, MPI_UNSIGNED, unit, maximum_tag, MPI_COMM_WORLD,
              &_maxima_requests.emplace_back());
  }
}

unsigned TwoSidedExchange::maximum() {
  MPI_Waitall(static_cast<int>(_maxima_requests.size()), _maxima_requests.data(),
              MPI_STATUSES_IGNORE);
  _maxima_requests.clear();
  return *std::max_element(_maxima.begin(), _maxima.end());
}

RmaExchange::RmaExchange(const Problem& problem, const kernels::World& world)
    : RowsOfProcess(problem, world),
      _memory(2 * line + 4 * _width * sizeof(float), kernels::MpiMemory::Kind::window),
      _maxima(_unit, _units) {}

void RmaExchange::start(const float* first, const float* last) {
  ++_phase;
  for (const Side side : sides) {
    if (!has_neighbour(side)) continue;
    const int width = static_cast<int>(_width);
    MPI_Put(side == side_above ? first : last, width, MPI_FLOAT, neighbour(side),
            halo_offset(opposite(side)), width, MPI_FLOAT, _memory.window());
  }
  for (const Side side : sides) {
    if (has_neighbour(side)) MPI_Win_flush(neighbour(side), _memory.window());
  }
  unsigned& number = _announced[_phase & 1];
  number = _phase;
  for (const Side side : sides) {
    if (!has_neighbour(side)) continue;
    MPI_Put(&number, 1, MPI_UNSIGNED, neighbour(side),
            static_cast<MPI_Aint>(static_cast<std::size_t>(opposite(side)) * line), 1, MPI_UNSIGNED,
            _memory.window());
  }
}

void RmaExchange::finish() {
  for (const Side side : sides) {
    if (!has_neighbour(side)) continue;
    const std::atomic_ref<unsigned> arrived(
        *reinterpret_cast<unsigned*>(_memory.local<std::byte>() + side * line));
    kernels::wait_for_puts([&] { return has_reached(arrived, _phase); });
  }
}

SharedExchange::SharedExchange(const Problem& problem, const kernels::World& world)
    : MpiExchange(problem, world),
      _memory(line + (4 * _width + 2 * elements() + array_padding) * sizeof(float),
              kernels::MpiMemory::Kind::shared),
      _maxima(_unit, _units) {}

void SharedExchange::start(const float* first, const float* last) {
  ++_phase;
  _current_array = first == array(_unit, 0) ? 0 : 1;
  if (_problem.method == Method::block_gauss_seidel) {
    float* const copy = copies(_unit) + 2 * (_phase & 1) * _width;
    std::copy(first, first + _width, copy);
    std::copy(last, last + _width, copy + _width);
  }
  phase_of(_unit).store(_phase, std::memory_order_release);
}

void SharedExchange::finish() {
  for (const Side side : sides) {
    if (!has_neighbour(side)) continue;
    const auto phase = phase_of(neighbour(side));
    kernels::wait_for_stores([&] { return has_reached(phase, _phase); });
  }
}

const float* SharedExchange::row_of(Side side) const {
  const int unit = neighbour(side);
  if (_problem.method == Method::block_gauss_seidel) {
    return copies(unit) + (2 * (_phase & 1) + (side == side_above ? 1 : 0)) * _width;
  }
  const float* const rows = array(unit, _current_array);
  return side == side_above ? rows + elements_of(unit) - _width : rows;
}

std::unique_ptr<Exchange> make_mpi_exchange(const Problem& problem, const kernels::World& world,
                                            const std::string& via) {
  if (via == "rma") return std::make_unique<RmaExchange>(problem, world);
  if (via == "shared") return std::make_unique<SharedExchange>(problem, world);
  return std::make_unique<TwoSidedExchange>(problem, world);
}

}  // namespace stencil
