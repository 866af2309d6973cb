#include "DashExchange.h"

#include <dash/Collectives.h>

#include <algorithm>

namespace lulesh {

namespace {

/// Numbers that go to another node in one message together with their signal.
constexpr std::size_t numbers_in_a_message = 4096 / sizeof(double);
/// What is longer goes by one transfer: the receiver has other things to do than to copy it.
constexpr std::size_t most_messages = 64;

/// Into how many a message of so many numbers is divided. To a unit of this node it is one copy.
std::size_t pieces_of(std::size_t numbers, bool on_node) {
  const std::size_t pieces = (numbers + numbers_in_a_message - 1) / numbers_in_a_message;
  return on_node || pieces > most_messages ? 1 : pieces;
}

}  // namespace

DashExchange::DashExchange(const Mesh& mesh, dash::Team& team)
    : _mesh(mesh),
      _team(team),
      _places(mesh),
      _inbox(_places.capacity() * team.size(), dash::BLOCKED, team),
      _arrived(Inbox::num_messages, team),
      _outbox(_places.capacity()) {
  for (std::size_t d = 0; d < num_directions; ++d) {
    const int neighbour = mesh.neighbour(directions[d]);
    _on_node[d] = neighbour >= 0 && team.is_on_node(dash::team_unit_t(neighbour));
  }
}

void DashExchange::start(Kind kind, const Fields& fields) {
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (!sends(_mesh, kind, d)) continue;
    double* const message = _outbox.data() + _places.place(kind, d);
    pack(_mesh, fields, kind, d, message);
    const dash::team_unit_t neighbour(_mesh.neighbour(directions[d]));
    const std::size_t there = opposite(d);
    const std::size_t to =
        static_cast<std::size_t>(neighbour.id) * _places.capacity() + _places.place(kind, there);
    const std::size_t size = message_size(_mesh, kind, d);
    const std::size_t length =
        (size + pieces_of(size, _on_node[d]) - 1) / pieces_of(size, _on_node[d]);
    for (std::size_t begin = 0; begin < size; begin += length) {
      const std::size_t end = std::min(begin + length, size);
      _sends.push_back(dash::put_signal_async(
          message + begin, message + end, _inbox.begin() + static_cast<std::ptrdiff_t>(to + begin),
          _arrived(neighbour, Inbox::number(kind, there)), 1, dash::SignalOp::add));
    }
  }
}

void DashExchange::finish(Kind kind, const Fields& fields) {
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (!receives(_mesh, kind, d)) continue;
    const std::size_t number = Inbox::number(kind, d);
    _expected[number] +=
        static_cast<dash::signal_t>(pieces_of(message_size(_mesh, kind, d), _on_node[d]));
    _arrived[number].wait_until(_expected[number]);
    unpack(_mesh, fields, kind, d, _inbox.lbegin() + _places.place(kind, d));
  }
  // A large message may need calls of this unit, whose next one is after much computing.
  for (auto& send : _sends)
    send.wait();
  _sends.clear();
}

TimeLimits DashExchange::least(const TimeLimits& own) {
  const std::array<double, 2> mine{own.courant, own.hydro};
  std::array<double, 2> all{};
  dash::allreduce_async(mine.data(), all.data(), all.size(), dash::min<double>(), _team).wait();
  return {all[0], all[1]};
}

}  // namespace lulesh
