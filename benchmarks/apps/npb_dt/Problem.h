#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "Graph.h"

namespace npb_dt {

/// The number of values in a feature.
constexpr std::size_t feature_size = 4;

/// The parameters of a problem class of NPB.
struct Size {
  char name = 'S';
  std::size_t samples = 0;  // nominal number of features of a stream
  std::size_t deviation = 0;
  int sources = 0;

  /// Upper bound of the length of all streams, in doubles: no stream is longer than the longest
  /// stream of a source.
  std::size_t longest_stream() const { return feature_size * (samples + deviation - 1); }
};

/// The problem to be computed: a graph of a class.
struct Problem {
  Shape shape = Shape::shuffle;
  Size size;
  Graph graph;

  /// \param shape      "BH", "WH" or "SH"
  /// \param size_name  "S", "W", "A" or "B"
  /// \throws std::invalid_argument  names the known values
  static Problem named(const std::string& shape, const std::string& size_name);

  /// The checksum published by NPB.
  double known_checksum() const;
  /// Compares a checksum with the published one.
  /// \returns a message if they differ
  std::optional<std::string> find_failure(double checksum) const;
  /// Nominal length of the streams of all arcs, which is the work in NPB's rate.
  double nominal_traffic() const;
};

/// Describes a problem: "SH, class A: 80 nodes, ...".
std::string describe(const Problem& problem);

}  // namespace npb_dt
