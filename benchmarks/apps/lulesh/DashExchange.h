#pragma once

#include <dash/Array.h>
#include <dash/Signal.h>
#include <dash/Team.h>

#include <array>
#include <vector>

#include "Exchange.h"
#include "Inbox.h"
#include "Mesh.h"

namespace lulesh {

/// Each unit has an inbox with a place for each kind and direction, into which its neighbours put,
/// and which tells it so. Nobody waits for a neighbour to be ready: the smallest time step, which
/// all units agree upon once in a cycle, is what keeps places from being used again too early.
class DashExchange final : public Exchange {
 public:
  /// \collective over the team
  DashExchange(const Mesh& mesh, dash::Team& team);

  void start(Kind kind, const Fields& fields) override;
  void finish(Kind kind, const Fields& fields) override;
  TimeLimits least(const TimeLimits& own) override;

 private:
  const Mesh& _mesh;
  dash::Team& _team;
  Inbox _places;
  dash::Array<double> _inbox;
  dash::SignalArray _arrived;
  std::vector<double> _outbox;
  std::vector<dash::Future<dash::Array<double>::iterator>>
      _sends;                                                   // of the kind that was started last
  std::array<bool, num_directions> _on_node{};                  // whether the neighbour is
  std::array<dash::signal_t, Inbox::num_messages> _expected{};  // by the own signals
};

}  // namespace lulesh
