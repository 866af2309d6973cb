#include "Twin.h"

#include <mpi.h>
#include <sched.h>

#include <chrono>
#include <thread>
#include <utility>

#include "support/MpiWait.h"

namespace npb_dt {

namespace {

/// So many units that share a processor go round by yields faster than by sleeps: with 11 units on two
/// processors these take 1.3 times as long, with 21 half as long, with 32 two thirds.
constexpr int few_units = 8;
constexpr auto nap = std::chrono::microseconds(50);

}  // namespace

Exchange::Exchange(const Problem& problem, const Placement& placement)
    : _problem(problem), _placement(placement) {
  MPI_Comm_rank(MPI_COMM_WORLD, &_unit);
  _is_crowded = kernels::is_crowded();
  _sleeps = kernels::crowding() > few_units;
  for (const int arc : placement.arcs_to(_unit)) {
    if (!placement.is_within_unit(problem.graph.arc(arc))) _foreign_arcs.push_back(arc);
  }
}

std::span<double> Exchange::room_for(int node) const {
  return {_rooms + _placement.stream_of(node) * longest(), longest()};
}

void Exchange::pause() const {
  if (_sleeps) {
    std::this_thread::sleep_for(nap);
  } else if (_is_crowded) {
    sched_yield();
  }
}

Twin::Twin(const Problem& problem, const Placement& placement, std::unique_ptr<Exchange> exchange)
    : _problem(problem), _placement(placement), _exchange(std::move(exchange)) {}

double Twin::run() {
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
    // After each node, and not only when there is nothing to compute: what is under way moves in calls
    // of MPI.
    while (const auto arrival = _exchange->look())
      deliver(*arrival);
    if (_ready.empty()) {
      _exchange->pause();
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

void Twin::deliver(const Exchange::Arrival& arrival) {
  _streams[static_cast<std::size_t>(arrival.arc)] = arrival.stream;
  const int to = _problem.graph.arc(arrival.arc).to;
  if (--_missing[static_cast<std::size_t>(to)] == 0) _ready.push_back(to);
}

void Twin::compute(int id) {
  const Node& node = _problem.graph.node(id);
  const bool is_sink = node.role == Role::sink;
  const auto room = is_sink ? std::span<double>() : _exchange->room_for(id);
  const Computed computed = compute_node(_problem, id, room, [&](std::size_t i) {
    return _streams[static_cast<std::size_t>(node.in[i])];
  });
  _sum += computed.value;
  if (!is_sink) publish(id, computed.length);
}

void Twin::publish(int id, std::size_t length) {
  _exchange->publish(id, length);
  for (const int arc : _problem.graph.node(id).out) {
    if (_placement.is_within_unit(_problem.graph.arc(arc)))
      deliver({arc, _exchange->room_for(id).first(length)});
  }
}

}  // namespace npb_dt
