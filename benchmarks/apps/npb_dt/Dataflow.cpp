#include "Dataflow.h"

#include <dash/Async.h>
#include <dash/Init.h>
#include <dash/algorithm/Copy.h>

#include <algorithm>
#include <utility>

namespace npb_dt {

Dataflow::Dataflow(const Problem& problem, const Placement& placement)
    : _problem(problem),
      _placement(placement),
      _streams(dash::size() * placement.most_streams() * problem.size.longest_stream()),
      _arrived(placement.most_arcs()),
      _copies(placement.most_arcs()) {}

void Dataflow::prepare() {
  for (std::size_t i = 0; i < _arrived.size(); ++i)
    _arrived[i].reset();
}

double Dataflow::run() {
  const auto& nodes = _placement.nodes_of(dash::myid().id);
  // All are started before the first is waited for: whichever has its streams is computed.
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
  return sum;
}

dash::Future<Dataflow::Stream> Dataflow::receive(int arc) {
  return _arrived[_placement.place_of(arc)].when(1).then(
      [this, arc](dash::signal_t length) { return fetch(arc, length); });
}

dash::Future<Dataflow::Stream> Dataflow::fetch(int arc, std::size_t length) {
  const int node = _problem.graph.arc(arc).from;
  const auto unit = static_cast<std::size_t>(_placement.unit_of(node));
  const std::size_t stream = unit * _placement.most_streams() + _placement.stream_of(node);
  const std::size_t longest = _problem.size.longest_stream();
  const auto begin = _streams.begin() + static_cast<dash::default_index_t>(stream * longest);
  const double* const here = begin.on_node_address(length);
  if (here != nullptr) return dash::Future<Stream>(Stream(here, length));

  auto& copy = _copies[_placement.place_of(arc)];
  if (copy == nullptr) copy = std::make_unique_for_overwrite<double[]>(longest);
  const Stream result(copy.get(), length);
  return dash::copy_async(begin, begin + static_cast<dash::default_index_t>(length), copy.get())
      .then([result](double*) { return result; });
}

double Dataflow::compute(int id, Inputs inputs) {
  switch (_problem.graph.node(id).role) {
    case Role::source: {
      const std::size_t length = source_length(_problem.size, id);
      fill_source(id, room_for(id).first(length));
      publish(id, length);
      return 0;
    }
    case Role::comparator: {
      Comparator comparator(_problem.size, id, room_for(id));
      for (auto& input : inputs)
        comparator.add(input.get());
      publish(id, comparator.finish());
      return 0;
    }
    case Role::sink: {
      Sink sink(id);
      for (auto& input : inputs)
        sink.add(input.get());
      return sink.value();
    }
  }
  return 0;
}

std::span<double> Dataflow::room_for(int node) {
  const std::size_t length = _problem.size.longest_stream();
  return {_streams.lbegin() + _placement.stream_of(node) * length, length};
}

void Dataflow::publish(int node, std::size_t length) {
  for (const int arc : _problem.graph.node(node).out) {
    const dash::team_unit_t unit(_placement.unit_of(_problem.graph.arc(arc).to));
    _arrived(unit, _placement.place_of(arc)).set(static_cast<dash::signal_t>(length));
  }
}

}  // namespace npb_dt
