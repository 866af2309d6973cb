#include "DashExchange.h"

#include <dash/Algorithm.h>
#include <dash/Init.h>

#include <algorithm>
#include <functional>

namespace scf {

namespace {

/// Maximum number of pending additions of blocks to F.
constexpr std::size_t max_in_flight = 64;

/// A pattern of whole tiles, the last of which may be partially used.
dash::TilePattern<2> tiles(const Problem& problem, dash::Team& team) {
  const long extent = problem.blocks() * problem.b;
  return dash::TilePattern<2>(extent, extent, dash::TILE(problem.b), dash::TILE(problem.b), team);
}

/// Sets the local elements.
template <class Element>
void assign(dash::Matrix<double, 2>& matrix, const Element& element) {
  double* const own = matrix.lbegin();
  for (std::size_t i = 0; i < matrix.local_size(); ++i) {
    const auto coords = matrix.pattern().coords(matrix.pattern().global(static_cast<long>(i)));
    own[i] = element(coords[0], coords[1]);
  }
}

}  // namespace

DashExchange::DashExchange(const Problem& problem, dash::Team& team)
    : _team(team),
      _problem(problem),
      _overlap(tiles(problem, team)),
      _density(tiles(problem, team)),
      _fock(tiles(problem, team)),
      _overlap_blocks(blocks_of(_overlap)),
      _density_blocks(blocks_of(_density)),
      _fock_blocks(blocks_of(_fock)),
      _is_one_node(std::all_of(_fock_blocks.begin(), _fock_blocks.end(),
                               [](const Block& block) { return block.on_node != nullptr; })),
      _locks(_fock_blocks.size(), team),
      _counter(team) {
  const auto size = static_cast<std::size_t>(problem.area());
  for (Slot& slot : _slots) {
    for (auto& block : slot.blocks)
      block.resize(size);
  }
  assign(_overlap, overlap);
  assign(_density, density);
}

void DashExchange::reset() {
  dash::fill(_fock.begin(), _fock.end(), 0.0);
  if (_team.myid() == 0) _counter.reset_tickets();
  _team.barrier();
}

void DashExchange::request_tasks(long chunk) {
  _first_task = _counter.take_async(chunk);
}

long DashExchange::receive_tasks() {
  return _first_task.get();
}

std::vector<DashExchange::Block> DashExchange::blocks_of(const Matrix& matrix) const {
  const auto size = static_cast<std::size_t>(_problem.area());
  std::vector<Block> blocks;
  for (long row = 0; row < _problem.blocks(); ++row) {
    for (long col = 0; col < _problem.blocks(); ++col) {
      const dash::GlobPtr<double> address(matrix.gptr_at({{row * _problem.b, col * _problem.b}}));
      blocks.push_back({address, address.on_node_address(size)});
    }
  }
  return blocks;
}

void DashExchange::fetch(const Task& task, int slot) {
  Slot& into = _slots[static_cast<std::size_t>(slot)];
  for (std::size_t i = 0; i < num_operands; ++i) {
    const auto operand = static_cast<Operand>(i);
    const auto& blocks = is_overlap(operand) ? _overlap_blocks : _density_blocks;
    const Block& from = blocks[number(block_of(task, operand))];
    // Blocks on this node are read in place, since no unit changes them.
    into.operands[i] = from.on_node != nullptr ? from.on_node : into.blocks[i].data();
    if (from.on_node != nullptr) continue;
    into.fetched.push_back(
        dash::copy_async(from.address, from.address + _problem.area(), into.blocks[i].data()));
  }
}

Operands DashExchange::operands(int slot) {
  Slot& from = _slots[static_cast<std::size_t>(slot)];
  for (auto& fetched : from.fetched)
    fetched.wait();
  from.fetched.clear();
  return from.operands;
}

/// Makes progress for units on other nodes.
void DashExchange::progress() {
  if (!_is_one_node) dash::progress();
}

void DashExchange::accumulate(const BlockId& id, const double* values) {
  const std::size_t block = number(id);
  if (_is_one_node) return add_on_node(block, values);
  // Earlier additions have had the time of a task, or of a row of tasks, to complete.
  if (_added.size() >= max_in_flight) complete_added();
  const auto to = _fock_blocks[block].address;
  _added.push_back(
      dash::transform_async(values, values + _problem.area(), to, to, dash::plus<double>()));
}

/// Only if all units are on one node: atomic additions by units of other nodes do not respect the
/// locks.
void DashExchange::add_on_node(std::size_t block, const double* values) {
  double* const sums = _fock_blocks[block].on_node;
  _locks.with(block,
              [&] { std::transform(values, values + _problem.area(), sums, sums, std::plus<>()); });
}

void DashExchange::complete() {
  complete_added();
  // A pending request would otherwise change the counter during the next run.
  if (_first_task.valid()) _first_task.wait();
}

void DashExchange::complete_added() {
  for (auto& block : _added)
    block.wait();
  _added.clear();
}

void DashExchange::collect(double* matrix) {
  _team.barrier();
  if (_team.myid() == 0) {
    for (long row = 0; row < _problem.n; ++row) {
      const auto elements = _fock.row(row);
      dash::copy(elements.begin(), elements.begin() + _problem.n, matrix + row * _problem.n);
    }
  }
  _team.barrier();
}

}  // namespace scf
