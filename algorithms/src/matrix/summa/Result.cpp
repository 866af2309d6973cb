#include "matrix/summa/Result.h"

#include <cstring>

#include "matrix/summa/Panel.h"

namespace dash::internal {

ProductResult::ProductResult(const DistributedMatrix& matrix, std::size_t element_size,
                             std::span<const IndexGroup> rows, std::span<const IndexGroup> cols)
    : _matrix(&matrix), _element_size(element_size), _rows(rows), _cols(cols) {
  const auto size = static_cast<std::ptrdiff_t>(element_size);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < cols.size(); ++c) {
      Part part{r, c, rows[r].extent(), cols[c].extent(), {}, nullptr};
      if (is_matrix(rows[r], cols[c])) {
        const BlockLocation location =
            location_of(matrix, element_size, rows[r].span(), cols[c].span());
        part.block = {address(location.offset), location.row_stride, location.col_stride};
      } else {
        part.memory = std::make_unique_for_overwrite<std::byte[]>(
            static_cast<std::size_t>(part.rows * part.cols) * element_size);
        part.block = {part.memory.get(), part.cols * size, size};
      }
      _parts.push_back(std::move(part));
    }
  }
}

/// In a canonical layout, adjacent rows and columns are adjacent in memory.
bool ProductResult::is_matrix(const IndexGroup& rows, const IndexGroup& cols) const {
  const DistributedMatrix::Properties& properties = _matrix->properties();
  return properties.is_canonical || (rows.is_in_block(properties.block_extents[0]) &&
                                     cols.is_in_block(properties.block_extents[1]));
}

std::byte* ProductResult::address(std::ptrdiff_t offset) const {
  return static_cast<std::byte*>(_matrix->memory().local_begin()) + offset;
}

void ProductResult::load(bool parallel) const {
  copy(Direction::load, parallel);
}

void ProductResult::store(bool parallel) const {
  copy(Direction::store, parallel);
}

void ProductResult::copy(Direction direction, bool parallel) const {
  for (const Part& part : _parts) {
    if (!part.memory) continue;
    const auto& blocks = _rows[part.row_group].blocks();
    run_on_workers(parallel, blocks.size(),
                   [&](std::size_t block) { copy(direction, part, blocks[block]); });
  }
}

/// Copies rows of a part from or to the elements of C.
void ProductResult::copy(Direction direction, const Part& part,
                         const IndexGroup::Block& rows) const {
  const auto copy_elements = [&](std::byte* in_matrix, std::byte* in_buffer, std::ptrdiff_t n) {
    const bool stores = direction == Direction::store;
    std::memcpy(stores ? in_matrix : in_buffer, stores ? in_buffer : in_matrix,
                static_cast<std::size_t>(n) * _element_size);
  };
  for (const IndexGroup::Block& cols : _cols[part.col_group].blocks()) {
    const BlockLocation location = location_of(*_matrix, _element_size, rows.span(), cols.span());
    const MatrixBlock<std::byte> matrix{address(location.offset), location.row_stride,
                                        location.col_stride};
    for (std::ptrdiff_t row = 0; row < rows.extent(); ++row) {
      const auto buffer = part.block.at(rows.position + row, cols.position);
      if (_matrix->properties().is_row_major) {
        copy_elements(matrix.at(row, 0).data, buffer.data, cols.extent());
        continue;
      }
      for (std::ptrdiff_t col = 0; col < cols.extent(); ++col)
        copy_elements(matrix.at(row, col).data, buffer.at(0, col).data, 1);
    }
  }
}

}  // namespace dash::internal
