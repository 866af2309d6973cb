#include "teams/collectives/LeaderExchange.h"

#include <algorithm>
#include <bit>

#include "network/rma/RmaDriver.h"

namespace dash::dart {

namespace {

/// Up to this number of nodes, an allgather sends directly to all nodes; beyond, it uses a ring.
constexpr int max_direct_nodes = 16;

}  // namespace

void LeaderExchange::Coroutine::resume() {
  _handle.resume();
  if (!_handle.done()) return;
  const std::exception_ptr error = std::move(_handle.promise().error);
  reset();
  if (error != nullptr) std::rethrow_exception(error);
}

void* LeaderExchange::frame_memory(std::size_t nbytes) {
  if (_frame_bytes < nbytes) {
    _frame = std::make_unique_for_overwrite<char[]>(nbytes);
    _frame_bytes = nbytes;
  }
  return _frame.get();
}

char* LeaderExchange::scratch_memory(std::size_t nbytes) {
  if (_scratch_bytes < nbytes) {
    _scratch = std::make_unique_for_overwrite<char[]>(nbytes);
    _scratch_bytes = nbytes;
  }
  return _scratch.get();
}

void LeaderExchange::start(Coroutine coroutine) {
  _coroutine = std::move(coroutine);
  _coroutine.resume();
}

bool LeaderExchange::advance() {
  if (!is_active() || has_incomplete_message()) return false;
  _coroutine.resume();
  return true;
}

bool LeaderExchange::has_incomplete_message() const noexcept {
  return !std::all_of(_awaited.begin(), _awaited.end(),
                      [](const exec::Operation& message) { return message.done(); });
}

/// \returns whether the messages are complete
bool LeaderExchange::begin_waiting() {
  if (!_started.empty()) _driver.wait_for_requests(_started, _peer);
  _started.clear();
  return !has_incomplete_message();
}

/// \throws the first failure
void LeaderExchange::end_waiting() {
  for (const exec::Operation& message : _awaited) {
    if (message.state() && message.state()->failed())
      std::rethrow_exception(message.state()->error());
  }
  _awaited.clear();
}

std::size_t LeaderExchange::node_bytes(int node, std::size_t unit_bytes) const noexcept {
  return unit_bytes * static_cast<std::size_t>(_layout.node_sizes[static_cast<std::size_t>(node)]);
}

char* LeaderExchange::data_of(int node, char* data, std::size_t unit_bytes) const noexcept {
  return data +
         unit_bytes * static_cast<std::size_t>(_layout.node_first[static_cast<std::size_t>(node)]);
}

void LeaderExchange::add_message(MPI_Request request, int peer) {
  if (_waiting == Waiting::polled) {
    _awaited.push_back(_driver.track(request, peer));
    return;
  }
  _peer = _started.empty() || _peer == peer ? peer : no_peer;
  _started.push_back(request);
}

void LeaderExchange::send(int node, const void* data, std::size_t nbytes) {
  const int peer = leader(node);
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Isend(data, static_cast<int>(nbytes), MPI_BYTE, peer, _tag, _comm, &request),
            "MPI_Isend", peer);
  add_message(request, peer);
}

void LeaderExchange::receive(int node, void* data, std::size_t nbytes) {
  const int peer = leader(node);
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Irecv(data, static_cast<int>(nbytes), MPI_BYTE, peer, _tag, _comm, &request),
            "MPI_Irecv", peer);
  add_message(request, peer);
}

void LeaderExchange::send_node(int to_node, int node, char* data, std::size_t unit_bytes) {
  send(to_node, data_of(node, data, unit_bytes), node_bytes(node, unit_bytes));
}

void LeaderExchange::receive_node(int from_node, int node, char* data, std::size_t unit_bytes) {
  receive(from_node, data_of(node, data, unit_bytes), node_bytes(node, unit_bytes));
}

// Without optimization, g++ 14 takes the `operator new` of the frames, which has further parameters, for another
// one than that of their `operator delete`.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

LeaderExchange::Coroutine LeaderExchange::sendrecv_steps(int to_node, const char* send_data,
                                                         std::size_t send_bytes, int from_node,
                                                         char* recv_data, std::size_t recv_bytes) {
  receive(from_node, recv_data, recv_bytes);
  send(to_node, send_data, send_bytes);
  co_await completion();
}

/// Dissemination: in round k each leader sends to the node 2^k after its own.
LeaderExchange::Coroutine LeaderExchange::barrier_steps() {
  const char token = 0;
  char received = 0;
  for (int distance = 1; distance < nnodes(); distance *= 2) {
    receive(node_at(-distance), &received, 1);
    send(node_at(distance), &token, 1);
    co_await completion();
  }
}

/// A binomial tree.
LeaderExchange::Coroutine LeaderExchange::bcast_steps(char* data, std::size_t nbytes,
                                                      int root_node) {
  const auto n = static_cast<unsigned>(nnodes());
  const auto relative = static_cast<unsigned>((my_node() - root_node + nnodes()) % nnodes());
  const auto absolute = [=](unsigned node) {
    return static_cast<int>((node + static_cast<unsigned>(root_node)) % n);
  };
  // A leader that has the data forwards it at decreasing distances.
  const unsigned lowest = relative == 0 ? std::bit_ceil(n) : relative & (~relative + 1);
  if (relative != 0) {
    receive(absolute(relative - lowest), data, nbytes);
    co_await completion();
  }
  for (unsigned distance = lowest / 2; distance != 0; distance /= 2) {
    if (relative + distance < n) send(absolute(relative + distance), data, nbytes);
  }
  co_await completion();
}

void LeaderExchange::allgather(char* data, std::size_t unit_bytes) {
  start(nnodes() > max_direct_nodes ? ring_allgather_steps(data, unit_bytes)
                                    : direct_allgather_steps(data, unit_bytes));
}

LeaderExchange::Coroutine LeaderExchange::direct_allgather_steps(char* data,
                                                                 std::size_t unit_bytes) {
  for (int distance = 1; distance < nnodes(); ++distance)
    receive_node(node_at(-distance), node_at(-distance), data, unit_bytes);
  for (int distance = 1; distance < nnodes(); ++distance)
    send_node(node_at(distance), my_node(), data, unit_bytes);
  co_await completion();
}

LeaderExchange::Coroutine LeaderExchange::ring_allgather_steps(char* data, std::size_t unit_bytes) {
  for (int step = 0; step + 1 < nnodes(); ++step) {
    receive_node(node_at(-1), node_at(-step - 1), data, unit_bytes);
    send_node(node_at(1), node_at(-step), data, unit_bytes);
    co_await completion();
  }
}

LeaderExchange::Coroutine LeaderExchange::gather_steps(char* data, std::size_t unit_bytes,
                                                       int root_node) {
  if (my_node() != root_node) {
    send_node(root_node, my_node(), data, unit_bytes);
  } else {
    for (int distance = 1; distance < nnodes(); ++distance)
      receive_node(node_at(distance), node_at(distance), data, unit_bytes);
  }
  co_await completion();
}

LeaderExchange::Coroutine LeaderExchange::scatter_steps(char* data, std::size_t unit_bytes,
                                                        int root_node) {
  if (my_node() != root_node) {
    receive_node(root_node, my_node(), data, unit_bytes);
  } else {
    for (int distance = 1; distance < nnodes(); ++distance)
      send_node(node_at(distance), node_at(distance), data, unit_bytes);
  }
  co_await completion();
}

#pragma GCC diagnostic pop

}  // namespace dash::dart
