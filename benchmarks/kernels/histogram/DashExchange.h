#pragma once

#include <dash/Array.h>
#include <dash/Atomic.h>
#include <dash/Signal.h>

#include <vector>

#include "Exchange.h"
#include "support/NodeLocks.h"

namespace histogram {

/// The exchange with DASH. Distributed arrays hold the histogram, the counts of each unit, which
/// other units on its node read, and receive buffers for the counts of units on other nodes.
class DashExchange final : public Exchange {
 public:
  /// \collective
  DashExchange(const Problem& problem, Combining combining, dash::Team& team = dash::Team::All());

  void reset() override;
  void add(const std::vector<Key>& keys, kernels::Stopwatch& communication) override;
  BinRange own_bins() override;
  void collect(Count* histogram) override;

 private:
  using Counts = dash::Array<Count>;

  /// The caller's counts of all bins in this round. Other units may still read those of the
  /// previous round.
  Count* counts() { return _counts.lbegin() + _round % 2 * _bins; }
  /// The counts of the caller's bins by a unit. \pre the unit's signal has arrived
  const Count* counts_from(std::size_t unit) const;
  std::size_t receive_offset(std::size_t from) const {
    return (_round % 2 * _team.size() + from) * _block;
  }
  void gather();
  void send_to(std::size_t unit);
  void accumulate();
  void accumulate_on_node();
  void add_each(const std::vector<Key>& keys);

  dash::Team& _team;
  Combining _combining;
  std::size_t _bins;
  std::size_t _block;  // bins of a unit; the last units may have fewer
  Counts _histogram;
  std::vector<Count*> _blocks;  // by unit: its block of the histogram, null on another node
  bool _is_one_node;
  kernels::NodeLocks _locks;  // each protects bins_of_lock bins

  Counts _counts;                // two rounds, each with all bins
  Counts _receive_buffers;       // two rounds, each with the owner's bins from each unit
  std::vector<Count*> _on_node;  // by unit: its counts, null on another node
  dash::SignalArray _arrived;    // one signal from each unit
  std::vector<dash::GlobSignal> _remote_signals;  // by unit: its signal that the caller sets
  std::vector<dash::Future<Counts::iterator>> _sent;
  dash::signal_t _round = 0;
};

}  // namespace histogram
