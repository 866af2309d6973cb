#include "DashExchange.h"

#include <dash/Collectives.h>

namespace lulesh {

DashExchange::DashExchange(const Mesh& mesh, dash::Team& team)
    : _mesh(mesh), _team(team), _arrived(num_kinds * num_directions, team) {
  for (std::size_t kind = 0; kind < num_kinds; ++kind) {
    for (std::size_t d = 0; d < num_directions; ++d) {
      _places[kind][d] = _capacity;
      _capacity += message_capacity(mesh, static_cast<Kind>(kind), d);
    }
  }
  _inbox.allocate(_capacity * team.size(), dash::BLOCKED, team);
  _outbox.resize(_capacity);
}

void DashExchange::start(Kind kind, const Fields& fields) {
  const dash::signal_t round = ++_rounds[static_cast<std::size_t>(kind)];
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (!sends(_mesh, kind, d)) continue;
    double* const message = _outbox.data() + place(kind, d);
    pack(_mesh, fields, kind, d, message);
    const dash::team_unit_t neighbour(_mesh.neighbour(directions[d]));
    const std::size_t there = opposite(d);
    const auto to = _inbox.begin() +
                    static_cast<std::ptrdiff_t>(static_cast<std::size_t>(neighbour.id) * _capacity +
                                                place(kind, there));
    dash::put_signal_async(message, message + message_size(_mesh, kind, d), to,
                           _arrived(neighbour, signal(kind, there)), round);
  }
}

void DashExchange::finish(Kind kind, const Fields& fields) {
  const dash::signal_t round = _rounds[static_cast<std::size_t>(kind)];
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (!receives(_mesh, kind, d)) continue;
    _arrived[signal(kind, d)].wait_until(round);
    unpack(_mesh, fields, kind, d, _inbox.lbegin() + place(kind, d));
  }
}

TimeLimits DashExchange::least(const TimeLimits& own) {
  const std::array<double, 2> mine{own.courant, own.hydro};
  std::array<double, 2> all{};
  dash::allreduce_async(mine.data(), all.data(), all.size(), dash::min<double>(), _team).wait();
  return {all[0], all[1]};
}

}  // namespace lulesh
