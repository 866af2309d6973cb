#include "base/StridedLayout.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

#include "dash/core/CopyKernel.h"

namespace dash::dart {

namespace {

/// Copies through a buffer, because blocks of one layout may lie between blocks of the other, in
/// any order.
void copy_overlapping(char* dest, const StridedLayout& dest_layout, const char* src,
                      const StridedLayout& src_layout) {
  std::vector<std::byte> packed(src_layout.nbytes);
  BlockCursor from(src_layout);
  pack(packed.data(), src, from, packed.size());
  BlockCursor to(dest_layout);
  unpack(dest, to, packed.data(), packed.size());
}

/// Blocks of equal length and distance on both sides.
struct CommonBlocks {
  std::size_t nbytes = 0;  // of a block; 0: the layouts have no such blocks
  std::size_t dest_stride = 0;
  std::size_t src_stride = 0;
};

CommonBlocks common_blocks(const StridedLayout& dest, const StridedLayout& src) noexcept {
  if (!dest.regular() || !src.regular()) return {};
  if (dest.block_nbytes == src.block_nbytes) return {src.block_nbytes, dest.stride, src.stride};
  if (src.contiguous()) return {dest.block_nbytes, dest.stride, dest.block_nbytes};
  if (dest.contiguous()) return {src.block_nbytes, src.block_nbytes, src.stride};
  return {};
}

/// For shorter blocks, the store fence after each costs more than non-temporal stores save.
constexpr std::size_t min_nontemporal_block = 4096;

void copy_block(char* dest, const char* src, std::size_t nbytes, bool nontemporal) noexcept {
  if (nontemporal && nbytes >= min_nontemporal_block) {
    core::copy_nontemporal(dest, src, nbytes);
  } else {
    std::memcpy(dest, src, nbytes);
  }
}

/// The processor does not prefetch blocks at irregular distances, so the copy prefetches the next
/// blocks of the list.
constexpr std::size_t blocks_ahead = 12;
constexpr std::size_t max_prefetched_block = 512;

template <bool gathers>
void prefetch_block(const char* block, std::size_t nbytes) noexcept {
  constexpr std::size_t line = 64;
  const auto begin = reinterpret_cast<std::uintptr_t>(block);
  for (std::uintptr_t at = begin / line * line; at < begin + nbytes; at += line)
    __builtin_prefetch(reinterpret_cast<const void*>(at), gathers ? 0 : 1);
}

/// Copies between a list of blocks and contiguous memory.
/// \tparam gathers  copies from the blocks; otherwise to them
template <bool gathers>
void copy_listed(char* dest, const char* src, const StridedLayout& listed, std::size_t begin,
                 std::size_t length) noexcept {
  BlockCursor cursor(listed, begin);
  std::size_t index = cursor.block();
  std::size_t within = cursor.within();
  std::size_t base =
      cursor.offset() - within - listed.blocks[index].offset;  // of the current repetition
  const char* const list_begin = gathers ? src : dest;
  for (std::size_t done = begin; done < begin + length;) {
    const StridedLayout::Block& block = listed.blocks[index];
    if (index + blocks_ahead < listed.blocks.size()) {
      const StridedLayout::Block& ahead = listed.blocks[index + blocks_ahead];
      if (ahead.nbytes <= max_prefetched_block)
        prefetch_block<gathers>(list_begin + base + ahead.offset, ahead.nbytes);
    }
    const std::size_t nbytes = std::min(block.nbytes - within, begin + length - done);
    const std::size_t offset = base + block.offset + within;
    if constexpr (gathers) {
      std::memcpy(dest + done, src + offset, nbytes);
    } else {
      std::memcpy(dest + offset, src + done, nbytes);
    }
    done += nbytes;
    within = 0;
    if (++index == listed.blocks.size()) {
      index = 0;
      base += listed.extent;
    }
  }
}

}  // namespace

BlockCursor::BlockCursor(const StridedLayout& layout, std::size_t begin) noexcept
    : _layout(&layout), _done(begin) {
  if (at_end()) return;
  if (layout.regular()) {
    _index = begin / layout.block_nbytes;
    _within = begin % layout.block_nbytes;
  } else {
    const std::size_t each = layout.nbytes / layout.repetitions;
    _repetition = begin / each;
    const std::size_t in_list = begin % each;
    // The last block that begins at or before that byte: an empty block begins where the next one
    // does.
    const auto next = std::upper_bound(
        layout.blocks.begin(), layout.blocks.end(), in_list,
        [](std::size_t value, const StridedLayout::Block& block) { return value < block.before; });
    _index = static_cast<std::size_t>(next - layout.blocks.begin()) - 1;
    _within = in_list - layout.blocks[_index].before;
  }
  settle();
}

bool overlap(const char* dest, const StridedLayout& dest_layout, const char* src,
             const StridedLayout& src_layout) noexcept {
  return std::less<>()(dest, src + src_layout.span) && std::less<>()(src, dest + dest_layout.span);
}

void copy_layout(char* dest, const StridedLayout& dest_layout, const char* src,
                 const StridedLayout& src_layout) {
  if (src_layout.nbytes == 0) return;
  if (overlap(dest, dest_layout, src, src_layout)) {
    copy_overlapping(dest, dest_layout, src, src_layout);
  } else {
    copy_part_of_layout(dest, dest_layout, src, src_layout, 0, src_layout.nbytes, false);
  }
}

void copy_part_of_layout(char* dest, const StridedLayout& dest_layout, const char* src,
                         const StridedLayout& src_layout, std::size_t begin, std::size_t length,
                         bool nontemporal) noexcept {
  const CommonBlocks blocks = common_blocks(dest_layout, src_layout);
  const bool copies_nontemporal = nontemporal && blocks.nbytes >= min_nontemporal_block;
  if (blocks.nbytes != 0 && !copies_nontemporal && begin % blocks.nbytes == 0 &&
      length % blocks.nbytes == 0) {
    const std::size_t first = begin / blocks.nbytes;
    core::copy_strided(dest + first * blocks.dest_stride, src + first * blocks.src_stride,
                       blocks.nbytes, blocks.src_stride, blocks.dest_stride,
                       length / blocks.nbytes);
    return;
  }
  if (!nontemporal && dest_layout.contiguous() && !src_layout.regular())
    return copy_listed<true>(dest, src, src_layout, begin, length);
  if (!nontemporal && src_layout.contiguous() && !dest_layout.regular())
    return copy_listed<false>(dest, src, dest_layout, begin, length);
  BlockCursor to(dest_layout, begin);
  BlockCursor from(src_layout, begin);
  for (std::size_t left = length; left != 0;) {
    const std::size_t nbytes = std::min({to.length(), from.length(), left});
    copy_block(dest + to.offset(), src + from.offset(), nbytes, nontemporal);
    to.advance(nbytes);
    from.advance(nbytes);
    left -= nbytes;
  }
}

void pack(std::byte* to, const char* src, BlockCursor& cursor, std::size_t nbytes) noexcept {
  while (nbytes != 0) {
    const std::size_t length = std::min(nbytes, cursor.length());
    std::memcpy(to, src + cursor.offset(), length);
    cursor.advance(length);
    to += length;
    nbytes -= length;
  }
}

void skip(BlockCursor& cursor, std::size_t nbytes) noexcept {
  while (nbytes != 0) {
    const std::size_t length = std::min(nbytes, cursor.length());
    cursor.advance(length);
    nbytes -= length;
  }
}

void unpack(char* dest, BlockCursor& cursor, const std::byte* from, std::size_t nbytes) noexcept {
  while (nbytes != 0) {
    const std::size_t length = std::min(nbytes, cursor.length());
    std::memcpy(dest + cursor.offset(), from, length);
    cursor.advance(length);
    from += length;
    nbytes -= length;
  }
}

}  // namespace dash::dart
