#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "Problem.h"
#include "support/Stopwatch.h"

namespace histogram {

/// How the counts of the units are combined in the distributed histogram.
enum class Combining {
  gather,      ///< each unit counts all bins; the owner of a bin adds the counts of all units
  accumulate,  ///< each unit counts all bins and adds its counts to the owners' bins
  keys         ///< each unit increments the bin of each key at its owner, atomically
};

/// Number of bins protected by one lock if units share memory.
inline constexpr std::size_t bins_of_lock = 1024;

/// The distributed histogram.
class Exchange {
 public:
  virtual ~Exchange() = default;

  /// Called before each round: clears the histogram, unless add() overwrites it. \collective
  virtual void reset() = 0;

  /// Adds the caller's keys. On return the caller's bins count the keys of all units. \collective
  /// \param communication  times everything except counting the caller's keys
  virtual void add(const std::vector<Key>& keys, kernels::Stopwatch& communication) = 0;

  /// The caller's bins after add().
  virtual BinRange own_bins() = 0;

  /// Copies the histogram to unit 0. \collective
  /// \param histogram  bins() counts on unit 0; unused on other units
  virtual void collect(Count* histogram) = 0;
};

}  // namespace histogram
