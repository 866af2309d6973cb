#include "dash/core/mapping/Links.h"

#include <algorithm>
#include <limits>

#include "Fail.h"

namespace dash::core::mapping {

namespace {

constexpr std::uint32_t none = Switch::none;
constexpr std::uint32_t max_numa = 4096;  // of one node; guards against invalid input

std::string coordinates(std::uint32_t router, const std::vector<std::uint32_t>& extents) {
  std::string text;
  for (std::size_t d = extents.size(); d-- > 0;) {
    text = std::to_string(router % extents[d]) + (text.empty() ? "" : ",") + text;
    router /= extents[d];
  }
  return text;
}

}  // namespace

Links::Links(const Machine& machine, std::span<const UnitLocation> locations) : _machine(&machine) {
  add_homes(locations);
  add_network();
}

void Links::add_homes(std::span<const UnitLocation> locations) {
  std::vector<std::uint32_t> numa_of(
      _machine->num_nodes(), 0);  // by node: number of domains, up to the last one with units
  for (std::size_t unit = 0; unit < locations.size(); ++unit) {
    const UnitLocation& location = locations[unit];
    if (location.node >= numa_of.size() || location.numa >= max_numa) {
      fail("unit ", unit, " is in NUMA domain ", location.numa, " of node ", location.node,
           "; there are ", numa_of.size(), " nodes of at most ", max_numa, " domains");
    }
    numa_of[location.node] = std::max(numa_of[location.node], location.numa + 1);
  }
  std::vector<std::uint32_t> first(numa_of.size(), none);
  for (std::uint32_t node = 0; node < numa_of.size(); ++node) {
    if (numa_of[node] == 0) continue;
    first[node] = _num_homes;
    _num_homes += numa_of[node];
    _node.push_back(node);
  }
  _home.reserve(locations.size());
  for (const UnitLocation& location : locations)
    _home.push_back(first[location.node] + location.numa);

  for (std::uint32_t i = 0; i < _node.size(); ++i)
    _parent.insert(_parent.end(), numa_of[_node[i]], _num_homes + i);
}

void Links::add_network() {
  const auto first_switch = static_cast<std::uint32_t>(_num_homes + _node.size());
  const auto& switches = _machine->switches();
  const bool is_torus = _machine->is_torus();
  for (const std::uint32_t node : _node) {
    const std::uint32_t attachment = _machine->node(node).attachment;
    _parent.push_back(is_torus ? none : first_switch + attachment);
    _router.push_back(attachment);
  }
  for (const Switch& each : switches)
    _parent.push_back(each.parent == Switch::none ? none : first_switch + each.parent);

  _joins.assign(_num_homes, core_level);
  _joins.insert(_joins.end(), _node.size(), numa_level);
  for (const Switch& each : switches)
    _joins.push_back(static_cast<std::uint32_t>(node_level - 1 + each.level));

  // The parent of a switch may have a higher or a lower index: move up to a vertex whose depth is known.
  _depth.assign(_parent.size(), none);
  std::vector<std::uint32_t> path;
  for (std::uint32_t vertex = 0; vertex < _parent.size(); ++vertex) {
    std::uint32_t at = vertex;
    for (; at != none && _depth[at] == none; at = _parent[at])
      path.push_back(at);
    std::uint32_t depth = at == none ? 0 : _depth[at] + 1;
    for (; !path.empty(); path.pop_back())
      _depth[path.back()] = depth++;
  }

  _first_torus_link = 2 * _parent.size();
  if (is_torus) {
    const auto& extents = _machine->torus().extents;
    _num_routers = 1;
    for (const std::uint32_t extent : extents)
      _num_routers *= extent;
    _num_torus_links = std::size_t{_num_routers} * extents.size() * 2;
    _num_levels = node_level + 1 + extents.size();
  } else {
    _num_levels = node_level + std::max(1U, _machine->num_switch_levels());
  }
}

std::string Links::level_name(std::size_t level) const {
  if (level == core_level) return "core";
  if (level == numa_level) return "NUMA";
  if (level == node_level) return "node";
  const std::size_t above = level - node_level;
  if (_machine->is_torus()) return "torus " + std::to_string(above);
  return _machine->level_name(static_cast<std::uint32_t>(above));
}

std::size_t Links::level(std::size_t link) const {
  if (link >= _first_torus_link) {
    const auto& torus = _machine->torus();
    const std::size_t ndim = torus.extents.size();
    const std::size_t index = link - _first_torus_link;
    const std::size_t d = index / 2 % ndim;
    const std::uint32_t extent = torus.extents[d];
    if (extent == 1) return core_level;
    if (torus.periodic[d]) return node_level + 1 + d;
    std::size_t router = index / 2 / ndim;
    for (std::size_t later = ndim - 1; later > d; --later)
      router /= torus.extents[later];
    const std::uint32_t end = index % 2 == 0 ? extent - 1 : 0;
    return router % extent == end ? core_level : node_level + 1 + d;
  }
  const std::size_t vertex = link / 2;
  if (vertex < _num_homes) return numa_level;
  if (vertex < _num_homes + _node.size()) return node_level;
  return _parent[vertex] == none ? core_level : std::size_t{_joins[vertex]} + 1;
}

double Links::bandwidth(std::size_t link) const {
  if (link >= _first_torus_link) {
    const auto& torus = _machine->torus();
    return torus.bandwidth[(link - _first_torus_link) / 2 % torus.extents.size()];
  }
  const std::size_t vertex = link / 2;
  if (vertex < _num_homes) return _machine->numa_bandwidth();
  if (vertex < _num_homes + _node.size()) return _machine->node_bandwidth();
  return _machine->switches()[vertex - _num_homes - _node.size()].bandwidth;
}

std::string Links::name(std::size_t link) const {
  if (link >= _first_torus_link) {
    const auto& extents = _machine->torus().extents;
    const std::size_t index = link - _first_torus_link;
    return coordinates(static_cast<std::uint32_t>(index / 2 / extents.size()), extents) +
           (index % 2 == 0 ? " up in " : " down in ") +
           std::to_string(index / 2 % extents.size() + 1);
  }
  const auto vertex = static_cast<std::uint32_t>(link / 2);
  const char* const direction = link % 2 == 0 ? " out" : " in";
  if (vertex >= _num_homes + _node.size())
    return _machine->switches()[vertex - _num_homes - _node.size()].name + direction;
  if (vertex >= _num_homes) return _machine->node(_node[vertex - _num_homes]).name + direction;
  std::uint32_t numa = 0;
  while (numa < vertex && _parent[vertex - numa - 1] == _parent[vertex])
    ++numa;
  return _machine->node(_node[_parent[vertex] - _num_homes]).name + " NUMA " +
         std::to_string(numa) + direction;
}

std::vector<std::size_t> Links::route(std::uint32_t from, std::uint32_t to) const {
  std::vector<std::size_t> links;
  visit(from, to, [&](std::size_t link) { links.push_back(link); });
  return links;
}

}  // namespace dash::core::mapping
