#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace npb_dt {

/// How data goes: from many sources to one sink, from one source to many sinks, or through a
/// butterfly.
enum class Shape { black_hole, white_hole, shuffle };

/// What a node is.
enum class Role { source, comparator, sink };

/// From a node to one of its successors.
struct Arc {
  int from = 0;
  int to = 0;
};

struct Node {
  Role role = Role::source;
  /// Where it stands: nodes of a layer receive from earlier ones only.
  int layer = 0;
  int index_in_layer = 0;
  int layer_size = 1;
  /// Indices of arcs, in the order in which they were made.
  std::vector<int> in;
  std::vector<int> out;
};

/// A directed graph without cycles. Nodes are in topological order: an arc goes from a lower to a
/// higher number.
class Graph {
 public:
  /// \param sources  at the wide end, a power of two from 4 on
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
