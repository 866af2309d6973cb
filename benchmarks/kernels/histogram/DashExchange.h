#pragma once

#include <dash/Array.h>
#include <dash/Atomic.h>

#include <vector>

#include "Exchange.h"

namespace histogram {

/// The histogram is a distributed array, and so are the counts of each unit, for others to read.
class DashExchange final : public Exchange {
 public:
  /// \collective
  DashExchange(const Problem& problem, Combining combining, dash::Team& team = dash::Team::All());

  void reset() override;
  void add(const std::vector<Key>& keys, kernels::Stopwatch& communication) override;
  void collect(Count* histogram) override;

 private:
  void gather();
  void accumulate();
  void add_each(const std::vector<Key>& keys);

  dash::Team& _team;
  Combining _combining;
  std::size_t _bins;
  dash::Array<Count> _histogram;
  dash::Array<Count> _counts;   // of each unit, of all bins
  std::vector<Count> _fetched;  // of the caller's bins, from each unit of other nodes
};

}  // namespace histogram
