#include "Search.h"

#include <algorithm>

namespace uts {

namespace {

/// Visits the newest node and adds its children to the stack.
void visit(const Tree& tree, NodeStack& stack, Counts& counts) {
  const Node node = stack.pop();
  const std::uint32_t children = tree.num_children(node);
  ++counts.nodes;
  counts.leaves += children == 0 ? 1 : 0;
  counts.depth = std::max<std::uint64_t>(counts.depth, node.depth);
  for (std::uint32_t i = 0; i < children; ++i)
    stack.push(tree.child(node, i));
}

}  // namespace

Counts search(const Tree& tree, std::uint64_t interval, NodeStack& stack, Balancer& balancer,
              kernels::Stopwatch& communication) {
  Counts counts;
  do {
    while (!stack.empty()) {
      for (std::uint64_t i = 0; i < interval && !stack.empty(); ++i)
        visit(tree, stack, counts);
      balancer.offer(stack);
    }
  } while (communication.time([&] { return balancer.refill(stack); }));
  return counts;
}

std::optional<Counts> count_serially(const Tree& tree, std::uint64_t limit) {
  Counts counts;
  NodeStack stack;
  stack.push(tree.root());
  while (!stack.empty()) {
    visit(tree, stack, counts);
    if (counts.nodes > limit) return std::nullopt;
  }
  return counts;
}

}  // namespace uts
