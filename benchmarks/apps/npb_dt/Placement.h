#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "Problem.h"

namespace npb_dt {

/// Assigns nodes to units, and streams and arcs to indices in the units' buffers. The checksum does
/// not depend on it.
class Placement {
 public:
  /// If there are at least as many units as nodes, each node has its own unit.
  /// \param map  otherwise, "layers": each layer is divided among all units in blocks; "block":
  ///             nodes are divided in blocks by their numbers; "cyclic": nodes are assigned
  ///             round-robin by their numbers
  Placement(const Graph& graph, int units, const std::string& map);

  int units() const { return static_cast<int>(_nodes.size()); }
  int unit_of(int node) const { return _units[static_cast<std::size_t>(node)]; }
  /// Whether both ends of an arc are on the same unit.
  bool is_within_unit(const Arc& arc) const { return unit_of(arc.from) == unit_of(arc.to); }
  /// The nodes of a unit in topological order.
  const std::vector<int>& nodes_of(int unit) const {
    return _nodes[static_cast<std::size_t>(unit)];
  }
  /// The arcs that end in nodes of a unit.
  const std::vector<int>& arcs_to(int unit) const { return _arcs[static_cast<std::size_t>(unit)]; }

  /// The index of a node's stream among the streams of its unit. \pre the node is not a sink
  std::size_t stream_index(int node) const { return _streams[static_cast<std::size_t>(node)]; }
  /// The index of an arc among all arcs to nodes of the same unit.
  std::size_t arc_index(int arc) const { return _arc_indices[static_cast<std::size_t>(arc)]; }
  /// The index of an arc from another unit among all such arcs to nodes of the same unit.
  std::size_t remote_arc_index(int arc) const {
    return _remote_arc_indices[static_cast<std::size_t>(arc)];
  }
  /// Maxima over all units.
  std::size_t max_streams() const { return _max_streams; }
  std::size_t max_arcs() const { return _max_arcs; }
  std::size_t max_remote_arcs() const { return _max_remote_arcs; }

 private:
  std::vector<int> _units;
  std::vector<std::vector<int>> _nodes;
  std::vector<std::vector<int>> _arcs;
  std::vector<std::size_t> _streams;
  std::vector<std::size_t> _arc_indices;
  std::vector<std::size_t> _remote_arc_indices;
  std::size_t _max_streams = 0;
  std::size_t _max_arcs = 0;
  std::size_t _max_remote_arcs = 0;
};

}  // namespace npb_dt
