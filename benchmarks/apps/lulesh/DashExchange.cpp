#include "DashExchange.h"

#include <dash/Collectives.h>

namespace lulesh {

DashExchange::DashExchange(const Mesh& mesh, dash::Team& team)
    : _mesh(mesh),
      _team(team),
      _places(mesh),
      _inbox(_places.capacity() * team.size(), dash::BLOCKED, team),
      _arrived(Inbox::num_messages, team),
      _outbox(_places.capacity()) {}

void DashExchange::start(Kind kind, const Fields& fields) {
  const dash::signal_t round = ++_rounds[static_cast<std::size_t>(kind)];
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (!sends(_mesh, kind, d)) continue;
    double* const message = _outbox.data() + _places.place(kind, d);
    pack(_mesh, fields, kind, d, message);
    const dash::team_unit_t neighbour(_mesh.neighbour(directions[d]));
    const std::size_t there = opposite(d);
    const std::size_t to =
        static_cast<std::size_t>(neighbour.id) * _places.capacity() + _places.place(kind, there);
    dash::put_signal_async(message, message + message_size(_mesh, kind, d),
                           _inbox.begin() + static_cast<std::ptrdiff_t>(to),
                           _arrived(neighbour, Inbox::number(kind, there)), round);
  }
}

void DashExchange::finish(Kind kind, const Fields& fields) {
  const dash::signal_t round = _rounds[static_cast<std::size_t>(kind)];
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (!receives(_mesh, kind, d)) continue;
    _arrived[Inbox::number(kind, d)].wait_until(round);
    unpack(_mesh, fields, kind, d, _inbox.lbegin() + _places.place(kind, d));
  }
}

TimeLimits DashExchange::least(const TimeLimits& own) {
  const std::array<double, 2> mine{own.courant, own.hydro};
  std::array<double, 2> all{};
  dash::allreduce_async(mine.data(), all.data(), all.size(), dash::min<double>(), _team).wait();
  return {all[0], all[1]};
}

}  // namespace lulesh
