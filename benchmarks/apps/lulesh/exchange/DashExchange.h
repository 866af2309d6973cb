#pragma once

#include <dash/Array.h>
#include <dash/Signal.h>
#include <dash/Team.h>

#include <array>
#include <vector>

#include "exchange/Exchange.h"
#include "exchange/MessageLayout.h"
#include "mesh/Mesh.h"

namespace lulesh {

/// Each unit has a receive buffer with an area for each kind and direction. Its neighbours put
/// messages into these areas and raise a signal. A sender does not wait until the area is free: the
/// reduction of the time step, once in a cycle, ensures that the receiver has unpacked the previous
/// message.
class DashExchange final : public Exchange {
 public:
  /// \collective over the team
  DashExchange(const Mesh& mesh, dash::Team& team);

  void start(Kind kind, const Fields& fields) override;
  void finish(Kind kind, const Fields& fields) override;
  TimeLimits minimum(const TimeLimits& own) override;

 private:
  const Mesh& _mesh;
  dash::Team& _team;
  MessageLayout _layout;
  dash::Array<double> _receive_buffer;
  dash::SignalArray _arrived;
  std::vector<double> _send_buffer;
  std::vector<dash::Future<dash::Array<double>::iterator>>
      _sends;                                   // puts of the kind that was started last
  std::array<bool, num_directions> _on_node{};  // whether the neighbour is on this node
  std::array<dash::signal_t, MessageLayout::num_messages>
      _expected{};  // next values of the unit's own signals
};

}  // namespace lulesh
