#pragma once

#include <string>
#include <vector>

#include "Intervals.h"

namespace dash::trace {

/// A lane of a picture: time in columns, and in each the shares of states, stacked. However many
/// events there are, it does not grow beyond its columns; what is short is thin, but never lost.
class Columns {
 public:
  /// Heights are whole numbers up to this.
  static constexpr int levels = 12;

  Columns(const Interval& window, int ncolumns, int nstates);

  /// \param weight  of one of several threads that share the lane: all of them make 1
  void add(const Interval& time, int state, double weight = 1);
  void add(const TimeSet& times, int state);

  /// For each state, from the bottom up, the data of an SVG path: boxes one wide and `levels` high
  /// at most, those of equal neighbours joined; empty where the state does not occur.
  std::vector<std::string> paths() const;

 private:
  /// Of each state in a column.
  std::vector<int> heights(int column) const;

  Interval _window;
  int _ncolumns;
  int _nstates;
  std::vector<float> _shares;  // by column, then state
};

}  // namespace dash::trace
