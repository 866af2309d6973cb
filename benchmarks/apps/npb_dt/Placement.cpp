#include "Placement.h"

#include <algorithm>

namespace npb_dt {

namespace {

int choose_unit(const Graph& graph, int units, const std::string& map, int id) {
  if (graph.size() <= units) return id;
  if (map == "cyclic") return id % units;
  if (map == "block") return id * units / graph.size();
  const Node& node = graph.node(id);
  return node.index_in_layer * units / node.layer_size;
}

}  // namespace

Placement::Placement(const Graph& graph, int units, const std::string& map)
    : _nodes(static_cast<std::size_t>(units)), _arcs(static_cast<std::size_t>(units)) {
  std::vector<std::size_t> streams(_nodes.size());
  for (int id = 0; id < graph.size(); ++id) {
    const int unit = choose_unit(graph, units, map, id);
    _units.push_back(unit);
    _nodes[static_cast<std::size_t>(unit)].push_back(id);
    std::size_t& count = streams[static_cast<std::size_t>(unit)];
    _streams.push_back(count);
    if (graph.node(id).role != Role::sink) ++count;
    _max_streams = std::max(_max_streams, count);
  }
  std::vector<std::size_t> remote(_nodes.size());
  for (std::size_t i = 0; i < graph.arcs().size(); ++i) {
    const Arc& arc = graph.arcs()[i];
    const auto unit = static_cast<std::size_t>(unit_of(arc.to));
    _arc_indices.push_back(_arcs[unit].size());
    _arcs[unit].push_back(static_cast<int>(i));
    _max_arcs = std::max(_max_arcs, _arcs[unit].size());
    _remote_arc_indices.push_back(remote[unit]);
    if (!is_within_unit(arc)) ++remote[unit];
    _max_remote_arcs = std::max(_max_remote_arcs, remote[unit]);
  }
}

}  // namespace npb_dt
