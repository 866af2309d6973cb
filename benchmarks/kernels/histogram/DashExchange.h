#pragma once

#include <dash/Array.h>
#include <dash/Atomic.h>
#include <dash/Signal.h>

#include <vector>

#include "Exchange.h"
#include "support/NodeLocks.h"

namespace histogram {

/// The histogram is a distributed array, and so are the counts of each unit, which others of its node read,
/// and inboxes for the counts of other nodes' units.
class DashExchange final : public Exchange {
 public:
  /// \collective
  DashExchange(const Problem& problem, Combining combining, dash::Team& team = dash::Team::All());

  void reset() override;
  void add(const std::vector<Key>& keys, kernels::Stopwatch& communication) override;
  Part own_part() override;
  void collect(Count* histogram) override;

 private:
  using Counts = dash::Array<Count>;

  /// Of the caller, of all bins. Those of the round before may still be read.
  Count* counts() { return _counts.lbegin() + _round % 2 * _bins; }
  /// Counts that the caller has received from a unit.
  const Count* counts_from(std::size_t unit) const;
  std::size_t place_in_inbox(std::size_t from) const {
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
  std::size_t _block;  // bins of a unit, but for the last ones
  Counts _histogram;
  std::vector<Count*> _parts;  // of the histogram, on the node
  bool _is_one_node;
  kernels::NodeLocks _locks;  // of pieces of the histogram

  Counts _counts;                // of two rounds, each of all bins
  Counts _inboxes;               // for two rounds, for counts of the owner's bins from each unit
  std::vector<Count*> _on_node;  // the counts of each unit of the node, else null
  dash::SignalArray _arrived;    // from each unit
  std::vector<dash::GlobSignal> _told;  // of each unit, by the caller
  std::vector<dash::Future<Counts::iterator>> _sent;
  dash::signal_t _round = 0;
};

}  // namespace histogram
