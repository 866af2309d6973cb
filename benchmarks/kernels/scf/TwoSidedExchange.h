#pragma once

#include <array>
#include <memory>
#include <vector>

#include "MpiExchange.h"

namespace scf {

/// Two-sided: tasks are computed in rounds, and process p has task round * units + p. So all
/// processes know which blocks are needed where, and send them without requests. The blocks of a
/// round are sent while the previous round is computed. Outputs are sent to the owners of their
/// blocks, which receive and add them during every call of this class.
class TwoSidedExchange final : public MpiExchange {
 public:
  TwoSidedExchange(const Problem& problem, const kernels::World& world);
  ~TwoSidedExchange() override { MPI_Comm_free(&_outputs_comm); }

  void reset() override;
  /// Does nothing: the schedule is static, so there is no counter.
  void request_tasks(long) override {}
  long receive_tasks() override { return _problem.tasks(); }
  void fetch(const Task& task, int slot) override;
  Operands operands(int slot) override;
  void progress() override { receive_outputs(); }
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
  /// Receives and adds the outputs that have arrived.
  void receive_outputs();
  void add(const BlockId& id, const double* values);
  long num_rounds() const { return (_problem.tasks() + _units - 1) / _units; }

  MPI_Comm _outputs_comm =
      MPI_COMM_NULL;  // for outputs; the tag of a message is the number of its block
  std::vector<double> _memory;
  std::array<Round, 2> _rounds;
  long _started = 0;   // number of started rounds
  long _computed = 0;  // number of rounds computed by the caller
  Requests _outputs_sent;
  std::vector<double> _outputs;   // buffers of pending sends
  std::vector<double> _received;  // one block
  std::vector<long> _num_sent;    // number of blocks sent to each process
  long _num_received = 0;
};

}  // namespace scf
