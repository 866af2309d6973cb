#pragma once

#include <algorithm>

#include "dash/halo/Types.h"
#include "dash/halo/stencil/Box.h"
#include "dash/halo/stencil/StencilSchedule.h"

namespace dash::halo::internal {

/// The inner part of a block as a sequence of units: its rows in memory order, or segments of them
/// if rows are long. A run consists of rows that are neighbours in the second fastest dimension.
template <dim_t N, MemArrange Arrange>
class StencilRows {
 public:
  static constexpr dim_t fastest = dim_at<N, Arrange>(N - 1);
  /// Only meaningful if there are two dimensions.
  static constexpr dim_t second_fastest = dim_at<N, Arrange>(N == 1 ? 0 : N - 2);

  explicit StencilRows(const Box<N>& inner)
      : _inner(inner),
        _segments(std::max<coord_t>(
            1, (inner[fastest].size() + stencil_chunk_size - 1) / stencil_chunk_size)),
        _segment_length((inner[fastest].size() + _segments - 1) / _segments) {}

  coord_t num_units() const {
    coord_t rows = 1;
    for (dim_t d = 0; d < N; ++d) {
      if (d != fastest) rows *= _inner[d].size();
    }
    return rows * _segments;
  }
  /// Maximum number of elements of a unit.
  coord_t unit_size() const { return segment(0).size(); }

  /// Calls fn(coordinates of the first element, number of rows, number of elements of each row) for
  /// a range of units.
  template <typename Fn>
  void for_each_run(coord_t begin, coord_t end, Fn&& fn) const {
    if (_segments == 1) {
      runs(begin, end,
           [&](const Coords<N>& first, coord_t rows) { fn(first, rows, _inner[fastest].size()); });
    } else {
      for (; begin < end; ++begin) {
        const Interval part = segment(begin % _segments);
        const coord_t row = begin / _segments;
        runs(row, row + 1, [&](Coords<N> first, coord_t rows) {
          first[fastest] = part.begin;
          fn(first, rows, part.size());
        });
      }
    }
  }

  /// Calls fn(coordinates of the first row, number of rows) for the rows whose first segment is in
  /// a range of units.
  template <typename Fn>
  void for_each_run_of_ends(coord_t begin, coord_t end, Fn&& fn) const {
    runs((begin + _segments - 1) / _segments, (end + _segments - 1) / _segments, fn);
  }

 private:
  Interval segment(coord_t number) const {
    const Interval& row = _inner[fastest];
    const coord_t begin = row.begin + number * _segment_length;
    return row.intersect({begin, begin + _segment_length});
  }

  /// \param begin, end  range of rows
  template <typename Fn>
  void runs(coord_t begin, coord_t end, Fn&& fn) const {
    while (begin < end) {
      Coords<N> first = _inner.first();
      coord_t rows = 1;
      if constexpr (N > 1) {
        coord_t rest = begin;
        for (dim_t p = N - 1; p-- > 0;) {
          const dim_t d = dim_at<N, Arrange>(p);
          first[d] += rest % _inner[d].size();
          rest /= _inner[d].size();
        }
        rows = std::min(end - begin, _inner[second_fastest].end - first[second_fastest]);
      }
      fn(first, rows);
      begin += rows;
    }
  }

  Box<N> _inner;
  coord_t _segments;
  coord_t _segment_length;
};

}  // namespace dash::halo::internal
