#include "DashExchange.h"

#include <dash/Collectives.h>
#include <dash/algorithm/Copy.h>

namespace stencil {

namespace {

dash::CSRPattern<1> rows_pattern(const Problem& problem, dash::Team& team) {
  const int units = static_cast<int>(team.size());
  std::vector<dash::default_size_t> sizes;
  for (int unit = 0; unit < units; ++unit) {
    const long elements = rows_of(problem.rows, unit, units).count * problem.width();
    sizes.push_back(static_cast<dash::default_size_t>(elements));
  }
  return dash::CSRPattern<1>(sizes, team);
}

}  // namespace

DashExchange::DashExchange(const Problem& problem, dash::Team& team)
    : _team(team),
      _width(problem.width()),
      _neighbours(team.myid().id, static_cast<int>(team.size())),
      _current(rows_pattern(problem, team)),
      _next(rows_pattern(problem, team)),
      _halos(team.size() * static_cast<std::size_t>(4 * problem.width()), dash::BLOCKED, team),
      _arrived(2, team) {}

void DashExchange::start(const float* first, const float* last) {
  ++_phase;
  for (const Side side : sides) {
    const dash::team_unit_t neighbour(_neighbours.of[side]);
    if (neighbour.id < 0) continue;
    const Side target_side = opposite(side);
    const float* const row = side == side_above ? first : last;
    _sent.push_back(dash::put_signal_async(
        row, row + _width, _halos.begin() + (neighbour.id * 4 * _width + halo_offset(target_side)),
        _arrived(neighbour, target_side), _phase));
  }
}

void DashExchange::finish() {
  for (const Side side : sides) {
    if (_neighbours.of[side] >= 0) _arrived[side].wait_until(_phase);
  }
  for (auto& row : _sent)
    row.wait();
  _sent.clear();
}

void DashExchange::start_maximum(unsigned own) {
  _maximum = dash::allreduce_async(own, dash::max<unsigned>(), _team);
}

void DashExchange::collect(const float* rows, float* grid) {
  Grid& cells = rows == _current.lbegin() ? _current : _next;
  _team.barrier();
  if (_team.myid() == 0) dash::copy(cells.begin(), cells.end(), grid);
  _team.barrier();
}

}  // namespace stencil
