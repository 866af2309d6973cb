#pragma once

#include <cstddef>
#include <vector>

#include "Tree.h"

namespace uts {

/// The nodes that a unit has still to visit. The unit takes the newest; other units get the oldest, whose
/// subtrees are the largest.
class NodeStack {
 public:
  bool empty() const { return size() == 0; }
  std::size_t size() const { return _nodes.size() - _begin; }

  void push(const Node& node) { _nodes.push_back(node); }
  /// \pre not empty
  Node pop() {
    const Node node = _nodes.back();
    _nodes.pop_back();
    if (empty()) clear();
    return node;
  }
  void push(const Node* nodes, std::size_t count) {
    _nodes.insert(_nodes.end(), nodes, nodes + count);
  }
  /// Moves the oldest nodes to `out`. \pre count <= size()
  void take_oldest(std::size_t count, Node* out);
  void clear() {
    _nodes.clear();
    _begin = 0;
  }

 private:
  std::vector<Node> _nodes;
  std::size_t _begin = 0;  // the nodes before it have been taken
};

}  // namespace uts
