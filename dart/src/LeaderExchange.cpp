#include "LeaderExchange.h"

#include <bit>
#include <cstring>
#include <memory>
#include <vector>

#include "MpiCheck.h"
#include "RmaDriver.h"

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

exec::Operation LeaderExchange::send(int node, const void* data, std::size_t nbytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Isend(data, static_cast<int>(nbytes), MPI_BYTE,
                      _layout.leaders[static_cast<std::size_t>(node)], _tag, _comm, &request),
            "MPI_Isend");
  return _driver.track(request);
}

exec::Operation LeaderExchange::receive(int node, void* data, std::size_t nbytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Irecv(data, static_cast<int>(nbytes), MPI_BYTE,
                      _layout.leaders[static_cast<std::size_t>(node)], _tag, _comm, &request),
            "MPI_Irecv");
  return _driver.track(request);
}

void LeaderExchange::exchange(int to_node, const void* send_data, std::size_t send_bytes,
                              int from_node, void* recv_data, std::size_t recv_bytes) {
  exec::Operation received = receive(from_node, recv_data, recv_bytes);
  exec::Operation sent = send(to_node, send_data, send_bytes);
  received.wait();
  sent.wait();
}

/// By dissemination: in round k everybody tells the node 2^k further.
Steps LeaderExchange::barrier_steps() {
  const char token = 0;
  char landing = 0;
  for (int distance = 1; distance < nnodes(); distance *= 2) {
    const exec::Operation received =
        receive((my_node() - distance + nnodes()) % nnodes(), &landing, 1);
    const exec::Operation sent = send((my_node() + distance) % nnodes(), &token, 1);
    co_await received;
    co_await sent;
  }
}

/// Along a binomial tree.
Steps LeaderExchange::bcast_steps(void* data, std::size_t nbytes, int root_node) {
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

Steps LeaderExchange::allgather_steps(char* data, std::size_t unit_bytes) {
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

/// By recursive doubling. Nodes beyond the largest power of two first fold into their neighbours,
/// so that whatever is combined comes from neighbouring nodes, the lower one on the left: all get
/// the same bits, and an operation need not commute.
Steps LeaderExchange::allreduce_steps(char* inout, char* scratch, std::size_t nelem,
                                      Reduction reduce) {
  const std::size_t nbytes = nelem * reduce.element_bytes();
  std::unique_ptr<char[]> own;
  if (scratch == nullptr) {
    own = std::make_unique_for_overwrite<char[]>(nbytes);
    scratch = own.get();
  }
  const int n = nnodes();
  const int power = static_cast<int>(std::bit_floor(static_cast<unsigned>(n)));
  const int extra = n - power;  // the first 2 * extra nodes fold in pairs
  const bool in_pair = my_node() < 2 * extra;
  if (in_pair && my_node() % 2 == 1) {
    const exec::Operation sent = send(my_node() - 1, inout, nbytes);
    co_await sent;
    const exec::Operation received = receive(my_node() - 1, inout, nbytes);
    co_await received;
    co_return;
  }
  const auto combine_right = [&] {  // inout = inout op scratch
    reduce(inout, scratch, nelem);
    std::memcpy(inout, scratch, nbytes);
  };
  if (in_pair) {
    const exec::Operation received = receive(my_node() + 1, scratch, nbytes);
    co_await received;
    combine_right();
  }
  const int rank = in_pair ? my_node() / 2 : my_node() - extra;
  const auto node_of_rank = [&](int r) { return r < extra ? 2 * r : r + extra; };
  for (int distance = 1; distance < power; distance *= 2) {
    const int partner = rank ^ distance;
    const int node = node_of_rank(partner);
    const exec::Operation received = receive(node, scratch, nbytes);
    const exec::Operation sent = send(node, inout, nbytes);
    co_await received;
    co_await sent;
    if (partner > rank) {
      combine_right();
    } else {
      reduce(scratch, inout, nelem);
    }
  }
  if (in_pair) {
    const exec::Operation sent = send(my_node() + 1, inout, nbytes);
    co_await sent;
  }
}

}  // namespace dash::dart
