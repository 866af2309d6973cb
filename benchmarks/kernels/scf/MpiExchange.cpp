#include "MpiExchange.h"

#include <algorithm>
#include <functional>

#include "TwoSidedExchange.h"
#include "support/StoreWait.h"

namespace scf {

void Layout::fill(int unit, double* memory) const {
  for (long row = 0; row < _problem.n; ++row) {
    for (long col = 0; col < _problem.n; ++col) {
      const BlockId id{row / _problem.b, col / _problem.b};
      if (owner(id) != unit) continue;
      const auto in_block =
          static_cast<std::size_t>(row % _problem.b * _problem.b + col % _problem.b);
      memory[offset(overlap_matrix, id) + in_block] = overlap(row, col);
      memory[offset(density_matrix, id) + in_block] = density(row, col);
    }
  }
}

MpiExchange::MpiExchange(const Problem& problem, const kernels::World& world)
    : _problem(problem),
      _unit(world.unit()),
      _units(world.units()),
      _layout(problem, world.units()) {}

void MpiExchange::reset() {
  std::fill_n(own() + _layout.offset(Layout::fock_matrix, {0, 0}), _layout.fock_size(), 0.0);
  MPI_Barrier(MPI_COMM_WORLD);
}

void MpiExchange::collect(double* matrix) {
  const std::size_t size = _layout.fock_size();
  std::vector<double> all(_unit == 0 ? size * static_cast<std::size_t>(_units) : 0);
  MPI_Gather(own() + _layout.offset(Layout::fock_matrix, {0, 0}), static_cast<int>(size),
             MPI_DOUBLE, all.data(), static_cast<int>(size), MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (_unit != 0) return;
  for (long row = 0; row < _problem.n; ++row) {
    for (long col = 0; col < _problem.n; ++col) {
      const BlockId id{row / _problem.b, col / _problem.b};
      const auto offset = static_cast<std::size_t>(_layout.owner(id)) * size +
                          _layout.offset(Layout::fock_matrix, id) -
                          _layout.offset(Layout::fock_matrix, {0, 0});
      matrix[row * _problem.n + col] =
          all[offset + static_cast<std::size_t>(row % _problem.b * _problem.b + col % _problem.b)];
    }
  }
}

RmaExchange::RmaExchange(const Problem& problem, const kernels::World& world)
    : MpiExchange(problem, world),
      _memory(line + _layout.size() * sizeof(double), kernels::MpiMemory::Kind::window,
              {{"accumulate_ops", "same_op"},
               {"accumulate_ordering", "none"},
               {"same_disp_unit", "true"}}),
      _outputs(max_in_flight * _layout.block_size()) {
  _layout.fill(_unit, own());
  for (Slot& slot : _slots) {
    for (auto& block : slot.blocks)
      block.resize(_layout.block_size());
  }
  MPI_Win_sync(_memory.window());
}

void RmaExchange::reset() {
  *_memory.local<long>() = 0;
  MPI_Win_sync(_memory.window());
  MpiExchange::reset();
}

void RmaExchange::request_tasks(long chunk) {
  _chunk = chunk;
  MPI_Rget_accumulate(&_chunk, 1, MPI_LONG, &_first_task, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM,
                      _memory.window(), &_counting);
}

long RmaExchange::receive_tasks() {
  MPI_Wait(&_counting, MPI_STATUS_IGNORE);
  return _first_task;
}

void RmaExchange::fetch(const Task& task, int slot) {
  Slot& into = _slots[static_cast<std::size_t>(slot)];
  into.requests.clear();
  for (std::size_t i = 0; i < num_operands; ++i) {
    const auto operand = static_cast<Operand>(i);
    const BlockId id = block_of(task, operand);
    const auto matrix = Layout::matrix_of(operand);
    const int owner = _layout.owner(id);
    into.operands[i] = into.blocks[i].data();
    if (owner == _unit) {
      into.operands[i] = own() + _layout.offset(matrix, id);
      continue;
    }
    const int size = static_cast<int>(_problem.area());
    MPI_Rget(into.blocks[i].data(), size, MPI_DOUBLE, owner, byte_offset(matrix, id), size,
             MPI_DOUBLE, _memory.window(), &into.requests.emplace_back());
  }
}

Operands RmaExchange::operands(int slot) {
  Slot& from = _slots[static_cast<std::size_t>(slot)];
  MPI_Waitall(static_cast<int>(from.requests.size()), from.requests.data(), MPI_STATUSES_IGNORE);
  return from.operands;
}

void RmaExchange::progress() {
  int flag = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

void RmaExchange::accumulate(const BlockId& id, const double* values) {
  const std::size_t size = _layout.block_size();
  double* const sent = &_outputs[_in_flight * size];
  std::copy_n(values, size, sent);
  MPI_Accumulate(sent, static_cast<int>(size), MPI_DOUBLE, _layout.owner(id),
                 byte_offset(Layout::fock_matrix, id), static_cast<int>(size), MPI_DOUBLE, MPI_SUM,
                 _memory.window());
  if (++_in_flight < max_in_flight) return;
  _memory.flush_local();
  _in_flight = 0;
}

void RmaExchange::complete() {
  MPI_Wait(&_counting, MPI_STATUS_IGNORE);
  _memory.flush();
}

long RmaExchange::counter() {
  MPI_Win_sync(_memory.window());
  return *_memory.local<long>();
}

SharedExchange::SharedExchange(const Problem& problem, const kernels::World& world)
    : MpiExchange(problem, world),
      _memory(line + locks_size() + _layout.size() * sizeof(double),
              kernels::MpiMemory::Kind::shared) {
  _layout.fill(_unit, own());
}

void SharedExchange::reset() {
  if (_unit == 0) count().store(0);
  MpiExchange::reset();
}

void SharedExchange::fetch(const Task& task, int slot) {
  for (std::size_t i = 0; i < num_operands; ++i) {
    const auto operand = static_cast<Operand>(i);
    const BlockId id = block_of(task, operand);
    _operands[static_cast<std::size_t>(slot)][i] =
        memory_of(_layout.owner(id)) + _layout.offset(Layout::matrix_of(operand), id);
  }
}

void SharedExchange::accumulate(const BlockId& id, const double* values) {
  double* const block = memory_of(_layout.owner(id)) + _layout.offset(Layout::fock_matrix, id);
  auto& is_taken = lock_of(id).is_taken;
  kernels::wait_for_stores([&] { return !is_taken.exchange(true, std::memory_order_acquire); });
  std::transform(values, values + _layout.block_size(), block, block, std::plus<>());
  is_taken.store(false, std::memory_order_release);
}

std::unique_ptr<Exchange> make_mpi_exchange(const Options& options, const kernels::World& world,
                                            const std::string& via) {
  if (via == "rma") return std::make_unique<RmaExchange>(options.problem, world);
  if (via == "shared") return std::make_unique<SharedExchange>(options.problem, world);
  return std::make_unique<TwoSidedExchange>(options.problem, world);
}

}  // namespace scf
