#include "solver/Block.h"

#include "solver/RowKernel.h"
#include "solver/Stencil.h"

namespace terrain {
namespace {

// Half-open ranges of the rows and columns that do not need halo cells; empty in blocks without
// inner cells.
struct Inner {
  explicit Inner(const Block& block)
      : row_begin(block.north ? 1 : 0),
        row_end(block.south ? block.rows - 1 : block.rows),
        col_begin(block.west ? 1 : 0),
        col_end(block.east ? block.cols - 1 : block.cols) {}

  std::size_t row_begin;
  std::size_t row_end;
  std::size_t col_begin;
  std::size_t col_end;
};

// The row above row r, from the halo or mirrored at the border of the terrain. row_below is its
// counterpart.
const double* row_above(const double* mid, std::size_t r, std::size_t cols, const double* halo) {
  if (r > 0) return mid - cols;
  return halo != nullptr ? halo : mid;
}

const double* row_below(const double* mid, std::size_t r, std::size_t rows, std::size_t cols,
                        const double* halo) {
  if (r + 1 < rows) return mid + cols;
  return halo != nullptr ? halo : mid;
}

void update_border_row(const Block& block, const Halo& halo, std::size_t r, const double* src,
                       double* dst, double alpha) noexcept {
  const double* mid = src + r * block.cols;
  diffuse_row(dst + r * block.cols, row_above(mid, r, block.cols, halo.north), mid,
              row_below(mid, r, block.rows, block.cols, halo.south),
              halo.west != nullptr ? halo.west[r] : mid[0],
              halo.east != nullptr ? halo.east[r] : mid[block.cols - 1], block.cols, alpha);
}

// Only for rows between border rows, so that the cells above and below belong to the block or are
// mirrored.
void update_border_cell(const Block& block, const Halo& halo, std::size_t r, std::size_t c,
                        const double* src, double* dst, double alpha) noexcept {
  const double* mid = src + r * block.cols;
  const double* above = row_above(mid, r, block.cols, nullptr);
  const double* below = row_below(mid, r, block.rows, block.cols, nullptr);
  const double west = c > 0 ? mid[c - 1] : halo.west != nullptr ? halo.west[r] : mid[c];
  const double east = c + 1 < block.cols     ? mid[c + 1]
                      : halo.east != nullptr ? halo.east[r]
                                             : mid[c];
  dst[r * block.cols + c] = diffuse(mid[c], above[c], below[c], west, east, alpha);
}

}  // namespace

void update_inner(const Block& block, const double* src, double* dst, double alpha) noexcept {
  const Inner inner(block);
  if (inner.col_begin >= inner.col_end) return;
  const auto n = inner.col_end - inner.col_begin;
  for (auto r = inner.row_begin; r < inner.row_end; ++r) {
    const double* mid = src + r * block.cols;
    const double* above = row_above(mid, r, block.cols, nullptr);
    const double* below = row_below(mid, r, block.rows, block.cols, nullptr);
    const double west = inner.col_begin > 0 ? mid[inner.col_begin - 1] : mid[0];
    const double east = inner.col_end < block.cols ? mid[inner.col_end] : mid[block.cols - 1];
    diffuse_row(dst + r * block.cols + inner.col_begin, above + inner.col_begin,
                mid + inner.col_begin, below + inner.col_begin, west, east, n, alpha);
  }
}

void update_border(const Block& block, const Halo& halo, const double* src, double* dst,
                   double alpha) noexcept {
  if (block.north) update_border_row(block, halo, 0, src, dst, alpha);
  // If a block between two neighbours has only one row, the first row is also the last one.
  if (block.south && !(block.north && block.rows == 1)) {
    update_border_row(block, halo, block.rows - 1, src, dst, alpha);
  }
  const Inner inner(block);
  for (auto r = inner.row_begin; r < inner.row_end; ++r) {
    if (block.west) update_border_cell(block, halo, r, 0, src, dst, alpha);
    if (block.east && !(block.west && block.cols == 1)) {
      update_border_cell(block, halo, r, block.cols - 1, src, dst, alpha);
    }
  }
}

}  // namespace terrain
