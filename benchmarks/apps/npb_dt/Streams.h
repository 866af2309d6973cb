#pragma once

/// \file
/// The computation of the nodes of a graph, which the DASH program and the baselines share.

#include <cstddef>
#include <span>
#include <vector>

#include "Problem.h"

namespace npb_dt {

/// The length of the stream that a source generates. \param id  number of the node
std::size_t source_length(const Size& size, int id);

/// Generates the stream of a source. \param stream  source_length() numbers
void fill_source(int id, std::span<double> stream);

/// Resamples a stream to less than twice its length: inner numbers become means of neighbours, the
/// first and the last number stay. `from` may be the beginning of `to`.
/// \pre from.size() <= to.size() < 2 * from.size()
void resample(std::span<const double> from, std::span<double> to);

/// Replaces each feature of `a`, except the first and the last, by a weighted feature of `b`: the
/// nearest of the three features at and next to the same index.
/// \pre a.size() == b.size()
void window_filter(std::span<double> a, std::span<const double> b, double weight);

/// Fills streams with NaN before a run. A node that reads a stream too early, or data of the
/// previous run, then makes the checksum wrong.
void poison(std::span<double> streams);

/// Resamples a stream to `length` numbers in `scratch` if it is shorter.
std::span<const double> resample_if_shorter(std::span<const double> stream, std::size_t length,
                                            std::vector<double>& scratch);

/// The computation of a comparator: filters the input streams one after another.
class Comparator {
 public:
  /// \param buffer  memory for the result, size.longest_stream() numbers
  Comparator(const Size& size, int id, std::span<double> buffer);

  /// Processes the stream of the next arc.
  void add(std::span<const double> stream);
  /// \returns the length of the result
  std::size_t finish();

 private:
  std::span<double> _buffer;
  std::size_t _length;
  double _weight;
  int _arcs = 0;
  std::vector<double> _scratch;
};

/// The computation of a sink: adds the input streams.
class Sink {
 public:
  explicit Sink(int id) : _factor(id + 1) {}

  void add(std::span<const double> stream);
  /// An integer below 2^53, so that the values of all sinks may be added in any order.
  double value() const;

 private:
  int _factor;
  double _sum = 0;
  int _arcs = 0;
};

struct Computed {
  std::size_t length = 0;  ///< length of the node's stream; not for a sink
  double value = 0;        ///< value of a sink
};

/// Computes a node.
/// \param buffer     memory for its stream, size.longest_stream() numbers; a sink needs none
/// \param get_input  (i) -> the stream of its i-th arc; called once for each arc, in order
template <class GetInput>
Computed compute_node(const Problem& problem, int id, std::span<double> buffer,
                      const GetInput& get_input) {
  const Node& node = problem.graph.node(id);
  switch (node.role) {
    case Role::source: {
      const std::size_t length = source_length(problem.size, id);
      fill_source(id, buffer.first(length));
      return {length, 0};
    }
    case Role::comparator: {
      Comparator comparator(problem.size, id, buffer);
      for (std::size_t i = 0; i < node.in.size(); ++i)
        comparator.add(get_input(i));
      return {comparator.finish(), 0};
    }
    case Role::sink: {
      Sink sink(id);
      for (std::size_t i = 0; i < node.in.size(); ++i)
        sink.add(get_input(i));
      return {0, sink.value()};
    }
  }
  return {};
}

}  // namespace npb_dt
