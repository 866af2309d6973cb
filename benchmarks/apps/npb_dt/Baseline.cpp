#include "Baseline.h"

#include <mpi.h>
#include <sched.h>

#include <chrono>
#include <thread>
#include <utility>

#include "support/MpiWait.h"

namespace npb_dt {

namespace {

/// Up to this number of processes per processor, yields are faster than sleeps. With 11 units on
/// two processors sleeps take 1.3 times as long as yields, with 21 half as long, with 32 two
/// thirds.
constexpr int max_yielding_processes = 8;
constexpr auto sleep_time = std::chrono::microseconds(50);

}  // namespace

Exchange::Exchange(const Problem& problem, const Placement& placement)
    : _problem(problem), _placement(placement) {
  MPI_Comm_rank(MPI_COMM_WORLD, &_unit);
  _is_oversubscribed = kernels::is_oversubscribed();
  _sleeps = kernels::processes_per_processor() > max_yielding_processes;
  for (const int arc : placement.arcs_to(_unit)) {
    if (!placement.is_within_unit(problem.graph.arc(arc))) _remote_arcs.push_back(arc);
  }
}

std::span<double> Exchange::stream_buffer(int node) const {
  return {_stream_buffers + _placement.stream_index(node) * longest(), longest()};
}

void Exchange::back_off() const {
  if (_sleeps) {
    std::this_thread::sleep_for(sleep_time);
  } else if (_is_oversubscribed) {
    sched_yield();
  }
}

BaselineProcessing::BaselineProcessing(const Problem& problem, const Placement& placement,
                                       std::unique_ptr<Exchange> exchange)
    : _problem(problem), _placement(placement), _exchange(std::move(exchange)) {}

double BaselineProcessing::run() {
  _streams.assign(_problem.graph.arcs().size(), {});
  _missing.clear();
  _sum = 0;
  for (const Node& node : _problem.graph.nodes())
    _missing.push_back(node.in.size());
  const auto& nodes = _placement.nodes_of(_exchange->unit());
  for (const int id : nodes) {
    if (_problem.graph.node(id).role == Role::source) _ready.push_back(id);
  }

  for (std::size_t done = 0; done < nodes.size();) {
    // Poll after each node, even if other nodes are ready, since transfers progress only in calls
    // of MPI.
    while (const auto arrival = _exchange->poll())
      deliver(*arrival);
    if (_ready.empty()) {
      _exchange->back_off();
      continue;
    }
    const int id = _ready.front();
    _ready.pop_front();
    compute(id);
    ++done;
  }
  _exchange->end();
  return _sum;
}

void BaselineProcessing::deliver(const Exchange::Arrival& arrival) {
  _streams[static_cast<std::size_t>(arrival.arc)] = arrival.stream;
  const int to = _problem.graph.arc(arrival.arc).to;
  if (--_missing[static_cast<std::size_t>(to)] == 0) _ready.push_back(to);
}

void BaselineProcessing::compute(int id) {
  const Node& node = _problem.graph.node(id);
  const bool is_sink = node.role == Role::sink;
  const auto buffer = is_sink ? std::span<double>() : _exchange->stream_buffer(id);
  const Computed computed = compute_node(_problem, id, buffer, [&](std::size_t i) {
    return _streams[static_cast<std::size_t>(node.in[i])];
  });
  _sum += computed.value;
  if (!is_sink) publish(id, computed.length);
}

void BaselineProcessing::publish(int id, std::size_t length) {
  _exchange->publish(id, length);
  for (const int arc : _problem.graph.node(id).out) {
    if (_placement.is_within_unit(_problem.graph.arc(arc)))
      deliver({arc, _exchange->stream_buffer(id).first(length)});
  }
}

}  // namespace npb_dt
