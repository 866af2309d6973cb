#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "Run.h"
#include "support/MpiProgram.h"

namespace scf {

/// Cyclic distribution of blocks over processes. The memory of each process contains its blocks of
/// the overlap, of the density and of F, in this order; all blocks have the same size.
class Layout {
 public:
  enum Matrix { overlap_matrix, density_matrix, fock_matrix };

  Layout(const Problem& problem, int units)
      : _problem(problem),
        _units(units),
        _size(static_cast<std::size_t>(problem.b * problem.b)),
        _count(
            static_cast<std::size_t>((problem.blocks() * problem.blocks() + units - 1) / units)) {}

  static Matrix matrix_of(Operand operand) {
    return is_overlap(operand) ? overlap_matrix : density_matrix;
  }
  int owner(const BlockId& id) const { return static_cast<int>(number(id) % _units); }
  /// Offset of a block in the owner's memory, in elements.
  std::size_t offset(Matrix matrix, const BlockId& id) const {
    return (matrix * _count + index_at_owner(id)) * _size;
  }
  /// Index of a block among the blocks of its owner.
  std::size_t index_at_owner(const BlockId& id) const {
    return static_cast<std::size_t>(number(id) / _units);
  }
  /// Maximum number of blocks of a matrix on a process.
  std::size_t num_blocks() const { return _count; }
  std::size_t block_size() const { return _size; }
  /// Number of elements of a process.
  std::size_t size() const { return 3 * _count * _size; }
  std::size_t fock_size() const { return _count * _size; }

  /// Sets the blocks of the overlap and the density of a process.
  void fill(int unit, double* memory) const;

 private:
  long number(const BlockId& id) const { return id.row * _problem.blocks() + id.col; }

  Problem _problem;
  long _units;
  std::size_t _size;
  std::size_t _count;
};

/// Base class of the exchanges with MPI.
class MpiExchange : public Exchange {
 public:
  MpiExchange(const Problem& problem, const kernels::World& world);
  void reset() override;
  void collect(double* matrix) override;

 protected:
  /// The caller's memory, with the layout `_layout`.
  virtual double* own() = 0;

  Problem _problem;
  int _unit;
  int _units;
  Layout _layout;
};

/// One-sided: gets are started one task ahead, and accumulates are flushed in batches. Operations
/// of other nodes on the caller's memory progress only in the caller's calls of MPI, so progress()
/// makes some.
class RmaExchange final : public MpiExchange {
 public:
  RmaExchange(const Problem& problem, const kernels::World& world);

  void reset() override;
  void request_tasks(long chunk) override;
  long receive_tasks() override;
  void fetch(const Task& task, int slot) override;
  Operands operands(int slot) override;
  void progress() override;
  void accumulate(const BlockId& id, const double* values) override;
  void complete() override;
  long counter() override;

 private:
  static constexpr std::size_t line = 64;
  static constexpr std::size_t max_in_flight = 16;
  struct Slot {
    std::array<std::vector<double>, num_operands> blocks;
    Operands operands{};
    std::vector<MPI_Request> requests;
  };
  double* own() override { return reinterpret_cast<double*>(_memory.local<std::byte>() + line); }
  MPI_Aint byte_offset(Layout::Matrix matrix, const BlockId& id) const {
    return static_cast<MPI_Aint>(line + _layout.offset(matrix, id) * sizeof(double));
  }

  kernels::MpiMemory _memory;  // the counter, in a separate cache line, and the blocks
  std::array<Slot, 2> _slots;
  std::vector<double> _outputs;  // max_in_flight blocks
  std::size_t _in_flight = 0;
  long _chunk = 0;
  long _first_task = 0;
  MPI_Request _counting = MPI_REQUEST_NULL;
};

/// Shared memory: blocks are read in place, and added to in place under a lock for each block.
/// Adding vectors under a lock takes less time than atomic additions of elements.
class SharedExchange final : public MpiExchange {
 public:
  SharedExchange(const Problem& problem, const kernels::World& world);

  void reset() override;
  void request_tasks(long chunk) override { _first_task = count().fetch_add(chunk); }
  long receive_tasks() override { return _first_task; }
  void fetch(const Task& task, int slot) override;
  Operands operands(int slot) override { return _operands[static_cast<std::size_t>(slot)]; }
  void accumulate(const BlockId& id, const double* values) override;
  void complete() override {}
  long counter() override { return count().load(); }

 private:
  struct alignas(64) Lock {
    std::atomic<bool> is_taken;
  };
  static constexpr std::size_t line = 64;

  std::size_t locks_size() const { return _layout.num_blocks() * sizeof(Lock); }
  double* memory_of(int unit) const {
    return reinterpret_cast<double*>(_memory.of<std::byte>(unit) + line + locks_size());
  }
  double* own() override { return memory_of(_unit); }
  std::atomic_ref<long> count() const { return std::atomic_ref<long>(*_memory.of<long>(0)); }
  Lock& lock_of(const BlockId& id) const {
    return reinterpret_cast<Lock*>(_memory.of<std::byte>(_layout.owner(id)) +
                                   line)[_layout.index_at_owner(id)];
  }

  kernels::MpiMemory _memory;
  std::array<Operands, 2> _operands{};
  long _first_task = 0;
};

std::unique_ptr<Exchange> make_mpi_exchange(const Options& options, const kernels::World& world,
                                            const std::string& via);

}  // namespace scf
