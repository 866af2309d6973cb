#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "NodeStack.h"
#include "Tree.h"
#include "support/Stopwatch.h"

namespace uts {

/// What a unit has done.
struct Activity {
  std::uint64_t steals = 0;        // successful ones
  std::uint64_t stolen_nodes = 0;  // nodes that it got
};

struct BalancerOptions {
  std::size_t chunk = 20;  // a unit gives nodes away only if it keeps at least this number
  bool polls = true;       // units make progress for others when they offer nodes
  /// The largest number of nodes that a unit offers at a time.
  static constexpr std::size_t capacity = std::size_t{1} << 16;
};

/// Distributes nodes over the units.
class Balancer {
 public:
  Balancer() = default;
  Balancer(const Balancer&) = delete;
  Balancer& operator=(const Balancer&) = delete;
  virtual ~Balancer() = default;

  /// Prepares a search. \collective
  virtual void reset() = 0;
  /// Called regularly during the search: may take nodes from the stack for other units.
  virtual void offer(NodeStack& stack) = 0;
  /// Waits for nodes.
  /// \pre the stack is empty
  /// \returns false, on all units, if no unit has any left
  virtual bool refill(NodeStack& stack) = 0;

  Activity activity;
};

/// Visits the nodes of the stack and all nodes below them, and those that the balancer gets from other units.
/// \param interval       number of nodes that it visits between two calls of Balancer::offer()
/// \param communication  measures the time of refill()
/// \returns the counts of the nodes that this unit has visited
Counts search(const Tree& tree, std::uint64_t interval, NodeStack& stack, Balancer& balancer,
              kernels::Stopwatch& communication);

/// The counts of a whole tree, by one unit; none if it has more than `limit` nodes.
std::optional<Counts> count_serially(const Tree& tree, std::uint64_t limit);

}  // namespace uts
