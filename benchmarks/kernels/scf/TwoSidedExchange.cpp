#include "TwoSidedExchange.h"

#include <algorithm>
#include <functional>

namespace scf {

namespace {

/// Maximum number of pending sends of outputs.
constexpr std::size_t max_in_flight = 32;

}  // namespace

TwoSidedExchange::TwoSidedExchange(const Problem& problem, const kernels::World& world)
    : MpiExchange(problem, world),
      _memory(_layout.size()),
      _outputs(max_in_flight * _layout.block_size()),
      _received(_layout.block_size()),
      _num_sent(static_cast<std::size_t>(world.units())) {
  MPI_Comm_dup(MPI_COMM_WORLD, &_outputs_comm);
  _layout.fill(_unit, own());
  for (Round& each : _rounds) {
    for (auto& block : each.blocks)
      block.resize(_layout.block_size());
  }
}

void TwoSidedExchange::reset() {
  _started = _computed = _num_received = 0;
  std::fill(_num_sent.begin(), _num_sent.end(), 0);
  MpiExchange::reset();
}

/// Receives outputs while it waits, since another process may be waiting until this one receives
/// its outputs.
void TwoSidedExchange::wait(Requests& requests) {
  for (int is_done = 0; is_done == 0;) {
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &is_done, MPI_STATUSES_IGNORE);
    if (is_done == 0) receive_outputs();
  }
  requests.clear();
}

void TwoSidedExchange::add(const BlockId& id, const double* values) {
  double* const block = own() + _layout.offset(Layout::fock_matrix, id);
  std::transform(values, values + _layout.block_size(), block, block, std::plus<>());
}

void TwoSidedExchange::receive_outputs() {
  for (;;) {
    int flag = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, _outputs_comm, &flag, &message, &status);
    if (flag == 0) return;
    MPI_Mrecv(_received.data(), static_cast<int>(_received.size()), MPI_DOUBLE, &message,
              MPI_STATUS_IGNORE);
    add({status.MPI_TAG / _problem.blocks(), status.MPI_TAG % _problem.blocks()}, _received.data());
    ++_num_received;
  }
}

void TwoSidedExchange::send_operands(Round& to, const Task& task, int unit) {
  const int size = static_cast<int>(_problem.area());
  for (std::size_t i = 0; i < num_operands; ++i) {
    const auto operand = static_cast<Operand>(i);
    const BlockId id = block_of(task, operand);
    const int owner = _layout.owner(id);
    const int tag = static_cast<int>(i);
    double* const block = own() + _layout.offset(Layout::matrix_of(operand), id);
    if (unit != _unit) {
      if (owner != _unit) continue;
      MPI_Isend(block, size, MPI_DOUBLE, unit, tag, MPI_COMM_WORLD, &to.sends.emplace_back());
    } else if (owner == _unit) {
      to.operands[i] = block;
    } else {
      to.operands[i] = to.blocks[i].data();
      MPI_Irecv(to.blocks[i].data(), size, MPI_DOUBLE, owner, tag, MPI_COMM_WORLD,
                &to.receives.emplace_back());
    }
  }
}

void TwoSidedExchange::start(long number) {
  Round& to = round(number);
  wait(to.sends);
  for (int unit = 0; unit < _units; ++unit) {
    const long task_number = number * _units + unit;
    if (task_number >= _problem.tasks()) break;
    send_operands(to, task_of(_problem, task_number), unit);
  }
  ++_started;
}

void TwoSidedExchange::fetch(const Task&, int) {
  start(_started);
}

Operands TwoSidedExchange::operands(int) {
  Round& from = round(_computed++);
  wait(from.receives);
  return from.operands;
}

void TwoSidedExchange::accumulate(const BlockId& id, const double* values) {
  const int owner = _layout.owner(id);
  if (owner == _unit) return add(id, values);
  if (_outputs_sent.size() == max_in_flight) wait(_outputs_sent);
  const std::size_t size = _layout.block_size();
  double* const sent = &_outputs[_outputs_sent.size() * size];
  std::copy_n(values, size, sent);
  MPI_Isend(sent, static_cast<int>(size), MPI_DOUBLE, owner,
            static_cast<int>(id.row * _problem.blocks() + id.col), _outputs_comm,
            &_outputs_sent.emplace_back());
  ++_num_sent[static_cast<std::size_t>(owner)];
}

void TwoSidedExchange::complete() {
  // The last round may have no task for the caller, but other processes need the caller's blocks.
  while (_started < num_rounds())
    start(_started);
  for (Round& each : _rounds)
    wait(each.sends);
  wait(_outputs_sent);
  long expected = 0;
  Requests counting(1);
  MPI_Ireduce_scatter_block(_num_sent.data(), &expected, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD,
                            counting.data());
  wait(counting);
  while (_num_received < expected)
    receive_outputs();
}

}  // namespace scf
