#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "dash/algorithm/internal/matrix/Summa.h"
#include "matrix/summa/IndexGroups.h"

namespace dash::internal {

/// The caller's elements of C with some rows and columns, as blocks to add to: where they are, or,
/// of what lies as no matrix, in memory of its own until store().
class ProductResult {
 public:
  ProductResult(const SummaMatrix& matrix, std::size_t element_size,
                std::span<const IndexGroup> rows, std::span<const IndexGroup> cols);

  /// A block of it, by the positions of its groups.
  struct Part {
    std::size_t row_group;
    std::size_t col_group;
    std::ptrdiff_t rows;
    std::ptrdiff_t cols;
    MatrixBlock<std::byte> block;
    std::unique_ptr<std::byte[]> memory;  ///< if it is not where it belongs
  };
  const std::vector<Part>& parts() const { return _parts; }

  void store(bool parallel) const;

 private:
  bool is_matrix(const IndexGroup& rows, const IndexGroup& cols) const;
  std::byte* address(std::ptrdiff_t offset) const;
  void store(const Part& part, const IndexGroup::Piece& rows) const;

  const SummaMatrix* _matrix;
  std::size_t _element_size;
  std::span<const IndexGroup> _rows;
  std::span<const IndexGroup> _cols;
  std::vector<Part> _parts;
};

}  // namespace dash::internal
