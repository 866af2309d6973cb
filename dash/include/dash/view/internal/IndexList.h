#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace dash::internal {

/// A growing sequence of indices, stored as ranges of consecutive indices, or individually if these
/// are short.
/// \cost of reading an index: logarithmic in the number of ranges; constant if stored individually
template <class Index>
class IndexList {
 public:
  /// Appends first ... first + length - 1; `first` must be larger than all indices in the list.
  void append(Index first, Index length) {
    if (length <= 0) return;
    if (_intervals.empty() ||
        _intervals.back().first + (_size - _intervals.back().position) != first) {
      _intervals.push_back({_size, first});
    }
    _size += length;
  }

  /// Ends the construction: chooses the representation.
  void finish() {
    if (static_cast<Index>(_intervals.size()) * min_mean_length <= _size) return;
    std::vector<Index> indices;
    indices.reserve(static_cast<std::size_t>(_size));
    for (std::size_t r = 0; r < _intervals.size(); ++r) {
      const Index end = r + 1 < _intervals.size() ? _intervals[r + 1].position : _size;
      for (Index position = _intervals[r].position; position < end; ++position)
        indices.push_back(_intervals[r].first + (position - _intervals[r].position));
    }
    _indices = std::move(indices);
    _intervals = {};
  }

  Index size() const noexcept { return _size; }

  Index operator[](Index position) const {
    if (!_indices.empty()) return _indices[static_cast<std::size_t>(position)];
    const auto interval = last_not_above(&Interval::position, position);
    return interval->first + (position - interval->position);
  }

  /// Position of an index; -1 if it is not in the list.
  Index position_of(Index index) const {
    if (!_indices.empty()) {
      const auto found = std::lower_bound(_indices.begin(), _indices.end(), index);
      const bool is_in = found != _indices.end() && *found == index;
      return is_in ? static_cast<Index>(found - _indices.begin()) : -1;
    }
    if (_intervals.empty() || index < _intervals.front().first) return -1;
    const auto interval = last_not_above(&Interval::first, index);
    const Index end = interval + 1 == _intervals.end() ? _size : (interval + 1)->position;
    const Index position = interval->position + (index - interval->first);
    return position < end ? position : -1;
  }

 private:
  struct Interval {
    Index position;
    Index first;
  };

  /// The last range whose member is not larger than a value.
  auto last_not_above(Index Interval::*member, Index value) const {
    return std::upper_bound(_intervals.begin(), _intervals.end(), value,
                            [member](Index bound, const Interval& interval) {
                              return bound < interval.*member;
                            }) -
           1;
  }

  /// Below this average length, ranges need more memory than individual indices, and are slower.
  static constexpr Index min_mean_length = 8;

  std::vector<Interval> _intervals;
  std::vector<Index> _indices;
  Index _size = 0;
};

}  // namespace dash::internal
