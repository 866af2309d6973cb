#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "baseline/BlockGrid.h"
#include "support/MpiProgram.h"

namespace terrain {

/// Exchange of the borders of blocks with MPI only. There are two fields, which are exchanged
/// alternately. All processes make the same number of exchanges.
class BaselineExchange {
 public:
  /// \collective
  BaselineExchange(const BlockGrid& blocks, int process)
      : _blocks(blocks), _process(process), _block(blocks.subdomain_of(process).block) {}
  virtual ~BaselineExchange() = default;
  BaselineExchange(const BaselineExchange&) = delete;
  BaselineExchange& operator=(const BaselineExchange&) = delete;

  /// The caller's cells of a field.
  virtual double* cells(std::size_t field) = 0;
  /// Starts sending the borders of a field to the neighbours. The caller must not change them until
  /// the exchange of the other field has finished.
  virtual void start(std::size_t field) = 0;
  /// Returns when the neighbours' borders are available. They remain valid until the exchange of
  /// the other field has finished.
  virtual void finish(std::size_t field) = 0;
  /// \pre the exchange of the field has finished
  Halo halo(std::size_t field);

 protected:
  /// Address of a neighbour's border in the caller's address space.
  virtual const double* border(std::size_t field, Side side) = 0;

  int neighbour(Side side) const { return _blocks.neighbour(_process, side); }
  bool has_neighbour_on(Side side) const { return has_neighbour(_block, side); }
  /// A row on the border of the caller's block.
  const double* row(std::size_t field, Side side);
  void pack_column(std::size_t field, Side side, double* column);

  BlockGrid _blocks;
  int _process;
  Block _block;
};

/// Two-sided: persistent requests; all requests of a step are started at once.
class TwoSidedBaseline final : public BaselineExchange {
 public:
  TwoSidedBaseline(const BlockGrid& blocks, int process);
  ~TwoSidedBaseline() override;

  double* cells(std::size_t field) override { return _cells[field].data(); }
  void start(std::size_t field) override;
  void finish(std::size_t field) override;

 private:
  const double* border(std::size_t /*field*/, Side side) override { return _halos[side].data(); }
  void add_requests(Side side);

  std::array<std::vector<double>, 2> _cells;
  std::array<std::vector<double>, sides.size()> _halos;
  std::array<std::vector<double>, sides.size()> _columns;
  std::array<std::vector<MPI_Request>, 2> _requests;  // receives and sends of each field
};

/// One-sided: puts all borders into the neighbours' memory, flushes, and then puts the number of
/// the exchange, which the neighbours poll.
class RmaBaseline final : public BaselineExchange {
 public:
  RmaBaseline(const BlockGrid& blocks, int process);

  double* cells(std::size_t field) override { return _cells[field].data(); }
  void start(std::size_t field) override;
  void finish(std::size_t field) override;

 private:
  using Number = std::uint64_t;

  const double* border(std::size_t field, Side side) override;
  /// Offset of a border in the memory of a process.
  std::size_t border_offset(std::size_t field, Side side) const;
  void put_border(std::size_t field, Side side);

  std::array<std::vector<double>, 2> _cells;
  std::array<std::vector<double>, sides.size()> _columns;
  kernels::MpiMemory _memory;        // a number for each side, then the borders of both fields
  std::array<Number, 2> _numbers{};  // origin buffers of the puts of numbers, used alternately
  Number _exchanges = 0;
};

/// Shared memory: reads rows in the block of the neighbour, and columns from contiguous copies that
/// the neighbour makes.
class SharedBaseline final : public BaselineExchange {
 public:
  SharedBaseline(const BlockGrid& blocks, int process);

  double* cells(std::size_t field) override { return cells_of(_process, field); }
  void start(std::size_t field) override;
  void finish(std::size_t field) override;

 private:
  using Number = std::uint64_t;

  const double* border(std::size_t field, Side side) override;
  std::atomic_ref<Number> number_of(int process) {
    return std::atomic_ref<Number>(*_memory.of<Number>(process));
  }
  double* cells_of(int process, std::size_t field);
  double* column_of(int process, std::size_t field, Side side);

  kernels::MpiMemory _memory;  // the number of exchanges, both fields, the columns of both fields
  Number _exchanges = 0;
};

/// \param via  `two-sided`, `rma` or `shared`
/// \collective
std::unique_ptr<BaselineExchange> make_baseline_exchange(const std::string& via,
                                                         const BlockGrid& blocks, int process);

}  // namespace terrain
