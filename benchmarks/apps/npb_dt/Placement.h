#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "Problem.h"

namespace npb_dt {

/// Which unit computes which nodes, and where their streams and notifications are. The result does not
/// depend on it.
class Placement {
 public:
  /// With as many units as nodes or more, each node has a unit of its own; else they share.
  /// \param map "layers": each layer is divided among all units, neighbours together; "block": the
  ///            nodes by their numbers, neighbours together; "cyclic": by their numbers, in turns
  Placement(const Graph& graph, int units, const std::string& map);

  int units() const { return static_cast<int>(_nodes.size()); }
  int unit_of(int node) const { return _units[static_cast<std::size_t>(node)]; }
  /// Whether both ends of an arc are with one unit.
  bool is_within_unit(const Arc& arc) const { return unit_of(arc.from) == unit_of(arc.to); }
  /// In topological order.
  const std::vector<int>& nodes_of(int unit) const {
    return _nodes[static_cast<std::size_t>(unit)];
  }
  /// The arcs that end in nodes of a unit.
  const std::vector<int>& arcs_to(int unit) const { return _arcs[static_cast<std::size_t>(unit)]; }

  /// Of a node that is no sink: the number of its stream among those of its unit.
  std::size_t stream_of(int node) const { return _streams[static_cast<std::size_t>(node)]; }
  /// Of an arc: its number among those to the nodes of the same unit.
  std::size_t place_of(int arc) const { return _places[static_cast<std::size_t>(arc)]; }
  /// Of an arc from another unit: its number among such arcs to the nodes of the same unit.
  std::size_t foreign_place_of(int arc) const {
    return _foreign_places[static_cast<std::size_t>(arc)];
  }
  /// Of the unit that has most.
  std::size_t most_streams() const { return _most_streams; }
  std::size_t most_arcs() const { return _most_arcs; }
  std::size_t most_foreign_arcs() const { return _most_foreign_arcs; }

 private:
  std::vector<int> _units;
  std::vector<std::vector<int>> _nodes;
  std::vector<std::vector<int>> _arcs;
  std::vector<std::size_t> _streams;
  std::vector<std::size_t> _places;
  std::vector<std::size_t> _foreign_places;
  std::size_t _most_streams = 0;
  std::size_t _most_arcs = 0;
  std::size_t _most_foreign_arcs = 0;
};

}  // namespace npb_dt
