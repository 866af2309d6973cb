#pragma once

#include <dash/Array.h>
#include <dash/Future.h>
#include <dash/Signal.h>

#include <memory>
#include <span>
#include <vector>

#include "Benchmark.h"
#include "Streams.h"

namespace npb_dt {

/// Nodes as tasks on the library. A node leaves its stream in its unit's part of an array and raises
/// a signal of each successor, whose value is the stream's length. That starts the way of the stream
/// to the successor, a one-sided get, while the task of the successor, and others, wait or compute.
class Dataflow final : public Processing {
 public:
  /// \collective
  Dataflow(const Problem& problem, const Placement& placement);

  void prepare() override;
  double run() override;

 private:
  /// What has come along an arc. On the node of its owner it is read where it is.
  using Stream = std::span<const double>;
  /// Of the arcs of a node, in order.
  using Inputs = std::vector<dash::Future<Stream>>;

  dash::Future<Stream> receive(int arc);
  dash::Future<Stream> fetch(int arc, std::size_t length);
  double compute(int node, Inputs inputs);
  std::span<double> room_for(int node);
  void publish(int node, std::size_t length);

  const Problem& _problem;
  const Placement& _placement;
  dash::Array<double> _streams;  // of each unit as many as any has
  dash::SignalArray _arrived;    // of each unit one for an arc to its nodes
  // By arcs to the unit's nodes: copies of streams of other nodes, for all runs. Memory that is new each
  // time costs as much as the transfer.
  std::vector<std::unique_ptr<double[]>> _copies;
};

}  // namespace npb_dt
