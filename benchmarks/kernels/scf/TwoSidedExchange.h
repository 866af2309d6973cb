#pragma once

#include <array>
#include <memory>
#include <vector>

#include "MpiExchange.h"

namespace scf {

/// Tasks go in rounds: of each, process p has task round * units + p, so that all know who needs which
/// block of whom, and send it without being asked. A round is sent while the one before is computed.
/// Outputs are sent to the owners of their blocks, who add what has come whenever they are called.
class TwoSidedExchange final : public MpiExchange {
 public:
  TwoSidedExchange(const Problem& problem, const kernels::World& world);
  ~TwoSidedExchange() override { MPI_Comm_free(&_outputs_comm); }

  void reset() override;
  /// There is no counter.
  void request_tasks(long) override {}
  long receive_tasks() override { return _problem.tasks(); }
  void fetch(const Task& task, int slot) override;
  Operands operands(int slot) override;
  void progress() override { serve(); }
  void accumulate(const BlockId& id, const double* values) override;
  void complete() override;
  long counter() override { return 0; }

 private:
  using Requests = std::vector<MPI_Request>;
  struct Round {
    std::array<std::vector<double>, num_operands> blocks;
    Operands operands{};
    Requests receives;
    Requests sends;
  };

  double* own() override { return _memory.data(); }
  Round& round(long number) { return _rounds[static_cast<std::size_t>(number % 2)]; }
  /// Starts all transfers of a round.
  void start(long number);
  void send_operands(Round& to, const Task& task, int unit);
  void wait(Requests& requests);
  /// Adds the outputs that have come.
  void serve();
  void add(const BlockId& id, const double* values);
  long num_rounds() const { return (_problem.tasks() + _units - 1) / _units; }

  MPI_Comm _outputs_comm = MPI_COMM_NULL;  // where a message's tag is the number of its block
  std::vector<double> _memory;
  std::array<Round, 2> _rounds;
  long _started = 0;   // rounds
  long _computed = 0;  // by the caller
  Requests _outputs_sent;
  std::vector<double> _outputs;   // that are being sent
  std::vector<double> _received;  // one block
  std::vector<long> _num_sent;    // blocks, to each process
  long _num_received = 0;
};

}  // namespace scf
