#pragma once

#include <dash/Array.h>

#include "Search.h"

namespace min_element {

/// The search with DASH: a blocked array and dash::min_element.
class DashSearch final : public Search {
 public:
  /// \collective
  explicit DashSearch(const Problem& problem, dash::Team& team = dash::Team::All())
      : _array(problem.elements(), dash::BLOCKED, team) {}

  std::span<Value> own() override { return {_array.lbegin(), _array.lsize()}; }
  std::size_t first() const override;
  std::uint64_t find(kernels::Stopwatch& communication) override;
  Value value_at(std::uint64_t index) override { return _array[index]; }

 private:
  dash::Array<Value> _array;
};

}  // namespace min_element
