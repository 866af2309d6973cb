#include "BlockShapes.h"

#include <algorithm>
#include <tuple>

namespace dash::core::mapping {

namespace {

BlockShape describe(const Grid& box, const Extents& block) {
  BlockShape shape{block, 0, true};
  const auto cells = static_cast<double>(box.size());
  for (std::size_t d = 0; d < block.size(); ++d) {
    const std::uint32_t extent = box.extents[d];
    const std::uint32_t blocks = num_blocks(extent, block[d]);
    if (extent % block[d] != 0) shape.divides = false;
    if (blocks == 1) continue;
    const std::uint32_t boundaries = blocks - (box.is_periodic(d) ? 0 : 1);
    shape.cut += boundaries * (cells / extent) * box.weight(d);
  }
  return shape;
}

void find(const Grid& box, std::uint32_t rest, Extents& block, std::vector<BlockShape>& shapes) {
  const std::size_t d = block.size();
  if (d == box.extents.size()) {
    if (rest == 1) shapes.push_back(describe(box, block));
    return;
  }
  for (std::uint32_t length = 1; length <= std::min(rest, box.extents[d]); ++length) {
    if (rest % length != 0) continue;
    block.push_back(length);
    find(box, rest / length, block, shapes);
    block.pop_back();
  }
}

}  // namespace

std::uint32_t num_blocks(std::uint32_t extent, std::uint32_t block) {
  return std::max(1U, (extent + block / 2) / block);
}

std::vector<BlockShape> block_shapes(const Grid& box, std::uint32_t cells) {
  std::vector<BlockShape> shapes;
  Extents block;
  find(box, cells, block, shapes);
  std::stable_sort(shapes.begin(), shapes.end(), [](const BlockShape& a, const BlockShape& b) {
    return std::tuple(a.cut, !a.divides) < std::tuple(b.cut, !b.divides);
  });
  return shapes;
}

}  // namespace dash::core::mapping
