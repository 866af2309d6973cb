#include "Columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace dash::trace {

namespace {

/// Less of a column than this is rounding.
constexpr float least_share = 1e-7F;

}  // namespace

Columns::Columns(const Interval& window, int ncolumns, int nstates)
    : _window(window),
      _ncolumns(ncolumns),
      _nstates(nstates),
      _shares(static_cast<std::size_t>(ncolumns) * static_cast<std::size_t>(nstates), 0.0F) {}

void Columns::add(const Interval& time, int state, double weight) {
  const Interval part = intersection(time, _window);
  if (part.length() == 0) return;
  const double scale = static_cast<double>(_ncolumns) / static_cast<double>(_window.length());
  const double begin = static_cast<double>(part.begin - _window.begin) * scale;
  const double end = static_cast<double>(part.end - _window.begin) * scale;
  const int last = std::min(_ncolumns - 1, static_cast<int>(end));
  for (int column = static_cast<int>(begin); column <= last; ++column) {
    const double share = std::min(end, column + 1.0) - std::max(begin, static_cast<double>(column));
    if (share <= 0) continue;
    _shares[static_cast<std::size_t>(column * _nstates + state)] +=
        static_cast<float>(share * weight);
  }
}

void Columns::add(const TimeSet& times, int state) {
  for (const Interval& time : times.intervals())
    add(time, state);
}

std::vector<int> Columns::heights(int column) const {
  std::vector<int> result(static_cast<std::size_t>(_nstates), 0);
  float sum = 0;
  int taken = 0;
  for (int state = 0; state < _nstates; ++state) {
    const float share = _shares[static_cast<std::size_t>(column * _nstates + state)];
    if (share < least_share) continue;
    sum += share;
    // Of the sums, not of each: so they fill the column if the shares do.
    const int upto = std::clamp(static_cast<int>(std::lround(sum * levels)), 0, levels);
    int& height = result[static_cast<std::size_t>(state)];
    height = std::max(1, upto - taken);
    taken += height;
  }
  for (; taken > levels; --taken)
    --*std::max_element(result.begin(), result.end());
  return result;
}

std::vector<std::string> Columns::paths() const {
  std::vector<std::string> paths(static_cast<std::size_t>(_nstates));
  std::vector<int> current;
  int since = 0;
  const auto close = [&](int column) {
    int top = levels;
    for (std::size_t state = 0; state < current.size(); ++state) {
      const int height = current[state];
      if (height == 0) continue;
      top -= height;
      fmt::format_to(std::back_inserter(paths[state]), "M{} {}h{}v{}h-{}z", since, top,
                     column - since, height, column - since);
    }
  };
  for (int column = 0; column < _ncolumns; ++column) {
    std::vector<int> next = heights(column);
    if (next == current) continue;
    close(column);
    current = std::move(next);
    since = column;
  }
  close(_ncolumns);
  return paths;
}

}  // namespace dash::trace
