#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "dash/internal/Unit.h"

namespace dash::util {

/// Measures how evenly a pattern distributes blocks and elements to the units.
/// \tparam PatternType  provides blockspec(), num_units(), size(), and for each unit
///         local_blockspec() and local_size()
/// \ingroup patterns
template <class PatternType>
class PatternMetrics {
  using size_type = typename PatternType::size_type;

 public:
  /// Evaluates the pattern, to which the object does not refer afterwards.
  /// \cost proportional to the number of units
  explicit PatternMetrics(const PatternType& pattern) : _num_blocks(pattern.blockspec().size()) {
    const auto nunits = static_cast<int>(pattern.num_units());
    for (int unit = 0; unit < nunits; ++unit) {
      _blocks.push_back(pattern.local_blockspec(team_unit_t(unit)).size());
      _elements.push_back(pattern.local_size(team_unit_t(unit)));
    }
    if (nunits == 0) return;
    const auto [min_blocks, max_blocks] = std::minmax_element(_blocks.begin(), _blocks.end());
    const auto [min_elements, max_elements] =
        std::minmax_element(_elements.begin(), _elements.end());
    _min_blocks = *min_blocks;
    _max_blocks = *max_blocks;
    _min_elements = *min_elements;
    _max_elements = *max_elements;
    _num_imbalanced = static_cast<size_type>(std::count_if(
        _elements.begin(), _elements.end(), [&](size_type n) { return n != _max_elements; }));
    const double mean = static_cast<double>(pattern.size()) / nunits;
    if (mean > 0) _imbalance = static_cast<double>(_max_elements) / mean;
  }

  /// Number of blocks of all units.
  size_type num_blocks() const { return _num_blocks; }
  /// Largest number of elements of a unit, divided by the mean; 1 if all units have the same
  /// number.
  double imbalance_factor() const { return _imbalance; }
  /// Smallest number of blocks of a unit.
  size_type min_blocks_per_unit() const { return _min_blocks; }
  /// Largest number of blocks of a unit.
  size_type max_blocks_per_unit() const { return _max_blocks; }
  /// Smallest number of elements of a unit.
  size_type min_elements_per_unit() const { return _min_elements; }
  /// Largest number of elements of a unit.
  size_type max_elements_per_unit() const { return _max_elements; }
  /// Number of units with the largest number of elements.
  size_type num_balanced_units() const { return _elements.size() - _num_imbalanced; }
  /// Number of units with fewer elements.
  size_type num_imbalanced_units() const { return _num_imbalanced; }
  /// Number of blocks of a unit.
  size_type unit_local_blocks(team_unit_t unit) const {
    return _blocks[static_cast<std::size_t>(unit.id)];
  }

 private:
  size_type _num_blocks;
  std::vector<size_type> _blocks;
  std::vector<size_type> _elements;
  double _imbalance = 1;
  size_type _min_blocks = 0;
  size_type _max_blocks = 0;
  size_type _min_elements = 0;
  size_type _max_elements = 0;
  size_type _num_imbalanced = 0;
};

}  // namespace dash::util
