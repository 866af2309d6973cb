#pragma once

#include <dash/Array.h>
#include <dash/Atomic.h>
#include <dash/Future.h>
#include <dash/Matrix.h>
#include <dash/SharedCounter.h>

#include <array>
#include <vector>

#include "Exchange.h"
#include "support/NodeLocks.h"

namespace scf {

/// The exchange with DASH: tiled matrices, whose blocks are prefetched; outputs are accumulated.
class DashExchange final : public Exchange {
 public:
  /// \collective
  explicit DashExchange(const Problem& problem, dash::Team& team = dash::Team::All());

  void reset() override;
  void request_tasks(long chunk) override;
  long receive_tasks() override;
  void fetch(const Task& task, int slot) override;
  Operands operands(int slot) override;
  void progress() override;
  void accumulate(const BlockId& id, const double* values) override;
  void complete() override;
  long counter() override { return _counter.take(0); }
  void collect(double* matrix) override;

 private:
  using Matrix = dash::Matrix<double, 2>;
  /// A block of a matrix, which is a contiguous tile.
  struct Block {
    dash::GlobPtr<double> address;
    double* on_node;  ///< address in this process; null if it is on another node
  };
  struct Slot {
    std::array<std::vector<double>, num_operands> blocks;
    std::vector<dash::Future<double*>> fetched;  // copies of blocks on other nodes
    Operands operands{};
  };

  std::vector<Block> blocks_of(const Matrix& matrix) const;
  std::size_t number(const BlockId& id) const {
    return static_cast<std::size_t>(id.row * _problem.blocks() + id.col);
  }
  void complete_added();
  void add_on_node(std::size_t block, const double* values);

  dash::Team& _team;
  Problem _problem;
  Matrix _overlap;
  Matrix _density;
  Matrix _fock;
  std::vector<Block> _overlap_blocks;
  std::vector<Block> _density_blocks;
  std::vector<Block> _fock_blocks;
  bool _is_one_node;
  kernels::NodeLocks _locks;  // one for each block of F
  dash::SharedCounter<long> _counter;
  dash::Future<long> _first_task;  // of the pending request
  std::array<Slot, 2> _slots;
  std::vector<dash::Future<dash::GlobPtr<double>>> _added;
};

}  // namespace scf
