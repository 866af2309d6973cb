#include "teams/collectives/LeaderExchange.h"

#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "base/MpiCheck.h"
#include "network/rma/RmaDriver.h"

namespace dash::dart {

namespace {

/// Up to so many nodes parts go straight to all; beyond, they go round in a ring.
constexpr int direct_nodes = 16;

}  // namespace

std::size_t LeaderExchange::part_bytes(int node, std::size_t unit_bytes) const noexcept {
  return unit_bytes * static_cast<std::size_t>(_layout.node_sizes[static_cast<std::size_t>(node)]);
}

char* LeaderExchange::part(char* data, int node, std::size_t unit_bytes) const noexcept {
  return data +
         unit_bytes * static_cast<std::size_t>(_layout.node_first[static_cast<std::size_t>(node)]);
}

MPI_Request LeaderExchange::start_send(int node, const void* data, std::size_t nbytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Isend(data, static_cast<int>(nbytes), MPI_BYTE,
                      _layout.leaders[static_cast<std::size_t>(node)], _tag, _comm, &request),
            "MPI_Isend");
  return request;
}

MPI_Request LeaderExchange::start_receive(int node, void* data, std::size_t nbytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Irecv(data, static_cast<int>(nbytes), MPI_BYTE,
                      _layout.leaders[static_cast<std::size_t>(node)], _tag, _comm, &request),
            "MPI_Irecv");
  return request;
}

exec::Operation LeaderExchange::send(int node, const void* data, std::size_t nbytes) {
  return _driver.track(start_send(node, data, nbytes));
}

exec::Operation LeaderExchange::receive(int node, void* data, std::size_t nbytes) {
  return _driver.track(start_receive(node, data, nbytes));
}

void LeaderExchange::exchange(int to_node, const void* send_data, std::size_t send_bytes,
                              int from_node, void* recv_data, std::size_t recv_bytes) {
  std::array requests{start_receive(from_node, recv_data, recv_bytes),
                      start_send(to_node, send_data, send_bytes)};
  _driver.wait_privately(requests);
}

/// By dissemination: in round k everybody tells the node 2^k further.
PolledCoroutine LeaderExchange::barrier_steps() {
  const char token = 0;
  char landing = 0;
  for (int distance = 1; distance < nnodes(); distance *= 2) {
    const exec::Operation received = receive(node_at(-distance), &landing, 1);
    const exec::Operation sent = send(node_at(distance), &token, 1);
    co_await received;
    co_await sent;
  }
}

void LeaderExchange::barrier() {
  const char token = 0;
  char landing = 0;
  for (int distance = 1; distance < nnodes(); distance *= 2) {
    std::array requests{start_receive(node_at(-distance), &landing, 1),
                        start_send(node_at(distance), &token, 1)};
    _driver.wait_privately(requests);
  }
}

/// Along a binomial tree.
PolledCoroutine LeaderExchange::bcast_steps(void* data, std::size_t nbytes, int root_node) {
  const auto n = static_cast<unsigned>(nnodes());
  const auto relative = static_cast<unsigned>((my_node() - root_node + nnodes()) % nnodes());
  const auto absolute = [&](unsigned node) {
    return static_cast<int>((node + static_cast<unsigned>(root_node)) % n);
  };
  // Who has it: the root; then everybody hands it on at falling distances.
  const unsigned lowest = relative == 0 ? std::bit_ceil(n) : relative & (~relative + 1);
  if (relative != 0) {
    const exec::Operation received = receive(absolute(relative - lowest), data, nbytes);
    co_await received;
  }
  std::vector<exec::Operation> sends;
  for (unsigned distance = lowest / 2; distance != 0; distance /= 2) {
    if (relative + distance < n) sends.push_back(send(absolute(relative + distance), data, nbytes));
  }
  for (const exec::Operation& operation : sends)
    co_await operation;
}

PolledCoroutine LeaderExchange::allgather_steps(char* data, std::size_t unit_bytes) {
  if (nnodes() > direct_nodes) {
    for (int step = 0; step + 1 < nnodes(); ++step) {
      const int mine = (my_node() - step + nnodes()) % nnodes();
      const int theirs = (mine - 1 + nnodes()) % nnodes();
      const exec::Operation received =
          receive((my_node() - 1 + nnodes()) % nnodes(), part(data, theirs, unit_bytes),
                  part_bytes(theirs, unit_bytes));
      const exec::Operation sent = send((my_node() + 1) % nnodes(), part(data, mine, unit_bytes),
                                        part_bytes(mine, unit_bytes));
      co_await received;
      co_await sent;
    }
    co_return;
  }
  std::vector<exec::Operation> operations;
  for (int node = 0; node < nnodes(); ++node) {
    if (node == my_node()) continue;
    operations.push_back(receive(node, part(data, node, unit_bytes), part_bytes(node, unit_bytes)));
    operations.push_back(
        send(node, part(data, my_node(), unit_bytes), part_bytes(my_node(), unit_bytes)));
  }
  for (const exec::Operation& operation : operations)
    co_await operation;
}

void LeaderExchange::allgather(char* data, std::size_t unit_bytes) {
  if (nnodes() > direct_nodes) return allgather_steps(data, unit_bytes).run();
  std::array<MPI_Request, 2 * direct_nodes> requests;
  std::size_t count = 0;
  for (int distance = 1; distance < nnodes(); ++distance) {
    const int node = node_at(-distance);
    requests[count++] =
        start_receive(node, part(data, node, unit_bytes), part_bytes(node, unit_bytes));
  }
  for (int distance = 1; distance < nnodes(); ++distance) {
    requests[count++] = start_send(node_at(distance), part(data, my_node(), unit_bytes),
                                   part_bytes(my_node(), unit_bytes));
  }
  _driver.wait_privately(std::span(requests).first(count));
}

void LeaderExchange::gather(char* data, std::size_t unit_bytes, int root_node) {
  if (my_node() != root_node) {
    send(root_node, part(data, my_node(), unit_bytes), part_bytes(my_node(), unit_bytes)).wait();
    return;
  }
  std::vector<exec::Operation> operations;
  for (int node = 0; node < nnodes(); ++node) {
    if (node == root_node) continue;
    operations.push_back(receive(node, part(data, node, unit_bytes), part_bytes(node, unit_bytes)));
  }
  for (exec::Operation& operation : operations)
    operation.wait();
}

void LeaderExchange::scatter(char* data, std::size_t unit_bytes, int root_node) {
  if (my_node() != root_node) {
    receive(root_node, part(data, my_node(), unit_bytes), part_bytes(my_node(), unit_bytes)).wait();
    return;
  }
  std::vector<exec::Operation> operations;
  for (int node = 0; node < nnodes(); ++node) {
    if (node == root_node) continue;
    operations.push_back(send(node, part(data, node, unit_bytes), part_bytes(node, unit_bytes)));
  }
  for (exec::Operation& operation : operations)
    operation.wait();
}

namespace {

/// How a reduction combines the nodes: as a binary tree, neighbours first and the lower one on the
/// left, so that all get the same bits, and an operation need not commute. Nodes beyond the largest
/// power of two first fold into their neighbours.
struct Tree {
  Tree(int nnodes, int my_node) noexcept
      : power(static_cast<int>(std::bit_floor(static_cast<unsigned>(nnodes)))),
        extra(nnodes - power),
        in_pair(my_node < 2 * extra),
        folds(in_pair && my_node % 2 == 1),
        rank(rank_of(my_node)) {}

  int node_of(int r) const noexcept { return r < extra ? 2 * r : r + extra; }
  /// Of who stands for the node.
  int rank_of(int node) const noexcept { return node < 2 * extra ? node / 2 : node - extra; }

  int power;
  int extra;  // the first 2 * extra nodes fold in pairs
  bool in_pair;
  bool folds;  // into the node before it
  int rank;
};

/// inout = inout op right, by way of `right`.
void combine_right(char* inout, char* right, std::size_t nelem, const Reduction& reduce) {
  if (nelem == 0) return;  // there may be no memory
  reduce(inout, right, nelem);
  std::memcpy(inout, right, nelem * reduce.element_bytes());
}

/// Elements of a reduction that a node combines.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// What a rank has of a range when it and its partner have halved it.
Range half_of(const Range& whole, int rank, int distance, std::size_t granularity) noexcept {
  const std::size_t middle =
      whole.begin + (whole.end - whole.begin) / 2 / granularity * granularity;
  return (rank & distance) == 0 ? Range{whole.begin, middle} : Range{middle, whole.end};
}

/// The same at the end of all halvings.
Range share_of(std::size_t nelem, int rank, int power, std::size_t granularity) noexcept {
  Range range{0, nelem};
  for (int distance = 1; distance < power; distance *= 2)
    range = half_of(range, rank, distance, granularity);
  return range;
}

/// From here on less data is worth more messages.
constexpr std::size_t halved_bytes = std::size_t{16} << 10;

}  // namespace

PolledCoroutine LeaderExchange::allreduce_steps(char* inout, char* scratch, std::size_t nelem,
                                      const Reduction& reduce, int to_node) {
  const std::size_t nbytes = nelem * reduce.element_bytes();
  if (scratch == nullptr) {
    if (_scratch_bytes < nbytes) {
      _scratch = std::make_unique_for_overwrite<char[]>(nbytes);
      _scratch_bytes = nbytes;
    }
    scratch = _scratch.get();
  }
  if (nbytes < halved_bytes) return doubling_steps(inout, scratch, nelem, reduce);
  return halving_steps(inout, scratch, nelem, reduce, to_node);
}

/// Everybody exchanges all with ever farther partners.
PolledCoroutine LeaderExchange::doubling_steps(char* inout, char* scratch, std::size_t nelem,
                                     Reduction reduce) {
  const std::size_t nbytes = nelem * reduce.element_bytes();
  const Tree tree(nnodes(), my_node());
  if (tree.folds) {
    const exec::Operation sent = send(my_node() - 1, inout, nbytes);
    co_await sent;
    const exec::Operation received = receive(my_node() - 1, inout, nbytes);
    co_await received;
    co_return;
  }
  if (tree.in_pair) {
    const exec::Operation received = receive(my_node() + 1, scratch, nbytes);
    co_await received;
    combine_right(inout, scratch, nelem, reduce);
  }
  for (int distance = 1; distance < tree.power; distance *= 2) {
    const int partner = tree.rank ^ distance;
    const int node = tree.node_of(partner);
    const exec::Operation received = receive(node, scratch, nbytes);
    const exec::Operation sent = send(node, inout, nbytes);
    co_await received;
    co_await sent;
    if (partner > tree.rank) {
      combine_right(inout, scratch, nelem, reduce);
    } else {
      reduce(scratch, inout, nelem);
    }
  }
  if (tree.in_pair) {
    const exec::Operation sent = send(my_node() + 1, inout, nbytes);
    co_await sent;
  }
}

/// Partners exchange halves of what they have, and each combines its own, until each has a share
/// that all nodes are in; then the shares go back the same way, or to the node that wants them.
/// \see R. Thakur, R. Rabenseifner, W. Gropp: Optimization of Collective Communication Operations in
///      MPICH (2005), with the nearest partners first
PolledCoroutine LeaderExchange::halving_steps(char* inout, char* scratch, std::size_t nelem, Reduction reduce,
                                    int to_node) {
  const std::size_t size = reduce.element_bytes();
  const auto bytes = [=](const Range& range) { return (range.end - range.begin) * size; };
  const auto in = [=](char* data, const Range& range) { return data + range.begin * size; };
  const Range whole{0, nelem};
  const Tree tree(nnodes(), my_node());
  const bool to_all = to_node == all_nodes;
  if (tree.folds) {
    const exec::Operation sent = send(my_node() - 1, inout, bytes(whole));
    co_await sent;
    if (!to_all && to_node != my_node()) co_return;
    const exec::Operation received = receive(my_node() - 1, inout, bytes(whole));
    co_await received;
    co_return;
  }
  if (tree.in_pair) {
    const exec::Operation received = receive(my_node() + 1, scratch, bytes(whole));
    co_await received;
    combine_right(inout, scratch, nelem, reduce);
  }
  Range mine = whole;
  for (int distance = 1; distance < tree.power; distance *= 2) {
    const int partner = tree.rank ^ distance;
    const Range theirs = half_of(mine, partner, distance, reduce.granularity());
    mine = half_of(mine, tree.rank, distance, reduce.granularity());
    const exec::Operation received = receive(tree.node_of(partner), in(scratch, mine), bytes(mine));
    const exec::Operation sent = send(tree.node_of(partner), in(inout, theirs), bytes(theirs));
    co_await received;
    co_await sent;
    if (partner > tree.rank) {
      combine_right(in(inout, mine), in(scratch, mine), mine.end - mine.begin, reduce);
    } else {
      reduce(in(scratch, mine), in(inout, mine), mine.end - mine.begin);
    }
  }
  if (to_all) {
    for (int distance = tree.power / 2; distance >= 1; distance /= 2) {
      const int partner = tree.rank ^ distance;
      mine = share_of(nelem, tree.rank, 2 * distance, reduce.granularity());
      const Range theirs = share_of(nelem, partner, 2 * distance, reduce.granularity());
      const exec::Operation received =
          receive(tree.node_of(partner), in(inout, theirs), bytes(theirs));
      const exec::Operation sent = send(tree.node_of(partner), in(inout, mine), bytes(mine));
      co_await received;
      co_await sent;
    }
  } else if (tree.rank != tree.rank_of(to_node)) {
    const exec::Operation sent =
        send(tree.node_of(tree.rank_of(to_node)), in(inout, mine), bytes(mine));
    co_await sent;
  } else {
    std::vector<exec::Operation> shares;
    for (int rank = 0; rank < tree.power; ++rank) {
      if (rank == tree.rank) continue;
      const Range theirs = share_of(nelem, rank, tree.power, reduce.granularity());
      shares.push_back(receive(tree.node_of(rank), in(inout, theirs), bytes(theirs)));
    }
    for (const exec::Operation& share : shares)
      co_await share;
  }
  if (tree.in_pair && (to_all || to_node == my_node() + 1)) {
    const exec::Operation sent = send(my_node() + 1, inout, bytes(whole));
    co_await sent;
  }
}

}  // namespace dash::dart
