#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "Blocks.h"
#include "support/MpiProgram.h"

namespace terrain {

/// How the twins exchange the borders of their blocks: of two fields that take turns. All processes
/// exchange as often.
class TwinExchange {
 public:
  /// \collective
  TwinExchange(const Blocks& blocks, int process)
      : _blocks(blocks), _process(process), _block(blocks.place_of(process).block) {}
  virtual ~TwinExchange() = default;
  TwinExchange(const TwinExchange&) = delete;
  TwinExchange& operator=(const TwinExchange&) = delete;

  /// The caller's cells of a field.
  virtual double* cells(std::size_t field) = 0;
  /// Begins to tell the neighbours the borders of a field, which stay as they are until the exchange of the
  /// other field has finished.
  virtual void start(std::size_t field) = 0;
  /// Returns when the neighbours' borders are there, for as long.
  virtual void finish(std::size_t field) = 0;
  /// \pre the exchange of the field has finished
  Halo halo(std::size_t field);

 protected:
  /// Where a neighbour's border is, in the caller's sight.
  virtual const double* border(std::size_t field, Side side) = 0;

  int neighbour(Side side) const { return _blocks.neighbour(_process, side); }
  bool has(Side side) const { return has_neighbour(_block, side); }
  /// Of the caller's block.
  const double* row(std::size_t field, Side side);
  void pack_column(std::size_t field, Side side, double* column);

  Blocks _blocks;
  int _process;
  Block _block;
};

/// Persistent requests, all of a step at once.
class TwoSidedTwin final : public TwinExchange {
 public:
  TwoSidedTwin(const Blocks& blocks, int process);
  ~TwoSidedTwin() override;

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

/// Borders are put into the neighbours' memory, all at once, then, after a flush, the number of the
/// exchange beside them, which they poll.
class RmaTwin final : public TwinExchange {
 public:
  RmaTwin(const Blocks& blocks, int process);

  double* cells(std::size_t field) override { return _cells[field].data(); }
  void start(std::size_t field) override;
  void finish(std::size_t field) override;

 private:
  using Number = std::uint64_t;

  const double* border(std::size_t field, Side side) override;
  /// In the memory of any process.
  std::size_t place_of_border(std::size_t field, Side side) const;
  void put_border(std::size_t field, Side side);

  std::array<std::vector<double>, 2> _cells;
  std::array<std::vector<double>, sides.size()> _columns;
  kernels::MpiMemory _memory;        // a number for each side, then the borders of both fields
  std::array<Number, 2> _numbers{};  // on their way, in turns
  Number _exchanges = 0;
};

/// Rows are read where they are, columns where their process has copied them to.
class SharedTwin final : public TwinExchange {
 public:
  SharedTwin(const Blocks& blocks, int process);

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

  kernels::MpiMemory _memory;  // the number of exchanges, both fields, the columns of both
  Number _exchanges = 0;
};

/// \param via `two-sided`, `rma` or `shared`
/// \collective
std::unique_ptr<TwinExchange> make_twin_exchange(const std::string& via, const Blocks& blocks,
                                                 int process);

}  // namespace terrain
