#pragma once

/// \file
/// What the nodes of a graph compute: the same code for us and for the twins.

#include <cstddef>
#include <span>
#include <vector>

#include "Problem.h"

namespace npb_dt {

/// Numbers that a source makes. \param id of the node
std::size_t source_length(const Size& size, int id);

/// Makes them. \param stream  of source_length() numbers
void fill_source(int id, std::span<double> stream);

/// Brings a stream to a length of less than twice its own: the mean of neighbours, the ends as they
/// are. May be done in place.
/// \pre from.size() <= to.size() < 2 * from.size()
void resample(std::span<const double> from, std::span<double> to);

/// Replaces each feature of `a`, but for the first and the last, by the weighted one of `b`, of those
/// around its place, that is nearest to it.
/// \pre they are equally long
void window_filter(std::span<double> a, std::span<const double> b, double weight);

/// Fills streams with what is no number, before a run: a node that reads one before it is there, or what
/// the run before has left, makes the checksum wrong.
void poison(std::span<double> streams);

/// A stream, brought to `length` in `scratch` if it is shorter.
std::span<const double> stretched(std::span<const double> stream, std::size_t length,
                                  std::vector<double>& scratch);

/// Filters what comes in along its arcs, one stream after the other.
class Comparator {
 public:
  /// \param room  for the result, of size.longest_stream() numbers
  Comparator(const Size& size, int id, std::span<double> room);

  /// The stream of the next arc, which is only read.
  void add(std::span<const double> stream);
  /// \returns the length of the result
  std::size_t finish();

 private:
  std::span<double> _room;
  std::size_t _length;
  double _weight;
  int _arcs = 0;
  std::vector<double> _scratch;
};

/// Adds up what comes in along its arcs.
class Sink {
 public:
  explicit Sink(int id) : _factor(id + 1) {}

  void add(std::span<const double> stream);
  /// A whole number below 2^53: those of all sinks may be added in any order.
  double value() const;

 private:
  int _factor;
  double _sum = 0;
  int _arcs = 0;
};

struct Computed {
  std::size_t length = 0;  ///< of its stream, if it is no sink
  double value = 0;        ///< of a sink
};

/// What a node does.
/// \param room  for its stream, of size.longest_stream() numbers; a sink needs none
/// \param get_input  (i) -> the stream of its i-th arc, called once for each in order
template <class GetInput>
Computed compute_node(const Problem& problem, int id, std::span<double> room,
                      const GetInput& get_input) {
  const Node& node = problem.graph.node(id);
  switch (node.role) {
    case Role::source: {
      const std::size_t length = source_length(problem.size, id);
      fill_source(id, room.first(length));
      return {length, 0};
    }
    case Role::comparator: {
      Comparator comparator(problem.size, id, room);
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
