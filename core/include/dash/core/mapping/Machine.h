#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dash/core/Export.h"

namespace dash::core::mapping {

/// A node of a machine: cores in NUMA domains, and one link to the network.
struct Node {
  std::string name;   ///< host name
  std::string alias;  ///< a second name, such as the location of a Cray node; may be empty
  std::uint32_t attachment = 0;  ///< index of its switch or, in a torus, of its router
  std::uint32_t cores = 0;       ///< 0 if unknown
  std::uint32_t numa = 1;  ///< number of NUMA domains, among which the cores are divided evenly
};

/// A switch of a tree: the parent of nodes and other switches.
struct Switch {
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  std::string name;
  std::uint32_t parent = none;
  std::uint32_t level =
      1;  ///< 1 for a parent of nodes only, else one more than the highest level below
  double bandwidth = 0;  ///< bandwidth of the link to its parent
};

/// A torus or mesh of routers, numbered in row-major order: the last dimension varies fastest.
struct Torus {
  std::vector<std::uint32_t> extents;
  std::vector<bool> periodic;
  std::vector<double> bandwidth;  ///< of the links in each dimension
};

/// Default bandwidths of links. Only their ratios matter, so the unit of measure is arbitrary.
struct Bandwidth {
  static constexpr double numa = 40;     ///< between a NUMA domain and the rest of its node
  static constexpr double network = 10;  ///< of a node, and every link of a torus
  /// Bandwidth from a switch to its parent, relative to the sum of the bandwidths of its children.
  static constexpr double share_upward = 0.5;
};

/// Nodes and the network between them: a tree of switches or a torus of routers.
/// \threads thread-safe as long as no thread modifies it
class Machine {
 public:
  /// A machine with one switch and the given nodes: used if the network is unknown.
  DASH_API static Machine flat(const std::vector<std::string>& names, std::uint32_t cores = 0,
                               std::uint32_t numa = 1);

  /// \name Building
  /// \throws exception::InvalidArgument for a duplicate name, an unknown switch or router, a cycle of
  ///         switches, a bandwidth that is not positive
  /// @{
  /// \param bandwidth  of the link to its parent; 0: a share of the sum of its children
  DASH_API std::uint32_t add_switch(std::string name, double bandwidth = 0);
  DASH_API void set_parent(std::uint32_t child, std::uint32_t parent);
  /// Sets a torus as the network, instead of switches.
  DASH_API void set_torus(Torus torus);
  DASH_API std::uint32_t add_node(Node node);
  DASH_API void set_link_bandwidths(double numa, double node);
  /// Sets the names of the levels of switches, lowest level first.
  void set_level_names(std::vector<std::string> names) { _level_names = std::move(names); }
  /// Completes the machine: adds a common root if there are several, and computes levels and the network
  /// order.
  DASH_API void finish();
  /// @}

  std::size_t num_nodes() const noexcept { return _nodes.size(); }
  const std::vector<Node>& nodes() const noexcept { return _nodes; }
  const Node& node(std::uint32_t index) const noexcept { return _nodes[index]; }

  /// The node with this name or alias. Otherwise, the node with the same host name, if only one of both
  /// names has a domain and the result is unique.
  DASH_API std::optional<std::uint32_t> find(std::string_view name) const;

  /// Position of each node in the network order: along the tree, or along a Hilbert curve through the
  /// torus. Nodes that are close in this order are close in the network.
  const std::vector<std::uint32_t>& network_order() const noexcept { return _order; }

  /// The node with exactly this name or alias.
  DASH_API std::optional<std::uint32_t> find_exactly(std::string_view name) const;

  bool is_torus() const noexcept { return _torus.has_value(); }
  const Torus& torus() const { return *_torus; }
  const std::vector<Switch>& switches() const noexcept { return _switches; }
  DASH_API std::optional<std::uint32_t> find_switch(const std::string& name) const;
  /// Number of levels of switches; 0 in a torus.
  std::uint32_t num_switch_levels() const noexcept { return _num_switch_levels; }
  /// \param level from 1
  DASH_API std::string level_name(std::uint32_t level) const;

  double numa_bandwidth() const noexcept { return _numa_bandwidth; }
  double node_bandwidth() const noexcept { return _node_bandwidth; }

 private:
  void join_roots();
  void compute_levels();
  void compute_order();
  std::vector<std::uint32_t> children_first() const;
  std::vector<std::uint32_t> network_positions() const;

  std::vector<Node> _nodes;
  std::vector<Switch> _switches;
  std::optional<Torus> _torus;
  std::vector<std::string> _level_names;
  std::vector<std::uint32_t> _order;
  std::vector<std::uint32_t> _linked;  // switches with a parent, in the order of set_parent()
  std::unordered_map<std::string, std::uint32_t> _by_name;
  std::unordered_map<std::string, std::uint32_t> _by_host;  // by name without domain
  std::unordered_map<std::string, std::uint32_t> _switch_by_name;
  std::uint32_t _num_switch_levels = 0;
  double _numa_bandwidth = Bandwidth::numa;
  double _node_bandwidth = Bandwidth::network;
};

}  // namespace dash::core::mapping
