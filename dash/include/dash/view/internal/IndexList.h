#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace dash::internal {

/// A growing sequence of indices, kept as runs of consecutive ones, or one by one where these are
/// short.
/// \cost reading one: logarithmic in the number of runs, constant if there are none
template <class Index>
class IndexList {
 public:
  /// Appends first ... first + length - 1; `first` is larger than what is in the list.
  void append(Index first, Index length) {
    if (length <= 0) return;
    if (_runs.empty() || _runs.back().first + (_size - _runs.back().position) != first) {
      _runs.push_back({_size, first});
    }
    _size += length;
  }

  /// Nothing will be appended any more.
  void finish() {
    if (static_cast<Index>(_runs.size()) * shortest_run <= _size) return;
    std::vector<Index> each;
    each.reserve(static_cast<std::size_t>(_size));
    for (std::size_t r = 0; r < _runs.size(); ++r) {
      const Index end = r + 1 < _runs.size() ? _runs[r + 1].position : _size;
      for (Index position = _runs[r].position; position < end; ++position)
        each.push_back(_runs[r].first + (position - _runs[r].position));
    }
    _each = std::move(each);
    _runs = {};
  }

  Index size() const noexcept { return _size; }

  Index operator[](Index position) const {
    if (!_each.empty()) return _each[static_cast<std::size_t>(position)];
    const auto run = before(&Run::position, position);
    return run->first + (position - run->position);
  }

  /// Position of an index; -1 if it is not in the list.
  Index position_of(Index index) const {
    if (!_each.empty()) {
      const auto found = std::lower_bound(_each.begin(), _each.end(), index);
      const bool is_in = found != _each.end() && *found == index;
      return is_in ? static_cast<Index>(found - _each.begin()) : -1;
    }
    if (_runs.empty() || index < _runs.front().first) return -1;
    const auto run = before(&Run::first, index);
    const Index end = run + 1 == _runs.end() ? _size : (run + 1)->position;
    const Index position = run->position + (index - run->first);
    return position < end ? position : -1;
  }

 private:
  struct Run {
    Index position;
    Index first;
  };

  /// The last run whose member is not larger than a value.
  auto before(Index Run::*member, Index value) const {
    return std::upper_bound(_runs.begin(), _runs.end(), value,
                            [member](Index bound, const Run& run) { return bound < run.*member; }) -
           1;
  }

  /// Below it, a run takes more room than its elements, and looking for it more time.
  static constexpr Index shortest_run = 8;

  std::vector<Run> _runs;
  std::vector<Index> _each;
  Index _size = 0;
};

}  // namespace dash::internal
