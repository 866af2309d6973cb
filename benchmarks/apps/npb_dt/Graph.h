#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace npb_dt {

/// The shape of a graph: from many sources to one sink, from one source to many sinks, or a
/// butterfly.
enum class Shape { black_hole, white_hole, shuffle };

/// The role of a node.
enum class Role { source, comparator, sink };

/// An arc from a node to one of its successors.
struct Arc {
  int from = 0;
  int to = 0;
};

struct Node {
  Role role = Role::source;
  /// Nodes of a layer receive only from earlier layers.
  int layer = 0;
  int index_in_layer = 0;
  int layer_size = 1;
  /// Indices of incoming and outgoing arcs, in the order of their creation.
  std::vector<int> in;
  std::vector<int> out;
};

/// A directed acyclic graph. Nodes are numbered in topological order: an arc goes from a lower to a
/// higher number.
class Graph {
 public:
  /// \param sources  number of nodes at the wide end, a power of two, at least 4
  Graph(Shape shape, int sources);

  int size() const { return static_cast<int>(_nodes.size()); }
  const Node& node(int id) const { return _nodes[static_cast<std::size_t>(id)]; }
  const std::vector<Node>& nodes() const { return _nodes; }
  const Arc& arc(int number) const { return _arcs[static_cast<std::size_t>(number)]; }
  const std::vector<Arc>& arcs() const { return _arcs; }

 private:
  void make_tree(int leaves);
  void make_butterfly(int width);
  void reverse();
  int add_layer(int size, Role role);
  void add_arc(int from, int to);

  std::vector<Node> _nodes;
  std::vector<Arc> _arcs;
};

}  // namespace npb_dt
