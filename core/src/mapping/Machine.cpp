#include "dash/core/mapping/Machine.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "Fail.h"
#include "dash/core/mapping/GridMapping.h"
#include "dash/core/mapping/HilbertCurve.h"

namespace dash::core::mapping {

namespace {

void check_bandwidth(double bandwidth, const std::string& of) {
  if (!(bandwidth > 0) || !std::isfinite(bandwidth)) {
    fail("the bandwidth of ", of, " must be a number above 0, not ", bandwidth);
  }
}

/// Marks a host name that exists in several domains.
constexpr std::uint32_t several = std::numeric_limits<std::uint32_t>::max();

/// Removes the domain: "n001.cluster" gives "n001"; "n001.cluster:1", the second MPI node on a host, gives
/// "n001:1".
std::string without_domain(std::string_view name) {
  const std::size_t number = std::min(name.rfind(':'), name.size());
  const std::size_t dot = name.find('.');
  if (dot >= number) return std::string(name);
  return std::string(name.substr(0, dot)).append(name.substr(number));
}

std::size_t num_routers(const Torus& torus) {
  std::size_t count = 1;
  for (const std::uint32_t extent : torus.extents)
    count *= extent;
  return count;
}

}  // namespace

Machine Machine::flat(const std::vector<std::string>& names, std::uint32_t cores,
                      std::uint32_t numa) {
  Machine machine;
  const std::uint32_t root = machine.add_switch("switch");
  for (const std::string& name : names)
    machine.add_node({name, "", root, cores, numa});
  machine.finish();
  return machine;
}

std::uint32_t Machine::add_switch(std::string name, double bandwidth) {
  if (_torus) {
    fail("switch ", name, ": the network is a torus");
  }
  if (bandwidth != 0) check_bandwidth(bandwidth, "switch " + name);
  const auto index = static_cast<std::uint32_t>(_switches.size());
  if (!_switch_by_name.emplace(name, index).second) {
    fail("switch ", name, " exists twice");
  }
  _switches.push_back({std::move(name), Switch::none, 1, bandwidth});
  return index;
}

void Machine::set_parent(std::uint32_t child, std::uint32_t parent) {
  Switch& below = _switches.at(child);
  if (below.parent != Switch::none) {
    fail("switch ", below.name, " has two parents, ", _switches[below.parent].name, " and ",
         _switches.at(parent).name);
  }
  for (std::uint32_t above = parent; above != Switch::none; above = _switches.at(above).parent) {
    if (above != child) continue;
    fail("switch ", below.name, " is its own ancestor through ", _switches[parent].name);
  }
  below.parent = parent;
  _linked.push_back(child);
}

void Machine::set_torus(Torus torus) {
  if (!_switches.empty() || _torus) {
    fail("a machine has either switches or one torus");
  }
  const std::size_t ndim = torus.extents.size();
  if (torus.periodic.empty()) torus.periodic.assign(ndim, true);
  if (torus.bandwidth.empty()) torus.bandwidth.assign(ndim, Bandwidth::network);
  const Grid shape{torus.extents, torus.periodic, torus.bandwidth};
  shape.check(shape.size());
  for (const double bandwidth : torus.bandwidth)
    check_bandwidth(bandwidth, "the torus");
  _torus = std::move(torus);
}

std::uint32_t Machine::add_node(Node node) {
  const std::size_t count = _torus ? num_routers(*_torus) : _switches.size();
  if (node.attachment >= count) {
    fail("node ", node.name, " has ", (_torus ? "router " : "switch "), node.attachment, " of ",
         count);
  }
  if (node.numa == 0 || (node.cores != 0 && node.cores < node.numa)) {
    fail("node ", node.name, " has ", node.cores, " cores in ", node.numa, " NUMA domains");
  }
  const auto index = static_cast<std::uint32_t>(_nodes.size());
  if (node.name.empty()) fail("a node without a name");
  for (const std::string* const name : {&node.name, &node.alias}) {
    if (name->empty()) continue;
    const auto [entry, is_new] = _by_name.emplace(*name, index);
    if (!is_new && entry->second != index) {
      fail("node ", *name, " exists twice");
    }
    const auto [of_host, is_first] = _by_host.emplace(without_domain(*name), index);
    if (!is_first && of_host->second != index) of_host->second = several;
  }
  _nodes.push_back(std::move(node));
  return index;
}

void Machine::set_link_bandwidths(double numa, double node) {
  check_bandwidth(numa, "a NUMA domain");
  check_bandwidth(node, "a node");
  _numa_bandwidth = numa;
  _node_bandwidth = node;
}

std::optional<std::uint32_t> Machine::find_exactly(std::string_view name) const {
  const auto found = _by_name.find(std::string(name));
  if (found == _by_name.end()) return std::nullopt;
  return found->second;
}

std::optional<std::uint32_t> Machine::find(std::string_view name) const {
  if (const auto exactly = find_exactly(name)) return exactly;
  const std::string host = without_domain(name);
  if (host != name) return find_exactly(host);
  const auto found = _by_host.find(host);
  if (found == _by_host.end() || found->second == several) return std::nullopt;
  return found->second;
}

std::optional<std::uint32_t> Machine::find_switch(const std::string& name) const {
  const auto found = _switch_by_name.find(name);
  if (found == _switch_by_name.end()) return std::nullopt;
  return found->second;
}

std::string Machine::level_name(std::uint32_t level) const {
  if (level >= 1 && level <= _level_names.size()) return _level_names[level - 1];
  return "switch " + std::to_string(level);
}

void Machine::finish() {
  if (!_torus) {
    join_roots();
    compute_levels();
  }
  compute_order();
}

void Machine::join_roots() {
  std::vector<std::uint32_t> roots;
  for (std::uint32_t i = 0; i < _switches.size(); ++i) {
    if (_switches[i].parent == Switch::none) roots.push_back(i);
  }
  if (roots.size() < 2) return;
  std::string name = "network";
  while (_switch_by_name.contains(name))
    name += "'";
  const std::uint32_t top = add_switch(name);
  for (const std::uint32_t root : roots)
    set_parent(root, top);
}

// The switches, each after all its descendants.
std::vector<std::uint32_t> Machine::children_first() const {
  std::vector<std::uint32_t> pending_children(_switches.size(), 0);
  for (const std::uint32_t child : _linked)
    ++pending_children[_switches[child].parent];
  std::vector<std::uint32_t> order;
  order.reserve(_switches.size());
  for (std::uint32_t i = 0; i < _switches.size(); ++i) {
    if (pending_children[i] == 0) order.push_back(i);
  }
  for (std::size_t done = 0; done < order.size(); ++done) {
    const std::uint32_t parent = _switches[order[done]].parent;
    if (parent != Switch::none && --pending_children[parent] == 0) order.push_back(parent);
  }
  return order;
}

void Machine::compute_levels() {
  std::vector<double> below(_switches.size(), 0);
  for (const Node& node : _nodes)
    below[node.attachment] += _node_bandwidth;
  for (const std::uint32_t index : children_first()) {
    Switch& each = _switches[index];
    if (each.bandwidth == 0)
      each.bandwidth = below[index] > 0 ? below[index] * Bandwidth::share_upward : _node_bandwidth;
    _num_switch_levels = std::max(_num_switch_levels, each.level);
    if (each.parent == Switch::none) continue;
    below[each.parent] += each.bandwidth;
    _switches[each.parent].level = std::max(_switches[each.parent].level, each.level + 1);
  }
}

// Position of each switch or router in the network order.
std::vector<std::uint32_t> Machine::network_positions() const {
  std::vector<std::uint32_t> position(_torus ? num_routers(*_torus) : _switches.size());
  std::vector<std::uint32_t> sequence;
  if (_torus) {
    sequence = hilbert_curve(_torus->extents);
  } else {
    // Depth first; the children of a switch in the order of set_parent().
    std::vector<std::vector<std::uint32_t>> children(_switches.size());
    for (const std::uint32_t child : _linked)
      children[_switches[child].parent].push_back(child);
    std::vector<std::uint32_t> open;
    for (std::uint32_t i = 0; i < _switches.size(); ++i) {
      if (_switches[i].parent == Switch::none) open.push_back(i);
    }
    while (!open.empty()) {
      const std::uint32_t next = open.back();
      open.pop_back();
      sequence.push_back(next);
      open.insert(open.end(), children[next].rbegin(), children[next].rend());
    }
  }
  for (std::size_t i = 0; i < sequence.size(); ++i)
    position[sequence[i]] = static_cast<std::uint32_t>(i);
  return position;
}

void Machine::compute_order() {
  const std::vector<std::uint32_t> position = network_positions();
  std::vector<std::uint32_t> sequence(_nodes.size());
  std::iota(sequence.begin(), sequence.end(), 0U);
  std::stable_sort(sequence.begin(), sequence.end(), [&](std::uint32_t a, std::uint32_t b) {
    return position[_nodes[a].attachment] < position[_nodes[b].attachment];
  });
  _order.resize(_nodes.size());
  for (std::size_t i = 0; i < sequence.size(); ++i)
    _order[sequence[i]] = static_cast<std::uint32_t>(i);
}

}  // namespace dash::core::mapping
