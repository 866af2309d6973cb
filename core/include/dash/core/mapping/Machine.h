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

/// A node of a machine: cores in NUMA domains that share memory, with one link to the network.
struct Node {
  std::string name;         ///< its host name
  std::string alias;        ///< a second name, as the place of a Cray node; may be empty
  std::uint32_t place = 0;  ///< the switch it hangs from; in a torus, the router
  std::uint32_t cores = 0;  ///< 0 if not known
  std::uint32_t numa = 1;   ///< number of NUMA domains, which share the cores evenly
};

/// A switch of a tree: nodes and other switches hang from it.
struct Switch {
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  std::string name;
  std::uint32_t parent = none;
  std::uint32_t level = 1;  ///< 1 if nodes hang from it, else one more than the highest below
  double bandwidth = 0;     ///< of the link to its parent
};

/// A torus or a mesh of routers, row-major; the last dimension varies fastest.
struct Torus {
  std::vector<std::uint32_t> extents;
  std::vector<bool> periodic;
  std::vector<double> bandwidth;  ///< of the links in each dimension
};

/// The bandwidth of links where nothing says otherwise. Any unit will do, as only ratios count.
struct Bandwidth {
  static constexpr double numa = 40;     ///< between a NUMA domain and the rest of its node
  static constexpr double network = 10;  ///< of a node, and every link of a torus
  /// Of a switch upward: this share of what hangs from it.
  static constexpr double share_upward = 0.5;
};

/// Nodes and the network between them: a tree of switches or a torus of routers.
/// \threads any, as long as nobody changes it
class Machine {
 public:
  /// Nodes of one switch, in this order: what is assumed where nothing is known of the network.
  DASH_API static Machine flat(const std::vector<std::string>& names, std::uint32_t cores = 0,
                               std::uint32_t numa = 1);

  /// \name Building
  /// \throws exception::InvalidArgument for a name that is there already, a place that is not,
  ///         switches in a circle, a bandwidth that is not positive
  /// @{
  /// \param bandwidth  of the link to its parent; 0: a share of what hangs from it
  DASH_API std::uint32_t add_switch(std::string name, double bandwidth = 0);
  DASH_API void set_parent(std::uint32_t child, std::uint32_t parent);
  /// Instead of switches.
  DASH_API void set_torus(Torus torus);
  DASH_API std::uint32_t add_node(Node node);
  DASH_API void set_link_bandwidths(double numa, double node);
  /// The names of the levels of switches, from those that nodes hang from upward.
  void set_level_names(std::vector<std::string> names) { _level_names = std::move(names); }
  /// To be called when all is there: roots are joined below one, levels and the order are computed.
  DASH_API void finish();
  /// @}

  std::size_t num_nodes() const noexcept { return _nodes.size(); }
  const std::vector<Node>& nodes() const noexcept { return _nodes; }
  const Node& node(std::uint32_t index) const noexcept { return _nodes[index]; }

  /// The node of this name or alias; else, where either one has a domain and the other has none, of the
  /// same host, unless there are several.
  DASH_API std::optional<std::uint32_t> find(std::string_view name) const;

  /// By node, its position in the order of the network: along the tree, or along a Hilbert curve
  /// through the torus. Nodes that are close there are close in the network.
  const std::vector<std::uint32_t>& network_order() const noexcept { return _order; }

  /// The node of exactly this name or alias.
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
  std::vector<std::uint32_t> upward() const;
  std::vector<std::uint32_t> order_of_places() const;

  std::vector<Node> _nodes;
  std::vector<Switch> _switches;
  std::optional<Torus> _torus;
  std::vector<std::string> _level_names;
  std::vector<std::uint32_t> _order;
  std::vector<std::uint32_t> _hung;  // switches, in the order in which they were hung
  std::unordered_map<std::string, std::uint32_t> _by_name;
  std::unordered_map<std::string, std::uint32_t> _by_host;  // by names without domain
  std::unordered_map<std::string, std::uint32_t> _switch_by_name;
  std::uint32_t _num_switch_levels = 0;
  double _numa_bandwidth = Bandwidth::numa;
  double _node_bandwidth = Bandwidth::network;
};

}  // namespace dash::core::mapping
