#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "Problem.h"
#include "support/Stopwatch.h"

namespace histogram {

/// How counts come to the units that have the bins.
enum class Combining {
  gather,      ///< each unit counts all bins; the owner of a bin adds up the counts of all units
  accumulate,  ///< each unit counts all bins and adds its counts to the owners'
  keys         ///< each key is added to its bin at the owner, atomically
};

/// Bins that are added to under one lock, where units share memory.
inline constexpr std::size_t bins_of_lock = 1024;

/// The distributed histogram.
class Exchange {
 public:
  virtual ~Exchange() = default;

  /// Before each round: the histogram is 0, but where add() sets it. \collective
  virtual void reset() = 0;

  /// Adds the caller's keys. On return the caller's bins count the keys of all units. \collective
  /// \param communication  times what is not counting of the caller's keys by itself
  virtual void add(const std::vector<Key>& keys, kernels::Stopwatch& communication) = 0;

  /// The caller's bins as add() has left them.
  virtual Part own_part() = 0;

  /// Copies the histogram to unit 0. \collective   \param histogram  bins() counts; unused elsewhere
  virtual void collect(Count* histogram) = 0;
};

}  // namespace histogram
