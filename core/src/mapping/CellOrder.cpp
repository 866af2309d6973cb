#include "CellOrder.h"

#include <utility>

#include "dash/core/mapping/HilbertCurve.h"

namespace dash::core::mapping {

namespace {

Extents coordinates(std::uint32_t index, const Extents& extents) {
  Extents result(extents.size());
  for (std::size_t d = extents.size(); d-- > 0;) {
    result[d] = index % extents[d];
    index /= extents[d];
  }
  return result;
}

}  // namespace

CellOrder::CellOrder(const Grid& grid) : _whole(grid.extents), _strides(grid.extents.size(), 1) {
  for (std::size_t d = grid.extents.size(); d-- > 1;)
    _strides[d - 1] = _strides[d] * grid.extents[d];
  _cells.reserve(grid.size());
}

std::vector<std::uint32_t> CellOrder::order(const std::vector<Extents>& shapes) {
  _shapes = shapes;
  _blocks.assign(shapes.size(), {});
  _cells.clear();
  append(0, _whole, 0);
  return _cells;
}

void CellOrder::append(std::uint32_t corner, const Extents& box, std::size_t level) {
  if (level == _shapes.size()) {
    for (const std::uint32_t offset : curve(box))
      _cells.push_back(corner + offset);
    return;
  }
  for (const Block& block : blocks(box, level))
    append(corner + block.offset, block.extents, level + 1);
}

const std::vector<std::uint32_t>& CellOrder::curve(const Extents& box) {
  const auto [entry, is_new] = _curves.try_emplace(box);
  if (is_new) {
    entry->second = hilbert_curve(box);
    for (std::uint32_t& cell : entry->second) {
      const Extents at = coordinates(cell, box);
      cell = 0;
      for (std::size_t d = 0; d < at.size(); ++d)
        cell += at[d] * _strides[d];
    }
  }
  return entry->second;
}

const std::vector<CellOrder::Block>& CellOrder::blocks(const Extents& box, std::size_t level) {
  const auto [entry, is_new] = _blocks[level].try_emplace(box);
  if (!is_new) return entry->second;
  Extents counts;
  for (std::size_t d = 0; d < box.size(); ++d)
    counts.push_back(num_blocks(box[d], _shapes[level][d]));
  for (const std::uint32_t index : hilbert_curve(counts)) {
    const Extents at = coordinates(index, counts);
    Block block{0, Extents(box.size())};
    for (std::size_t d = 0; d < box.size(); ++d) {
      const auto boundary = [&](std::uint64_t i) {
        return static_cast<std::uint32_t>(i * box[d] / counts[d]);
      };
      block.offset += boundary(at[d]) * _strides[d];
      block.extents[d] = boundary(std::uint64_t{at[d]} + 1) - boundary(at[d]);
    }
    entry->second.push_back(std::move(block));
  }
  return entry->second;
}

}  // namespace dash::core::mapping
