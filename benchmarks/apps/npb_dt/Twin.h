#pragma once

/// \file
/// The benchmark by MPI alone: one thread a process, which computes whatever node has its streams.

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "Benchmark.h"
#include "Streams.h"

namespace npb_dt {

/// How streams go along arcs; what the twins differ in.
class Exchange {
 public:
  struct Arrival {
    int arc = 0;
    std::span<const double> stream;
  };

  Exchange(const Problem& problem, const Placement& placement);
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  virtual ~Exchange() = default;

  int unit() const { return _unit; }
  /// Before each run; a barrier follows.
  virtual void prepare() = 0;
  /// At the end of a run.
  virtual void end() {}
  /// Where a node of the calling process leaves its stream.
  std::span<double> room_for(int node) const;
  /// A node's stream is in its room: sends it along its arcs, if they leave the process.
  virtual void publish(int node, std::size_t length) = 0;
  /// The next stream from another process, if one is there. Lets MPI move what is under way.
  virtual std::optional<Arrival> look() = 0;
  /// Between two looks for something to come: lets others have the processor if there are more
  /// processes than processors, as no wait of MPI's does.
  void pause() const;

 protected:
  std::size_t longest() const { return _problem.size.longest_stream(); }
  const Problem& problem() const { return _problem; }
  const Placement& placement() const { return _placement; }
  /// Arcs to the calling process from others.
  const std::vector<int>& foreign_arcs() const { return _foreign_arcs; }
  void set_rooms(double* rooms) { _rooms = rooms; }
  void poison_rooms() const { poison({_rooms, placement().most_streams() * longest()}); }

 private:
  const Problem& _problem;
  const Placement& _placement;
  int _unit = 0;
  bool _is_crowded = false;
  bool _sleeps = false;
  std::vector<int> _foreign_arcs;
  double* _rooms = nullptr;
};

/// Non-blocking messages: all receives are posted at the beginning, all sends of a node at once.
std::unique_ptr<Exchange> make_two_sided_exchange(const Problem&, const Placement&);
/// One epoch: a node's length is put to its successors, which get its stream.
std::unique_ptr<Exchange> make_rma_exchange(const Problem&, const Placement&);
/// Streams are read where they are, in memory that the processes share.
std::unique_ptr<Exchange> make_shared_exchange(const Problem&, const Placement&);

class Twin final : public Processing {
 public:
  Twin(const Problem& problem, const Placement& placement, std::unique_ptr<Exchange> exchange);

  void prepare() override { _exchange->prepare(); }
  double run() override;

 private:
  void deliver(const Exchange::Arrival& arrival);
  void compute(int node);
  void publish(int node, std::size_t length);

  const Problem& _problem;
  const Placement& _placement;
  std::unique_ptr<Exchange> _exchange;
  std::vector<std::span<const double>> _streams;  // by arc
  std::vector<std::size_t> _missing;              // by node
  std::deque<int> _ready;
  double _sum = 0;
};

}  // namespace npb_dt
