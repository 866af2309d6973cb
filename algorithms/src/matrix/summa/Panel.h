#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dash/algorithm/internal/matrix/Summa.h"
#include "dash/async/Operation.h"
#include "matrix/summa/IndexGroups.h"

namespace dash::internal {

/// Location of elements of one unit that are stored as a matrix.
struct BlockLocation {
  team_unit_t unit;
  std::ptrdiff_t offset;  ///< bytes in the unit's memory; strides are in bytes, too
  std::ptrdiff_t row_stride;
  std::ptrdiff_t col_stride;
};

/// \pre the rows and columns are within one block, or are all rows and columns of a unit in a
///          canonical layout
BlockLocation location_of(const DistributedMatrix& matrix, std::size_t element_size,
                          const IndexSpan& rows, const IndexSpan& cols);

/// Calls body(0) ... body(n - 1): on the workers of the unit if `parallel`, otherwise on the
/// calling thread.
void run_on_workers(bool parallel, std::size_t n, exec::FunctionRef<void(std::size_t)> body);

/// The blocks of an operand for one step of a product, in native memory. A block is used in place
/// if it is within one block of a unit of the node; otherwise it is copied to a staging buffer.
class Panel {
 public:
  Panel(const DistributedMatrix& matrix, std::size_t element_size)
      : _matrix(&matrix), _element_size(element_size) {}
  Panel(const Panel&) = delete;
  Panel& operator=(const Panel&) = delete;
  /// Waits for pending prefetches, which may still write to the buffer.
  ~Panel();

  /// Starts to fetch the blocks on other nodes. The groups must stay valid until the next call.
  void prefetch(std::span<const IndexGroup> rows, std::span<const IndexGroup> cols);

  /// Waits for the prefetch, and copies the staged blocks of the caller's node.
  void complete(bool parallel);

  /// A block, by the indices of its groups in the spans that were passed to prefetch().
  const MatrixBlock<const std::byte>& block(std::size_t row_group, std::size_t col_group) const {
    return _blocks[row_group * _ncols + col_group];
  }

 private:
  struct Staged {
    const IndexGroup* rows;
    const IndexGroup* cols;
    std::size_t block;  // in _blocks
    MatrixBlock<std::byte> to;
  };

  std::optional<MatrixBlock<const std::byte>> in_place(const IndexGroup& rows,
                                                       const IndexGroup& cols) const;
  const std::byte* address(const BlockLocation& location, const IndexSpan& rows,
                           const IndexSpan& cols) const;
  void allocate_staging();
  void start_transfers();
  template <class Fn>
  void for_each_part(const Staged& staged, const IndexGroup::Block& rows, Fn fn) const;

  const DistributedMatrix* _matrix;
  std::size_t _element_size;
  std::size_t _ncols = 0;
  std::vector<MatrixBlock<const std::byte>> _blocks;
  std::vector<Staged> _staged;
  std::unique_ptr<std::byte[]> _memory;
  std::size_t _capacity = 0;
  exec::Operation _pending;
};

}  // namespace dash::internal
