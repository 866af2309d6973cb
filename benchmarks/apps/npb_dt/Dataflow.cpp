#include "Dataflow.h"

#include <dash/Async.h>
#include <dash/Init.h>
#include <dash/util/Locality.h>

#include <utility>

#include "support/NodeBlocks.h"

namespace npb_dt {

namespace {

bool has_multiple_nodes() {
  return dash::util::Locality::NumNodes() > 1;
}

}  // namespace

Dataflow::Dataflow(const Problem& problem, const Placement& placement)
    : _problem(problem),
      _placement(placement),
      _longest(problem.size.longest_stream()),
      _streams(dash::size() * streams_length_per_unit()),
      _on_node(kernels::blocks_on_node(_streams)),
      _receive_buffers(has_multiple_nodes() ? dash::size() * receive_length_per_unit() : 0),
      _arrived(placement.max_arcs()),
      _sent(problem.graph.arcs().size()) {}

void Dataflow::prepare() {
  for (std::size_t i = 0; i < _arrived.size(); ++i)
    _arrived[i].reset();
  poison({_streams.lbegin(), _streams.lsize()});
  if (has_multiple_nodes()) poison({_receive_buffers.lbegin(), _receive_buffers.lsize()});
}

double Dataflow::run() {
  const auto& nodes = _placement.nodes_of(dash::myid().id);
  // Start all tasks before waiting for the first one, so that any task whose streams are available
  // can run.
  std::vector<dash::Future<double>> values;
  for (const int id : nodes) {
    Inputs inputs;
    for (const int arc : _problem.graph.node(id).in)
      inputs.push_back(receive(arc));
    values.push_back(dash::async([this, id, inputs = std::move(inputs)]() mutable {
      return compute(id, std::move(inputs));
    }));
  }
  double sum = 0;
  for (auto& value : values)
    sum += value.get();
  for (auto& sent : _sent)
    if (sent.valid()) sent.get();
  return sum;
}

dash::Future<Dataflow::Stream> Dataflow::receive(int arc) {
  const int node = _problem.graph.arc(arc).from;
  const double* const on_node = _on_node[static_cast<std::size_t>(_placement.unit_of(node))];
  const double* const begin =
      on_node != nullptr ? on_node + _placement.stream_index(node) * _longest
                         : _receive_buffers.lbegin() + _placement.remote_arc_index(arc) * _longest;
  return _arrived[_placement.arc_index(arc)].when(1).then(
      [begin](dash::signal_t length) { return Stream(begin, length); });
}

double Dataflow::compute(int id, Inputs inputs) {
  const bool is_sink = _problem.graph.node(id).role == Role::sink;
  const auto buffer = is_sink ? std::span<double>() : stream_buffer(id);
  const Computed computed =
      compute_node(_problem, id, buffer, [&](std::size_t i) { return inputs[i].get(); });
  if (!is_sink) publish(id, buffer.first(computed.length));
  return computed.value;
}

std::span<double> Dataflow::stream_buffer(int node) {
  return {_streams.lbegin() + _placement.stream_index(node) * _longest, _longest};
}

void Dataflow::publish(int node, std::span<const double> stream) {
  const auto length = static_cast<dash::signal_t>(stream.size());
  for (const int arc : _problem.graph.node(node).out) {
    const auto unit = static_cast<std::size_t>(_placement.unit_of(_problem.graph.arc(arc).to));
    const auto arrived =
        _arrived(dash::team_unit_t(static_cast<int>(unit)), _placement.arc_index(arc));
    if (_on_node[unit] != nullptr) {
      arrived.set(length);
      continue;
    }
    const std::size_t offset =
        unit * receive_length_per_unit() + _placement.remote_arc_index(arc) * _longest;
    _sent[static_cast<std::size_t>(arc)] = dash::put_signal_async(
        stream.data(), stream.data() + stream.size(),
        _receive_buffers.begin() + static_cast<dash::default_index_t>(offset), arrived, length);
  }
}

}  // namespace npb_dt
