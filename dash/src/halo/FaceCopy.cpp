#include "FaceCopy.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "dash/core/CopyKernel.h"

namespace dash::halo::internal {
namespace {

/// Number of bytes that are gathered on the stack before they are stored. Blocks longer than
/// `max_gathered_block_nbytes` are stored directly.
constexpr std::size_t gather_buffer_nbytes = 4096;
constexpr std::size_t max_gathered_block_nbytes = 1024;

}  // namespace

void pack_blocks(std::byte* to, const HaloLink& face, std::size_t first, std::size_t count) {
  const std::size_t block = face.block_nbytes;
  if (face.levels.empty()) {
    if (count != 0) std::memcpy(to, face.source, block);
    return;
  }
  // Each iteration copies as many blocks of the innermost level as possible.
  const StridedLevel& inner = face.levels.front();
  while (count != 0) {
    const std::size_t in_level = first % inner.count;
    const std::byte* from = face.source + in_level * inner.stride_nbytes;
    std::size_t rest = first / inner.count;
    for (std::size_t l = 1; l < face.levels.size(); ++l) {
      from += rest % face.levels[l].count * face.levels[l].stride_nbytes;
      rest /= face.levels[l].count;
    }
    const std::size_t num_copied = std::min(count, inner.count - in_level);
    core::copy_strided(to, from, block, inner.stride_nbytes, block, num_copied);
    to += num_copied * block;
    first += num_copied;
    count -= num_copied;
  }
}

void push_blocks(std::byte* to, const HaloLink& face, std::size_t first, std::size_t count) {
  const std::size_t block = face.block_nbytes;
  if (block > max_gathered_block_nbytes) return pack_blocks(to, face, first, count);
  std::array<std::byte, gather_buffer_nbytes> gathered;
  const std::size_t max_gathered = gather_buffer_nbytes / block;
  while (count != 0) {
    const std::size_t num_gathered = std::min(count, max_gathered);
    pack_blocks(gathered.data(), face, first, num_gathered);
    std::memcpy(to, gathered.data(), num_gathered * block);
    to += num_gathered * block;
    first += num_gathered;
    count -= num_gathered;
  }
}

FaceCopy::FaceCopy(std::byte* to, const HaloLink& face) noexcept
    : CopyJob(to, face.source, face.nbytes, chunk_bytes_for_blocks(face.block_nbytes)),
      _to(to),
      _face(face) {}

void FaceCopy::copy(std::size_t begin, std::size_t length) noexcept {
  const std::size_t block = _face.block_nbytes;
  if (begin % block == 0 && length % block == 0) {
    return push_blocks(_to + begin, _face, begin / block, length / block);
  }
  // The chunk begins or ends within a block, because the blocks are longer than a chunk.
  HaloLink part;
  while (length != 0) {
    const std::size_t skipped = begin % block;
    const std::size_t part_length = std::min(length, block - skipped);
    part.levels = _face.levels;
    part.source = _face.source + skipped;
    part.block_nbytes = part_length;
    pack_blocks(_to + begin, part, begin / block, 1);
    begin += part_length;
    length -= part_length;
  }
}

}  // namespace dash::halo::internal
