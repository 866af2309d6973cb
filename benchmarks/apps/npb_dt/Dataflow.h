#pragma once

#include <dash/Array.h>
#include <dash/Future.h>
#include <dash/Signal.h>

#include <span>
#include <vector>

#include "Benchmark.h"
#include "Streams.h"

namespace npb_dt {

/// Nodes as tasks on the library. A node leaves its stream in its unit's part of an array and raises
/// a signal of each successor, whose value is the stream's length. On the node the stream is read where
/// it is; to other nodes it is put along with the signal, while tasks wait or compute.
class Dataflow final : public Processing {
 public:
  /// \collective
  Dataflow(const Problem& problem, const Placement& placement);

  void prepare() override;
  double run() override;

 private:
  using Streams = dash::Array<double>;
  /// What has come along an arc.
  using Stream = std::span<const double>;
  /// Of the arcs of a node, in order.
  using Inputs = std::vector<dash::Future<Stream>>;

  dash::Future<Stream> receive(int arc);
  double compute(int node, Inputs inputs);
  std::span<double> room_for(int node);
  void publish(int node, std::span<const double> stream);

  std::size_t part_of_streams() const { return _placement.most_streams() * _longest; }
  std::size_t part_of_inboxes() const { return _placement.most_foreign_arcs() * _longest; }

  const Problem& _problem;
  const Placement& _placement;
  std::size_t _longest;           // stream
  Streams _streams;               // of each unit as many as any has
  std::vector<double*> _on_node;  // the streams of each unit of the node, else null
  Streams _inboxes;               // for arcs from other units, if there are several nodes
  dash::SignalArray _arrived;     // of each unit one for an arc to its nodes
  std::vector<dash::Future<Streams::iterator>> _sent;  // by arc
};

}  // namespace npb_dt
