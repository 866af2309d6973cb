#include "Graph.h"

#include <algorithm>
#include <utility>

namespace npb_dt {

namespace {

constexpr int fan = 4;  // children of a node of a tree

}  // namespace

Graph::Graph(Shape shape, int sources) {
  if (shape == Shape::shuffle) {
    make_butterfly(sources);
    return;
  }
  make_tree(sources);
  if (shape == Shape::white_hole) reverse();
}

int Graph::add_layer(int size, Role role) {
  const int first = this->size();
  const int layer = _nodes.empty() ? 0 : _nodes.back().layer + 1;
  for (int i = 0; i < size; ++i)
    _nodes.push_back({role, layer, i, size, {}, {}});
  return first;
}

void Graph::add_arc(int from, int to) {
  const auto number = static_cast<int>(_arcs.size());
  _arcs.push_back({from, to});
  _nodes[static_cast<std::size_t>(from)].out.push_back(number);
  _nodes[static_cast<std::size_t>(to)].in.push_back(number);
}

void Graph::make_tree(int leaves) {
  int first = add_layer(leaves, Role::source);
  int size = leaves;
  while (size > fan) {
    const int next_size = (size + fan - 1) / fan;
    const int next = add_layer(next_size, Role::comparator);
    for (int i = 0; i < size; ++i)
      add_arc(first + i, next + i / fan);
    first = next;
    size = next_size;
  }
  const int root = add_layer(1, Role::sink);
  for (int i = 0; i < size; ++i)
    add_arc(first + i, root);
}

void Graph::make_butterfly(int width) {
  int stages = 0;
  while (2 << stages < width)
    ++stages;
  int first = add_layer(width, Role::source);
  for (int bit = 0; bit <= stages; ++bit) {
    const int next = add_layer(width, bit < stages ? Role::comparator : Role::sink);
    for (int i = 0; i < width; ++i) {
      add_arc(first + (i & ~(1 << bit)), next + i);
      add_arc(first + (i | 1 << bit), next + i);
    }
    first = next;
  }
}

void Graph::reverse() {
  const int last = size() - 1;
  const int last_layer = _nodes.back().layer;
  std::reverse(_nodes.begin(), _nodes.end());
  for (Node& node : _nodes) {
    std::swap(node.in, node.out);
    if (node.role != Role::comparator)
      node.role = node.role == Role::source ? Role::sink : Role::source;
    node.layer = last_layer - node.layer;
    node.index_in_layer = node.layer_size - 1 - node.index_in_layer;
  }
  for (Arc& arc : _arcs)
    arc = {last - arc.to, last - arc.from};
}

}  // namespace npb_dt
