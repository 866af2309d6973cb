#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "Exchange.h"
#include "support/MpiSlots.h"

namespace stencil {

/// What the exchanges by MPI have in common.
class MpiExchange : public Exchange {
 public:
  MpiExchange(const Problem& problem, const kernels::World& world);

  void collect(const float* rows, float* grid) override;

 protected:
  /// Elements between the two arrays: else what is written has the address of what is read, but for the
  /// page, and waits for it.
  static constexpr std::size_t apart = 17 * 64 / sizeof(float);

  bool has(Side side) const { return _neighbours.of[side] >= 0; }
  int neighbour(Side side) const { return _neighbours.of[side]; }
  std::size_t elements() const { return elements_of(_unit); }
  std::size_t elements_of(int unit) const;
  static unsigned larger(unsigned a, unsigned b) { return std::max(a, b); }

  Problem _problem;
  int _unit;
  int _units;
  Neighbours _neighbours;
  std::size_t _width;
  unsigned _phase = 0;
};

/// Rows in memory of the process alone.
class RowsOfProcess : public MpiExchange {
 public:
  RowsOfProcess(const Problem& problem, const kernels::World& world)
      : MpiExchange(problem, world), _arrays(2 * elements() + apart) {}
  Strip strip() override { return {_arrays.data(), _arrays.data() + elements() + apart}; }

 private:
  std::vector<float> _arrays;
};

/// Non-blocking messages, whose receives are posted a phase ahead. For the maximum each process sends its own
/// to all: MPI_Iallreduce takes several times as long.
class TwoSidedExchange final : public RowsOfProcess {
 public:
  TwoSidedExchange(const Problem& problem, const kernels::World& world);
  ~TwoSidedExchange() override;

  void start(const float* first, const float* last) override;
  void finish() override;
  const float* above() const override { return halo(side_above, _phase); }
  const float* below() const override { return halo(side_below, _phase); }
  void start_maximum(unsigned own) override;
  unsigned maximum() override;

 private:
  const float* halo(Side side, unsigned phase) const {
    return _halos.data() + (2 * side + (phase & 1)) * _width;
  }
  void receive(unsigned phase);

  std::vector<float> _halos;
  std::array<std::vector<MPI_Request>, 2> _receives;  // of odd and even phases
  std::vector<MPI_Request> _sends;
  std::vector<unsigned> _maxima;  // of all units
  std::vector<MPI_Request> _telling;
};

/// Puts in one epoch, a flush, then the number of the phase, which the neighbour polls.
class RmaExchange final : public RowsOfProcess {
 public:
  RmaExchange(const Problem& problem, const kernels::World& world);

  void start(const float* first, const float* last) override;
  void finish() override;
  const float* above() const override { return halo(side_above); }
  const float* below() const override { return halo(side_below); }
  void start_maximum(unsigned own) override { _maxima.publish(own); }
  unsigned maximum() override { return _maxima.collect(larger); }

 private:
  static constexpr std::size_t line = 64;
  MPI_Aint place(Side side) const {
    return static_cast<MPI_Aint>(2 * line + (2 * side + (_phase & 1)) * _width * sizeof(float));
  }
  const float* halo(Side side) const {
    return reinterpret_cast<const float*>(_memory.local<std::byte>() + place(side));
  }

  kernels::MpiMemory _memory;  // two numbers of phases, a line each, and halos
  std::array<unsigned, 2> _announced{};
  kernels::PutSlots<unsigned> _maxima;
};

/// Neighbours' rows are read where they are; but for block Gauss-Seidel, which changes them meanwhile:
/// there each unit leaves copies.
class SharedExchange final : public MpiExchange {
 public:
  SharedExchange(const Problem& problem, const kernels::World& world);

  Strip strip() override { return {array(_unit, 0), array(_unit, 1)}; }
  void start(const float* first, const float* last) override;
  void finish() override;
  const float* above() const override { return row_of(side_above); }
  const float* below() const override { return row_of(side_below); }
  void start_maximum(unsigned own) override { _maxima.publish(own); }
  unsigned maximum() override { return _maxima.collect(larger); }

 private:
  static constexpr std::size_t line = 64;
  std::byte* part(int unit) const { return _memory.of<std::byte>(unit); }
  std::atomic_ref<unsigned> phase_of(int unit) const {
    return std::atomic_ref<unsigned>(*_memory.of<unsigned>(unit));
  }
  float* copies(int unit) const { return reinterpret_cast<float*>(part(unit) + line); }
  float* array(int unit, std::size_t which) const {
    return copies(unit) + 4 * _width + which * (elements_of(unit) + apart);
  }
  const float* row_of(Side side) const;

  kernels::MpiMemory _memory;  // the number of the phase, copies of rows, the arrays
  kernels::SharedSlots<unsigned> _maxima;
  std::size_t _which = 0;  // array that is read in this phase
};

std::unique_ptr<Exchange> make_mpi_exchange(const Problem& problem, const kernels::World& world,
                                            const std::string& via);

}  // namespace stencil
