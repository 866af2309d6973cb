#pragma once

#include <dash/Array.h>
#include <dash/Signal.h>
#include <dash/Team.h>

#include <array>
#include <cstddef>
#include <vector>

#include "Exchange.h"
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
  using Places = std::array<std::array<std::size_t, num_directions>, num_kinds>;

  std::size_t place(Kind kind, std::size_t direction) const {
    return _places[static_cast<std::size_t>(kind)][direction];
  }
  static std::size_t signal(Kind kind, std::size_t direction) {
    return static_cast<std::size_t>(kind) * num_directions + direction;
  }

  const Mesh& _mesh;
  dash::Team& _team;
  Places _places{};
  std::size_t _capacity = 0;  // of an inbox
  dash::Array<double> _inbox;
  dash::SignalArray _arrived;
  std::vector<double> _outbox;
  std::array<dash::signal_t, num_kinds> _rounds{};
};

}  // namespace lulesh
