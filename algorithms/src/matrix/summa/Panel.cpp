#include "matrix/summa/Panel.h"

#include <cstdint>
#include <cstring>

#include "dash/async/Executor.h"
#include "dash/internal/transfer/Transfer.h"

namespace dash::internal {

namespace {

/// A block as lines that are contiguous in the source and the target of a copy.
struct Lines {
  std::ptrdiff_t count;
  std::size_t nbytes;
  std::ptrdiff_t from_stride;
  std::ptrdiff_t to_stride;
};

Lines lines_of(bool is_row_major, std::size_t element_size, const IndexSpan& rows,
               const IndexSpan& cols, const BlockLocation& from, const MatrixBlock<std::byte>& to) {
  const std::ptrdiff_t count = is_row_major ? rows.extent : cols.extent;
  const auto length = static_cast<std::size_t>(is_row_major ? cols.extent : rows.extent);
  const std::ptrdiff_t from_stride = is_row_major ? from.row_stride : from.col_stride;
  const std::ptrdiff_t to_stride = is_row_major ? to.row_stride : to.col_stride;
  const std::size_t nbytes = length * element_size;
  // Adjacent lines form a single line.
  if (from_stride == to_stride && static_cast<std::size_t>(from_stride) == nbytes)
    return {1, nbytes * static_cast<std::size_t>(count), from_stride, to_stride};
  return {count, nbytes, from_stride, to_stride};
}

}  // namespace

BlockLocation location_of(const DistributedMatrix& matrix, std::size_t element_size,
                          const IndexSpan& rows, const IndexSpan& cols) {
  const auto first = matrix.location(rows.first, cols.first);
  const bool is_row_major = matrix.properties().is_row_major;
  // The stride of a single row or column is arbitrary, but must be valid for a matrix.
  std::ptrdiff_t row_stride = is_row_major ? cols.extent : 1;
  std::ptrdiff_t col_stride = is_row_major ? 1 : rows.extent;
  if (rows.extent > 1) row_stride = matrix.location(rows.second, cols.first).index - first.index;
  if (cols.extent > 1) col_stride = matrix.location(rows.first, cols.second).index - first.index;
  const auto size = static_cast<std::ptrdiff_t>(element_size);
  return {first.unit, first.index * size, row_stride * size, col_stride * size};
}

void run_on_workers(bool parallel, std::size_t n, exec::FunctionRef<void(std::size_t)> body) {
  if (parallel) {
    exec::run_chunks(n, body);
    return;
  }
  for (std::size_t i = 0; i < n; ++i)
    body(i);
}

Panel::~Panel() {
  wait_ignoring_errors(_pending);
}

/// Address of a block in this process; nullptr if it is on another node.
const std::byte* Panel::address(const BlockLocation& location, const IndexSpan& rows,
                                const IndexSpan& cols) const {
  const std::ptrdiff_t last =
      (rows.extent - 1) * location.row_stride + (cols.extent - 1) * location.col_stride;
  return static_cast<const std::byte*>(
      _matrix->memory().address_at(location.unit, static_cast<std::uint64_t>(location.offset),
                                   static_cast<std::size_t>(last) + _element_size));
}

std::optional<MatrixBlock<const std::byte>> Panel::in_place(const IndexGroup& rows,
                                                            const IndexGroup& cols) const {
  const auto& extents = _matrix->properties().block_extents;
  if (!rows.is_in_block(extents[0]) || !cols.is_in_block(extents[1])) return std::nullopt;
  const BlockLocation location = location_of(*_matrix, _element_size, rows.span(), cols.span());
  const std::byte* const begin = address(location, rows.span(), cols.span());
  if (begin == nullptr) return std::nullopt;
  return MatrixBlock<const std::byte>{begin, location.row_stride, location.col_stride};
}

void Panel::prefetch(std::span<const IndexGroup> rows, std::span<const IndexGroup> cols) {
  _ncols = cols.size();
  _blocks.clear();
  _staged.clear();
  for (const IndexGroup& row : rows) {
    for (const IndexGroup& col : cols) {
      const auto block = in_place(row, col);
      if (!block) _staged.push_back({&row, &col, _blocks.size(), {}});
      _blocks.push_back(block.value_or(MatrixBlock<const std::byte>{}));
    }
  }
  allocate_staging();
  start_transfers();
}

/// A staged block keeps the storage order of the matrix, so that contiguous elements stay
/// contiguous.
void Panel::allocate_staging() {
  std::size_t nbytes = 0;
  for (const Staged& staged : _staged)
    nbytes +=
        static_cast<std::size_t>(staged.rows->extent() * staged.cols->extent()) * _element_size;
  if (nbytes > _capacity) {
    _memory = std::make_unique_for_overwrite<std::byte[]>(nbytes);
    _capacity = nbytes;
  }
  std::byte* memory = _memory.get();
  const auto size = static_cast<std::ptrdiff_t>(_element_size);
  for (Staged& staged : _staged) {
    const std::ptrdiff_t rows = staged.rows->extent();
    const std::ptrdiff_t cols = staged.cols->extent();
    staged.to = _matrix->properties().is_row_major
                    ? MatrixBlock<std::byte>{memory, cols * size, size}
                    : MatrixBlock<std::byte>{memory, size, rows * size};
    _blocks[staged.block] = staged.to;
    memory += rows * cols * size;
  }
}

/// Calls fn(location, lines, address, to) for each block of the matrix in the given rows.
template <class Fn>
void Panel::for_each_part(const Staged& staged, const IndexGroup::Block& rows, Fn fn) const {
  for (const IndexGroup::Block& cols : staged.cols->blocks()) {
    const BlockLocation location = location_of(*_matrix, _element_size, rows.span(), cols.span());
    const auto to = staged.to.at(rows.position, cols.position);
    fn(location,
       lines_of(_matrix->properties().is_row_major, _element_size, rows.span(), cols.span(),
                location, to),
       address(location, rows.span(), cols.span()), to.data);
  }
}

void Panel::start_transfers() {
  Transfer transfer(_matrix->memory().team().myid());
  for (const Staged& staged : _staged) {
    for (const IndexGroup::Block& rows : staged.rows->blocks()) {
      for_each_part(staged, rows,
                    [&](const BlockLocation& location, const Lines& lines, const std::byte* address,
                        std::byte* to) {
                      if (address != nullptr) return;
                      for (std::ptrdiff_t line = 0; line < lines.count; ++line) {
                        const std::ptrdiff_t offset = location.offset + line * lines.from_stride;
                        transfer.get(to + line * lines.to_stride,
                                     _matrix->memory().gptr_at(location.unit,
                                                               static_cast<std::uint64_t>(offset)),
                                     lines.nbytes);
                      }
                    });
    }
  }
  _pending = transfer.finish();
}

void Panel::complete(bool parallel) {
  _pending.wait();
  for (const Staged& staged : _staged) {
    run_on_workers(parallel, staged.rows->blocks().size(), [&](std::size_t block) {
      for_each_part(
          staged, staged.rows->blocks()[block],
          [](const BlockLocation&, const Lines& lines, const std::byte* from, std::byte* to) {
            if (from == nullptr) return;
            for (std::ptrdiff_t line = 0; line < lines.count; ++line)
              std::memcpy(to + line * lines.to_stride, from + line * lines.from_stride,
                          lines.nbytes);
          });
    });
  }
}

}  // namespace dash::internal
