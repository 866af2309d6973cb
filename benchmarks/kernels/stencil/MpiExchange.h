#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "Exchange.h"
#include "support/MpiSlots.h"

namespace stencil {

/// Base class of the exchanges with MPI.
class MpiExchange : public Exchange {
 public:
  MpiExchange(const Problem& problem, const kernels::World& world);

  void collect(const float* rows, float* grid) override;

 protected:
  /// Number of elements between the two arrays. It prevents 4K aliasing: otherwise loads and stores
  /// have the same offsets in their pages, and loads wait for stores.
  static constexpr std::size_t array_padding = 17 * 64 / sizeof(float);

  bool has_neighbour(Side side) const { return _neighbours.of[side] >= 0; }
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

/// Base class of the exchanges whose rows are in private memory.
class RowsOfProcess : public MpiExchange {
 public:
  RowsOfProcess(const Problem& problem, const kernels::World& world)
      : MpiExchange(problem, world), _arrays(2 * elements() + array_padding) {}
  RowArrays arrays() override {
    return {_arrays.data(), _arrays.data() + elements() + array_padding};
  }

 private:
  std::vector<float> _arrays;
};

/// Non-blocking messages; receives are posted one phase ahead. For the maximum, each process sends
/// its value to all processes, since MPI_Iallreduce takes several times as long.
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
  void post_receives(unsigned phase);

  std::vector<float> _halos;
  std::array<std::vector<MPI_Request>, 2> _receives;  // of even and odd phases
  std::vector<MPI_Request> _sends;
  std::vector<unsigned> _maxima;  // by unit
  std::vector<MPI_Request> _maxima_requests;
};

/// One-sided, in one epoch: puts, a flush, and puts of the number of the phase, which the
/// neighbours poll.
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
  MPI_Aint halo_offset(Side side) const {
    return static_cast<MPI_Aint>(2 * line + (2 * side + (_phase & 1)) * _width * sizeof(float));
  }
  const float* halo(Side side) const {
    return reinterpret_cast<const float*>(_memory.local<std::byte>() + halo_offset(side));
  }

  kernels::MpiMemory _memory;  // two numbers of phases, in a cache line each, and the halos
  std::array<unsigned, 2> _announced{};
  kernels::PutSlots<unsigned> _maxima;
};

/// Shared memory: the neighbours' rows are read in place. Block Gauss-Seidel changes them at the
/// same time, so for this method each unit provides copies.
class SharedExchange final : public MpiExchange {
 public:
  SharedExchange(const Problem& problem, const kernels::World& world);

  RowArrays arrays() override { return {array(_unit, 0), array(_unit, 1)}; }
  void start(const float* first, const float* last) override;
  void finish() override;
  const float* above() const override { return row_of(side_above); }
  const float* below() const override { return row_of(side_below); }
  void start_maximum(unsigned own) override { _maxima.publish(own); }
  unsigned maximum() override { return _maxima.collect(larger); }

 private:
  static constexpr std::size_t line = 64;
  std::byte* memory_of(int unit) const { return _memory.of<std::byte>(unit); }
  std::atomic_ref<unsigned> phase_of(int unit) const {
    return std::atomic_ref<unsigned>(*_memory.of<unsigned>(unit));
  }
  float* copies(int unit) const { return reinterpret_cast<float*>(memory_of(unit) + line); }
  float* array(int unit, std::size_t index) const {
    return copies(unit) + 4 * _width + index * (elements_of(unit) + array_padding);
  }
  const float* row_of(Side side) const;

  kernels::MpiMemory _memory;  // the number of the phase, copies of rows, and the arrays
  kernels::SharedSlots<unsigned> _maxima;
  std::size_t _current_array = 0;  // index of the array that is read in this phase
};

std::unique_ptr<Exchange> make_mpi_exchange(const Problem& problem, const kernels::World& world,
                                            const std::string& via);

}  // namespace stencil
