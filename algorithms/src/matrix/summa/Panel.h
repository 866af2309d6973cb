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

/// Where elements of one unit are that lie as a matrix.
struct BlockPlace {
  team_unit_t unit;
  std::ptrdiff_t offset;  ///< bytes in the unit's memory; strides are in bytes, too
  std::ptrdiff_t row_stride;
  std::ptrdiff_t col_stride;
};

/// \pre the rows and columns are of one block, or all of those that a unit has in a canonical layout
BlockPlace place_of(const SummaMatrix& matrix, std::size_t element_size, const IndexSpan& rows,
                    const IndexSpan& cols);

/// Calls body(0) ... body(n - 1), on the workers of the unit or on the calling thread.
void run_on_workers(bool parallel, std::size_t n, exec::FunctionRef<void(std::size_t)> body);

/// What a step of a product needs of an operand, in native memory: used where it is if that is one
/// block of a unit of the node, else copied together.
class Panel {
 public:
  Panel(const SummaMatrix& matrix, std::size_t element_size)
      : _matrix(&matrix), _element_size(element_size) {}
  Panel(const Panel&) = delete;
  Panel& operator=(const Panel&) = delete;
  /// What was prefetched may still be written.
  ~Panel();

  /// Starts to fetch what is on other nodes. The groups stay where they are until the next call.
  void prefetch(std::span<const IndexGroup> rows, std::span<const IndexGroup> cols);

  /// Waits for that, and copies together what is on the caller's node.
  void complete(bool parallel);

  /// By the positions of its groups in those prefetched.
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
  const std::byte* address(const BlockPlace& place, const IndexSpan& rows,
                           const IndexSpan& cols) const;
  void make_room();
  void start_transfers();
  template <class Fn>
  void for_each_part(const Staged& staged, const IndexGroup::Piece& rows, Fn fn) const;

  const SummaMatrix* _matrix;
  std::size_t _element_size;
  std::size_t _ncols = 0;
  std::vector<MatrixBlock<const std::byte>> _blocks;
  std::vector<Staged> _staged;
  std::unique_ptr<std::byte[]> _memory;
  std::size_t _capacity = 0;
  exec::Operation _pending;
};

}  // namespace dash::internal
