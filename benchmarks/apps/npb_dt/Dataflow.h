#pragma once

#include <dash/Array.h>
#include <dash/Future.h>
#include <dash/Signal.h>

#include <span>
#include <vector>

#include "Benchmark.h"
#include "Streams.h"

namespace npb_dt {

/// Runs the nodes of the graph as tasks with DASH. A task stores its stream in its unit's block of
/// an array and sets a signal of each successor to the length of the stream. A successor on the
/// same compute node reads the stream in place; to other compute nodes the stream is sent with the
/// signal, while tasks wait or compute.
class Dataflow final : public Processing {
 public:
  /// \collective
  Dataflow(const Problem& problem, const Placement& placement);

  void prepare() override;
  double run() override;

 private:
  using Streams = dash::Array<double>;
  /// The stream of an arc.
  using Stream = std::span<const double>;
  /// The streams of the arcs of a node, in order.
  using Inputs = std::vector<dash::Future<Stream>>;

  dash::Future<Stream> receive(int arc);
  double compute(int node, Inputs inputs);
  std::span<double> stream_buffer(int node);
  void publish(int node, std::span<const double> stream);

  std::size_t streams_length_per_unit() const { return _placement.max_streams() * _longest; }
  std::size_t receive_length_per_unit() const { return _placement.max_remote_arcs() * _longest; }

  const Problem& _problem;
  const Placement& _placement;
  std::size_t _longest;  // length of the longest stream
  Streams _streams;      // the same number of streams on each unit
  std::vector<double*>
      _on_node;                // by unit: address of its streams, null if on another compute node
  Streams _receive_buffers;    // for arcs from other units, if there are several compute nodes
  dash::SignalArray _arrived;  // on each unit, one signal for each arc to its nodes
  std::vector<dash::Future<Streams::iterator>> _sent;  // by arc
};

}  // namespace npb_dt
