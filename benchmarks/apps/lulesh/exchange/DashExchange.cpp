#include "exchange/DashExchange.h"

#include <dash/Collectives.h>

#include <algorithm>

namespace lulesh {

namespace {

/// Numbers that are sent to another node in one message together with their signal.
constexpr std::size_t segment_length = 4096 / sizeof(double);
/// Longer messages are one transfer, so that the receiver does not have to copy the data.
constexpr std::size_t max_segments = 64;

/// The number of segments of a message. A message to a unit of this node is one copy.
std::size_t num_segments(std::size_t numbers, bool on_node) {
  const std::size_t segments = (numbers + segment_length - 1) / segment_length;
  return on_node || segments > max_segments ? 1 : segments;
}

}  // namespace

DashExchange::DashExchange(const Mesh& mesh, dash::Team& team)
    : _mesh(mesh),
      _team(team),
      _layout(mesh),
      _receive_buffer(_layout.capacity() * team.size(), dash::BLOCKED, team),
      _arrived(MessageLayout::num_messages, team),
      _send_buffer(_layout.capacity()) {
  for (std::size_t d = 0; d < num_directions; ++d) {
    const int neighbour = mesh.neighbour(directions[d]);
    _on_node[d] = neighbour >= 0 && team.is_on_node(dash::team_unit_t(neighbour));
  }
}

void DashExchange::start(Kind kind, const Fields& fields) {
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (!sends(_mesh, kind, d)) continue;
    double* const message = _send_buffer.data() + _layout.offset(kind, d);
    pack(_mesh, fields, kind, d, message);
    const dash::team_unit_t neighbour(_mesh.neighbour(directions[d]));
    const std::size_t from = opposite(d);  // the direction as the receiver sees it
    const std::size_t to =
        static_cast<std::size_t>(neighbour.id) * _layout.capacity() + _layout.offset(kind, from);
    const std::size_t size = message_size(_mesh, kind, d);
    const std::size_t length =
        (size + num_segments(size, _on_node[d]) - 1) / num_segments(size, _on_node[d]);
    for (std::size_t begin = 0; begin < size; begin += length) {
      const std::size_t end = std::min(begin + length, size);
      _sends.push_back(dash::put_signal_async(
          message + begin, message + end,
          _receive_buffer.begin() + static_cast<std::ptrdiff_t>(to + begin),
          _arrived(neighbour, MessageLayout::number(kind, from)), 1, dash::SignalOp::add));
    }
  }
}

void DashExchange::finish(Kind kind, const Fields& fields) {
  for (std::size_t d = 0; d < num_directions; ++d) {
    if (!receives(_mesh, kind, d)) continue;
    const std::size_t number = MessageLayout::number(kind, d);
    _expected[number] +=
        static_cast<dash::signal_t>(num_segments(message_size(_mesh, kind, d), _on_node[d]));
    _arrived[number].wait_until(_expected[number]);
    unpack(_mesh, fields, kind, d, _receive_buffer.lbegin() + _layout.offset(kind, d));
  }
  // A large put may need progress in calls of this unit, and the next call follows after a long
  // computation.
  for (auto& send : _sends)
    send.wait();
  _sends.clear();
}

TimeLimits DashExchange::minimum(const TimeLimits& own) {
  const std::array<double, 2> mine{own.courant, own.hydro};
  std::array<double, 2> all{};
  dash::allreduce_async(mine.data(), all.data(), all.size(), dash::min<double>(), _team).wait();
  return {all[0], all[1]};
}

}  // namespace lulesh
