#pragma once

#include <dash/Array.h>
#include <dash/Signal.h>
#include <dash/pattern/CSRPattern.h>

#include <vector>

#include "Exchange.h"

namespace stencil {

/// The exchange with DASH: rows are in distributed arrays; each unit puts its first and last row
/// into the halos of its neighbours, with a signal.
class DashExchange final : public Exchange {
 public:
  /// \collective
  DashExchange(const Problem& problem, dash::Team& team = dash::Team::All());

  RowArrays arrays() override { return {_current.lbegin(), _next.lbegin()}; }
  void start(const float* first, const float* last) override;
  void finish() override;
  const float* above() const override { return own_halo(side_above); }
  const float* below() const override { return own_halo(side_below); }
  void start_maximum(unsigned own) override;
  unsigned maximum() override { return _maximum.get(); }
  void collect(const float* rows, float* grid) override;

 private:
  using Grid = dash::Array<float, dash::default_index_t, dash::CSRPattern<1>>;

  /// Offset of the halo of a side in this phase, in the memory of a unit's halos.
  long halo_offset(Side side) const { return (2 * side + (_phase & 1)) * _width; }
  const float* own_halo(Side side) const { return _halos.lbegin() + halo_offset(side); }

  dash::Team& _team;
  long _width;
  Neighbours _neighbours;
  Grid _current;
  Grid _next;
  dash::Array<float> _halos;   // on each unit: above and below, for even and odd phases
  dash::SignalArray _arrived;  // by side: the phase of the row in the halo
  dash::signal_t _phase = 0;
  dash::Future<unsigned> _maximum;
  std::vector<dash::Future<dash::Array<float>::iterator>> _sent;
};

}  // namespace stencil
