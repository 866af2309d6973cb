#include "DashExchange.h"

#include <dash/Algorithm.h>

namespace scf {

namespace {

/// Blocks that are on their way to F.
constexpr std::size_t most_in_flight = 64;

/// Of whole tiles, the last of which are used in part.
dash::TilePattern<2> tiles(const Problem& problem, dash::Team& team) {
  const long extent = problem.blocks() * problem.b;
  return dash::TilePattern<2>(extent, extent, dash::TILE(problem.b), dash::TILE(problem.b), team);
}

/// Sets each unit's own elements.
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
      _counter(team.size(), dash::BLOCKED, team) {
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
  if (_team.myid() == 0) _counter[0].store(0);
  _team.barrier();
}

void DashExchange::request_tasks(long chunk) {
  _counter.async[0].fetch_add(chunk, &_first_task);
}

long DashExchange::receive_tasks() {
  _counter.async.flush();
  return _first_task;
}

/// A block is a tile, which is contiguous.
dash::GlobPtr<double> DashExchange::block(const Matrix& matrix, const BlockId& id) const {
  return dash::GlobPtr<double>(matrix.gptr_at({{id.row * _problem.b, id.col * _problem.b}}));
}

void DashExchange::fetch(const Task& task, int slot) {
  Slot& into = _slots[static_cast<std::size_t>(slot)];
  const auto size = static_cast<std::size_t>(_problem.area());
  for (std::size_t i = 0; i < num_operands; ++i) {
    const auto operand = static_cast<Operand>(i);
    const auto from = block(is_overlap(operand) ? _overlap : _density, block_of(task, operand));
    // What is on the node is read where it is: nobody changes it.
    const double* const address = from.on_node_address(size);
    into.operands[i] = address != nullptr ? address : into.blocks[i].data();
    if (address != nullptr) continue;
    into.fetched.push_back(dash::copy_async(from, from + _problem.area(), into.blocks[i].data()));
  }
}

Operands DashExchange::operands(int slot) {
  Slot& from = _slots[static_cast<std::size_t>(slot)];
  for (auto& fetched : from.fetched)
    fetched.wait();
  from.fetched.clear();
  return from.operands;
}

void DashExchange::accumulate(const BlockId& id, const double* values) {
  // Those before had the time of a task, or of a row of them.
  if (_added.size() >= most_in_flight) complete();
  const auto to = block(_fock, id);
  _added.push_back(
      dash::transform_async(values, values + _problem.area(), to, to, dash::plus<double>()));
}

void DashExchange::complete() {
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
