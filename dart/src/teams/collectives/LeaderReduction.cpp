// Reductions between the leaders of nodes.

#include <bit>
#include <cstring>

#include "teams/collectives/LeaderExchange.h"

namespace dash::dart {

namespace {

/// The order in which a reduction combines the nodes: a binary tree, neighbours first and the lower one
/// as the left operand, so that all nodes get the same bits and an operation need not commute. Nodes
/// beyond the largest power of two are first folded into their neighbours.
struct ReductionTree {
  ReductionTree(int nnodes, int my_node) noexcept
      : power(static_cast<int>(std::bit_floor(static_cast<unsigned>(nnodes)))),
        extra(nnodes - power),
        in_pair(my_node < 2 * extra),
        folds(in_pair && my_node % 2 == 1),
        rank(rank_of(my_node)) {}

  int node_of(int r) const noexcept { return r < extra ? 2 * r : r + extra; }
  /// Rank of the node that a node is folded into.
  int rank_of(int node) const noexcept { return node < 2 * extra ? node / 2 : node - extra; }

  int power;
  int extra;     // the first 2 * extra nodes are folded in pairs
  bool in_pair;  // the caller's node is one of them
  bool folds;    // into the node before it
  int rank;
};

/// left = left op right. Overwrites `right`, since an operation stores to its right operand.
void combine_to_left(char* left, char* right, std::size_t nelem, const Reduction& reduction) {
  if (nelem == 0) return;  // the pointers may be null
  reduction(left, right, nelem);
  std::memcpy(left, right, nelem * reduction.element_bytes());
}

/// Elements of a reduction that a node combines.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t count() const noexcept { return end - begin; }
};

/// The half of a range that a rank keeps when it and its partner divide the range.
Range half_of(const Range& range, int rank, int distance, std::size_t granularity) noexcept {
  const std::size_t middle = range.begin + range.count() / 2 / granularity * granularity;
  return (rank & distance) == 0 ? Range{range.begin, middle} : Range{middle, range.end};
}

/// The range of a rank after the divisions at distances below `power`.
Range share_of(std::size_t nelem, int rank, int power, std::size_t granularity) noexcept {
  Range range{0, nelem};
  for (int distance = 1; distance < power; distance *= 2)
    range = half_of(range, rank, distance, granularity);
  return range;
}

/// From this size on, recursive halving is used: it sends less data in more messages.
constexpr std::size_t min_halving_bytes = std::size_t{16} << 10;

}  // namespace

void LeaderExchange::allreduce(char* data, std::size_t nelem, const Reduction& reduction,
                               int to_node) {
  const std::size_t nbytes = nelem * reduction.element_bytes();
  char* const scratch = scratch_memory(nbytes);
  start(nbytes < min_halving_bytes ? doubling_steps(data, scratch, nelem, reduction)
                                   : halving_steps(data, scratch, nelem, reduction, to_node));
}

/// Recursive doubling: all leaders exchange all data with partners at growing distances.
LeaderExchange::Coroutine LeaderExchange::doubling_steps(char* data, char* scratch,
                                                         std::size_t nelem, Reduction reduction) {
  const std::size_t nbytes = nelem * reduction.element_bytes();
  const ReductionTree tree(nnodes(), my_node());
  if (tree.folds) {
    send(my_node() - 1, data, nbytes);
    co_await completion();
    receive(my_node() - 1, data, nbytes);
    co_await completion();
    co_return;
  }
  if (tree.in_pair) {
    receive(my_node() + 1, scratch, nbytes);
    co_await completion();
    combine_to_left(data, scratch, nelem, reduction);
  }
  for (int distance = 1; distance < tree.power; distance *= 2) {
    const int partner = tree.rank ^ distance;
    receive(tree.node_of(partner), scratch, nbytes);
    send(tree.node_of(partner), data, nbytes);
    co_await completion();
    if (partner > tree.rank) {
      combine_to_left(data, scratch, nelem, reduction);
    } else {
      reduction(scratch, data, nelem);
    }
  }
  if (tree.in_pair) {
    send(my_node() + 1, data, nbytes);
    co_await completion();
  }
}

/// State of a reduction by recursive halving. The functions named start_ start messages, which the
/// coroutine then awaits.
struct LeaderExchange::Halving {
  Halving(LeaderExchange& leaders, char* elements, char* received, std::size_t count,
          const Reduction& operation) noexcept
      : exchange(leaders),
        data(elements),
        scratch(received),
        nelem(count),
        reduction(operation),
        tree(leaders.nnodes(), leaders.my_node()),
        own{0, count} {}

  void send(int rank, const Range& range) {
    exchange.send(tree.node_of(rank), at(data, range), bytes(range));
  }
  void receive(int rank, char* memory, const Range& range) {
    exchange.receive(tree.node_of(rank), at(memory, range), bytes(range));
  }

  /// Sends the half that the partner combines and receives its data for this leader's half.
  void start_halving(int distance) {
    const int partner = tree.rank ^ distance;
    const Range theirs = half_of(own, partner, distance, reduction.granularity());
    own = half_of(own, tree.rank, distance, reduction.granularity());
    receive(partner, scratch, own);
    send(partner, theirs);
  }
  void combine(int distance) {
    if ((tree.rank ^ distance) > tree.rank) {
      combine_to_left(at(data, own), at(scratch, own), own.count(), reduction);
    } else {
      reduction(at(scratch, own), at(data, own), own.count());
    }
  }
  /// Exchanges the results that both partners have by now.
  void start_return(int distance) {
    const int partner = tree.rank ^ distance;
    receive(partner, data, share_of(nelem, partner, 2 * distance, reduction.granularity()));
    send(partner, share_of(nelem, tree.rank, 2 * distance, reduction.granularity()));
  }
  /// Sends this leader's share to the node that needs the result, or receives all others there.
  void start_collection(int to_node) {
    const int root = tree.rank_of(to_node);
    if (tree.rank != root) return send(root, own);
    for (int rank = 0; rank < tree.power; ++rank) {
      if (rank != root)
        receive(rank, data, share_of(nelem, rank, tree.power, reduction.granularity()));
    }
  }

  LeaderExchange& exchange;
  char* data;
  char* scratch;
  std::size_t nelem;
  const Reduction& reduction;
  ReductionTree tree;
  Range own;  // elements that this leader combines

 private:
  std::size_t bytes(const Range& range) const noexcept {
    return range.count() * reduction.element_bytes();
  }
  char* at(char* memory, const Range& range) const noexcept {
    return memory + range.begin * reduction.element_bytes();
  }
};

/// Recursive halving: partners exchange halves of their ranges and each combines its own, until each
/// leader has the result for a share of the elements. The shares return along the same path, or go
/// to the node that needs the result.
/// \see R. Thakur, R. Rabenseifner, W. Gropp: Optimization of Collective Communication Operations in
///      MPICH (2005), with the nearest partners first
LeaderExchange::Coroutine LeaderExchange::halving_steps(char* data, char* scratch,
                                                        std::size_t nelem, Reduction reduction,
                                                        int to_node) {
  const std::size_t nbytes = nelem * reduction.element_bytes();
  const bool to_all = to_node == all_nodes;
  Halving halving(*this, data, scratch, nelem, reduction);
  const ReductionTree& tree = halving.tree;
  if (tree.folds) {
    send(my_node() - 1, data, nbytes);
    co_await completion();
    if (!to_all && to_node != my_node()) co_return;
    receive(my_node() - 1, data, nbytes);
    co_await completion();
    co_return;
  }
  if (tree.in_pair) {
    receive(my_node() + 1, scratch, nbytes);
    co_await completion();
    combine_to_left(data, scratch, nelem, reduction);
  }
  for (int distance = 1; distance < tree.power; distance *= 2) {
    halving.start_halving(distance);
    co_await completion();
    halving.combine(distance);
  }
  for (int distance = tree.power / 2; to_all && distance >= 1; distance /= 2) {
    halving.start_return(distance);
    co_await completion();
  }
  if (!to_all) {
    halving.start_collection(to_node);
    co_await completion();
  }
  if (tree.in_pair && (to_all || to_node == my_node() + 1)) {
    send(my_node() + 1, data, nbytes);
    co_await completion();
  }
}

}  // namespace dash::dart
