#pragma once

/// \file
/// The baseline with MPI only: one thread per process, which computes any node whose streams are
/// available.

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

/// Transfers streams along arcs. The baselines differ only in this.
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
  /// Prepares a run; a barrier follows.
  virtual void prepare() = 0;
  /// Completes a run.
  virtual void end() {}
  /// The buffer for the stream of a node of the calling process.
  std::span<double> stream_buffer(int node) const;
  /// Sends the stream in the buffer of a node along its arcs to other processes.
  virtual void publish(int node, std::size_t length) = 0;
  /// Makes progress. \returns the next stream from another process, if one has arrived
  virtual std::optional<Arrival> poll() = 0;
  /// Called between two unsuccessful polls: yields the processor, or sleeps, if there are more
  /// processes than processors. The blocking calls of MPI do not.
  void back_off() const;

 protected:
  std::size_t longest() const { return _problem.size.longest_stream(); }
  const Problem& problem() const { return _problem; }
  const Placement& placement() const { return _placement; }
  /// Arcs to the calling process from other processes.
  const std::vector<int>& remote_arcs() const { return _remote_arcs; }
  void set_stream_buffers(double* stream_buffers) { _stream_buffers = stream_buffers; }
  void poison_stream_buffers() const {
    poison({_stream_buffers, placement().max_streams() * longest()});
  }

 private:
  const Problem& _problem;
  const Placement& _placement;
  int _unit = 0;
  bool _is_oversubscribed = false;
  bool _sleeps = false;
  std::vector<int> _remote_arcs;
  double* _stream_buffers = nullptr;
};

/// Non-blocking messages: all receives are posted before the run, all sends of a node are started
/// at once.
std::unique_ptr<Exchange> make_two_sided_exchange(const Problem&, const Placement&);
/// One epoch: the length of a stream is put to the successors, which get the stream.
std::unique_ptr<Exchange> make_rma_exchange(const Problem&, const Placement&);
/// The successors read streams in place, in shared memory.
std::unique_ptr<Exchange> make_shared_exchange(const Problem&, const Placement&);

class BaselineProcessing final : public Processing {
 public:
  BaselineProcessing(const Problem& problem, const Placement& placement,
                     std::unique_ptr<Exchange> exchange);

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
