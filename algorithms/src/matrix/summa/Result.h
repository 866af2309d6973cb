#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "dash/algorithm/internal/matrix/Summa.h"
#include "matrix/summa/IndexGroups.h"

namespace dash::internal {

/// The caller's elements of C in given rows and columns, as blocks to which products are added. A
/// block is used in place if it is stored as a matrix; otherwise it is in a temporary buffer from load()
/// to store().
class ProductResult {
 public:
  ProductResult(const DistributedMatrix& matrix, std::size_t element_size,
                std::span<const IndexGroup> rows, std::span<const IndexGroup> cols);

  /// A block of the result, with the indices of its groups.
  struct Part {
    std::size_t row_group;
    std::size_t col_group;
    std::ptrdiff_t rows;
    std::ptrdiff_t cols;
    MatrixBlock<std::byte> block;
    std::unique_ptr<std::byte[]> memory;  ///< temporary buffer; null if the block is in place
  };
  const std::vector<Part>& parts() const { return _parts; }

  /// Copies the elements to the temporary buffers, which are uninitialized otherwise.
  void load(bool parallel) const;
  void store(bool parallel) const;

 private:
  bool is_matrix(const IndexGroup& rows, const IndexGroup& cols) const;
  std::byte* address(std::ptrdiff_t offset) const;
  enum class Direction { load, store };
  void copy(Direction direction, bool parallel) const;
  void copy(Direction direction, const Part& part, const IndexGroup::Block& rows) const;

  const DistributedMatrix* _matrix;
  std::size_t _element_size;
  std::span<const IndexGroup> _rows;
  std::span<const IndexGroup> _cols;
  std::vector<Part> _parts;
};

}  // namespace dash::internal
