#pragma once

#include <dash/Array.h>
#include <dash/Signal.h>
#include <dash/pattern/CSRPattern.h>

#include <vector>

#include "Exchange.h"

namespace stencil {

/// Rows in distributed arrays; each unit puts its first and last row into its neighbours' halos and
/// raises a signal there.
class DashExchange final : public Exchange {
 public:
  /// \collective
  DashExchange(const Problem& problem, dash::Team& team = dash::Team::All());

  Strip strip() override { return {_now.lbegin(), _next.lbegin()}; }
  void start(const float* first, const float* last) override;
  void finish() override;
  const float* above() const override { return own_halo(side_above); }
  const float* below() const override { return own_halo(side_below); }
  void start_maximum(unsigned own) override;
  unsigned maximum() override { return _maximum.get(); }
  void collect(const float* rows, float* grid) override;

 private:
  using Grid = dash::Array<float, dash::default_index_t, dash::CSRPattern<1>>;

  /// Elements of a unit's halos before the one of a side in this phase.
  long place(Side side) const { return (2 * side + (_phase & 1)) * _width; }
  const float* own_halo(Side side) const { return _halos.lbegin() + place(side); }

  dash::Team& _team;
  long _width;
  Neighbours _neighbours;
  Grid _now;
  Grid _next;
  dash::Array<float> _halos;   // of each unit: above and below, for odd and even phases
  dash::SignalArray _arrived;  // the phase that the halo of a side is of
  dash::signal_t _phase = 0;
  dash::Future<unsigned> _maximum;
  std::vector<dash::Future<dash::Array<float>::iterator>> _sent;
};

}  // namespace stencil
