#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace dash::internal {

/// A growing sequence of indices, kept as runs of consecutive ones.
/// \cost reading one: logarithmic in the number of runs
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

  Index size() const noexcept { return _size; }

  Index operator[](Index position) const {
    const auto run = before(&Run::position, position);
    return run->first + (position - run->position);
  }

  /// Position of an index; -1 if it is not in the list.
  Index position_of(Index index) const {
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

  std::vector<Run> _runs;
  Index _size = 0;
};

}  // namespace dash::internal
