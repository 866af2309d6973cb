#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "Graph.h"

namespace npb_dt {

/// Numbers in a feature.
constexpr std::size_t feature_size = 4;

/// What a class of NPB fixes.
struct Size {
  char name = 'S';
  std::size_t samples = 0;  // features of a stream, nominally
  std::size_t deviation = 0;
  int sources = 0;

  /// Numbers that any stream has at the most: none is longer than the longest source's.
  std::size_t longest_stream() const { return feature_size * (samples + deviation - 1); }
};

/// A graph of a class: what is computed.
struct Problem {
  Shape shape = Shape::shuffle;
  Size size;
  Graph graph;

  /// \param shape "BH", "WH" or "SH"  \param size_name "S", "W", "A" or "B"
  /// \throws std::invalid_argument naming what is known
  static Problem named(const std::string& shape, const std::string& size_name);

  /// What NPB publishes.
  double known_checksum() const;
  /// \returns what differs, or nothing
  std::optional<std::string> complaint_about(double checksum) const;
  /// Numbers that go along all arcs, nominally: what NPB's rate counts.
  double nominal_traffic() const;
};

/// "SH, class A"
std::string describe(const Problem& problem);

}  // namespace npb_dt
