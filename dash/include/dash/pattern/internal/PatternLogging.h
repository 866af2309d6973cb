#pragma once

#include <array>
#include <cstddef>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

#include "dash/util/PatternMetrics.h"

namespace dash::internal {

/// Prints the result of a callback for each element of a pattern of one or two dimensions.
/// \param field_width  width of a value in characters
/// \param callback  (pattern, i), or (pattern, x, y) with the coordinates in both dimensions
template <class PatternType, class Callback>
void print_pattern_mapping(const std::string& name, const PatternType& pattern, int field_width,
                           const Callback& callback) {
  static_assert(
      PatternType::ndim() <= 2,
      "dash::internal::print_pattern_mapping: the pattern has to have one dimension or two");
  using Index = typename PatternType::index_type;
  // Writes the text at once, so that the output of units does not interleave.
  std::ostringstream text;
  text << name << '\n';
  const auto rows = static_cast<Index>(pattern.extent(0));
  if constexpr (PatternType::ndim() == 1) {
    for (Index i = 0; i < rows; ++i)
      text << std::setw(field_width) << callback(pattern, i) << ' ';
    text << '\n';
  } else {
    const auto cols = static_cast<Index>(pattern.extent(1));
    for (Index x = 0; x < rows; ++x) {
      for (Index y = 0; y < cols; ++y)
        text << std::setw(field_width) << callback(pattern, x, y) << ' ';
      text << '\n';
    }
  }
  std::cout << text.str() << std::flush;
}

/// Prints the elements of a two-dimensional matrix.
template <class MatrixType>
void print_matrix(const std::string& name, const MatrixType& matrix, int precision = 1) {
  using Index = typename MatrixType::index_type;
  using Value = typename MatrixType::value_type;
  std::ostringstream text;
  text << name << '\n' << std::fixed << std::setprecision(precision);
  for (Index row = 0; row < static_cast<Index>(matrix.extent(0)); ++row) {
    for (Index col = 0; col < static_cast<Index>(matrix.extent(1)); ++col)
      text << std::setw(precision + 5) << static_cast<Value>(matrix.at(row, col)) << ' ';
    text << '\n';
  }
  std::cout << text.str() << std::flush;
}

/// A function object: argument-dependent look-up does not find it, so a program may have a function of this name for
/// patterns.
struct PrintPatternMetrics {
  template <class PatternType>
  void operator()(const PatternType& pattern) const {
    const util::PatternMetrics<PatternType> metrics(pattern);
    std::ostringstream text;
    text << PatternType::PatternName << ": " << metrics.num_blocks() << " blocks, "
         << metrics.min_blocks_per_unit() << " to " << metrics.max_blocks_per_unit()
         << " per unit; " << metrics.min_elements_per_unit() << " to "
         << metrics.max_elements_per_unit() << " elements per unit, imbalance "
         << metrics.imbalance_factor() << '\n';
    std::cout << text.str() << std::flush;
  }
};
inline constexpr PrintPatternMetrics print_pattern_metrics{};

}  // namespace dash::internal
